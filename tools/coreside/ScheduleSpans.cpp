// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleSpans.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace coreside;

/// Nanoseconds within which two times count as one.
constexpr double together = 2000;

std::vector<LaneSpan> coreside::gatherSpans(const Schedule &schedule) {
  std::vector<BlockSpan> spans = schedule.spans;
  std::ranges::sort(spans, [](const BlockSpan &a, const BlockSpan &b) {
    return std::tie(a.SM, a.kernel, a.start) <
           std::tie(b.SM, b.kernel, b.start);
  });
  std::vector<LaneSpan> gathered;
  for (const BlockSpan &span : spans) {
    if (!gathered.empty()) {
      BlockSpan &last = gathered.back().span;
      if (last.SM == span.SM && last.kernel == span.kernel &&
          span.start - last.start <= together &&
          std::abs(span.end - last.end) <= together) {
        last.blocks += span.blocks;
        last.end = std::max(last.end, span.end);
        continue;
      }
    }
    gathered.push_back({span, 0});
  }
  std::ranges::sort(gathered, [](const LaneSpan &a, const LaneSpan &b) {
    return std::tie(a.span.SM, a.span.start, a.span.kernel) <
           std::tie(b.span.SM, b.span.start, b.span.kernel);
  });
  // When each lane of the current SM is free again.
  std::vector<double> freeFrom;
  unsigned SM = ~0u;
  for (LaneSpan &next : gathered) {
    if (next.span.SM != SM) {
      SM = next.span.SM;
      freeFrom.clear();
    }
    const auto lane = std::ranges::find_if(
        freeFrom, [&](double time) { return time <= next.span.start; });
    next.lane = unsigned(lane - freeFrom.begin());
    if (lane == freeFrom.end())
      freeFrom.push_back(next.span.end);
    else
      *lane = next.span.end;
  }
  return gathered;
}
