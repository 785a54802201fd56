// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outcomes.h"

#include <algorithm>
#include <cmath>

using namespace coreside;

const char *coreside::certaintyName(Certainty certainty) {
  switch (certainty) {
  case Certainty::Never:
    return "never";
  case Certainty::EitherOrder:
    return "either order";
  case Certainty::Always:
    return "always";
  }
  return "";
}

bool coreside::touchOnly(const KernelTimes &first, const KernelTimes &second,
                         double overlap) {
  const double shorter = std::min(first.lastEnd - first.firstStart,
                                  second.lastEnd - second.firstStart);
  return std::abs(overlap) <= std::max(30000.0, shorter * 0.05);
}

Outcomes coreside::playAll(const GPU &gpu, const DeviceProgram &program,
                           unsigned runs) {
  Outcomes outcomes;
  for (unsigned run = 0; run < runs; ++run)
    outcomes.schedules.push_back(simulate(gpu, program, {run, false}));
  if (outcomes.schedules.empty())
    return outcomes;
  const auto certainty = [](unsigned yes, size_t of) {
    return yes == 0    ? Certainty::Never
           : yes == of ? Certainty::Always
                       : Certainty::EitherOrder;
  };
  for (size_t i = 0; i < outcomes.schedules.front().pairs.size(); ++i) {
    unsigned overlaps = 0, shares = 0;
    PairOutcome outcome;
    for (const Schedule &schedule : outcomes.schedules) {
      const PairTimes &pair = schedule.pairs[i];
      outcome.first = pair.first;
      outcome.second = pair.second;
      const bool together =
          !touchOnly(schedule.kernels[pair.first],
                     schedule.kernels[pair.second], pair.overlap);
      overlaps += together;
      shares += together && pair.SMsShared != 0;
    }
    outcome.overlap = certainty(overlaps, outcomes.schedules.size());
    outcome.sharesSM = certainty(shares, outcomes.schedules.size());
    outcomes.pairs.push_back(outcome);
  }
  return outcomes;
}
