// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hardware-queues: a function makes more streams than the driver gives hardware
// queues, and two that may overlap come through one queue.
//
//   note: 13 streams that get kernels share 8 hardware queues
//
// What stands behind a launch that waits, waits too: that is so where streams
// get several launches each, stream by stream. With one launch on each stream
// no effect was seen on an H200, and one on older GPUs.

#include "PairView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <optional>
#include <set>

using namespace coreside;

std::vector<Finding> coreside::findHardwareQueues(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const Trace &trace = analysis.program.traces[t];
    // Rather a pair of which one stands behind another launch.
    std::optional<unsigned> shares, behind;
    for (unsigned p = 0; p != analysis.traces[t].pairs.size(); ++p) {
      const PairView view(analysis, t, p);
      if (!view.mayOverlap() || !view.couldShare())
        continue;
      if (view.pair.sharesQueue && !shares)
        shares = p;
      if (view.pair.queuedBehind >= 0 && !behind)
        behind = p;
    }
    if (!shares && !behind)
      continue;
    const PairView view(analysis, t, behind ? *behind : *shares);
    std::set<int> streams;
    for (const Step &step : trace.steps)
      if (step.kind == Step::Kind::Launch && step.stream >= 0 &&
          trace.streams[step.stream].number >= 0)
        streams.insert(step.stream);
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    finding.message = fmt::format(
        "{} that get kernels share {} hardware queue{}",
        counted(streams.size(), "stream"), analysis.ordering.connections,
        analysis.ordering.connections == 1 ? "" : "s");
    if (behind) {
      const Step &blocker = trace.steps[view.pair.queuedBehind];
      finding.facts.launches.insert(finding.facts.launches.begin() + 1,
                                    factOf(analysis.program, trace, blocker));
      finding.notes.push_back(
          {blocker.place,
           fmt::format("'{}', launched here {}, waits for '{}', and '{}' {} "
                       "stands behind it in a queue",
                       blocker.kernel < 0
                           ? "a kernel"
                           : analysis.program.kernels[blocker.kernel].name,
                       whereOf(trace, blocker), view.firstName, view.secondName,
                       whereOf(trace, view.second))});
      finding.notes.push_back(
          {view.secondPlace,
           "issue the launches of all streams in turn, one for each, or raise "
           "CUDA_DEVICE_MAX_CONNECTIONS, to 32 at most"});
    } else {
      finding.notes.push_back(
          {view.firstPlace,
           fmt::format("'{}' {} comes through the queue of '{}' {}",
                       view.secondName, whereOf(trace, view.second),
                       view.firstName, whereOf(trace, view.first))});
      finding.notes.push_back(
          {view.secondPlace,
           "with one launch on each stream no kernel waited for that on an "
           "H200, older GPUs ran 8 at a time; CUDA_DEVICE_MAX_CONNECTIONS "
           "raises the number, to 32 at most"});
    }
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      addFact(finding, view, g);
      finding.gpus.push_back(analysis.gpus[g].name);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}
