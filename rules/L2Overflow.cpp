// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// l2-overflow: two launches that run side by side, and whose buffers do not fit
// into L2 together.
//
//   note: the buffers of 'grow' and 'shrink' fit into the L2 of h100 alone, 30
//   MiB and 40 MiB of 50 MiB, and not together
//
// Or not even alone: then the two share the bandwidth of memory. Sizes are
// those of the allocations that a launch is given, so they are the most that it
// may touch: a note. Quiet when one of them is not known.

#include "PairView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <optional>
#include <set>

using namespace coreside;

namespace {

/// The buffers on the device that a launch is given; nothing where it is given
/// something else as well.
std::optional<std::set<int>> buffersOf(const Trace &trace, const Step &launch) {
  std::set<int> buffers;
  for (const KernelArgument &argument : launch.arguments) {
    if (argument.allocation < 0)
      return std::nullopt;
    const Allocation &one = trace.allocations[argument.allocation];
    if (one.kind != Allocation::Kind::Device &&
        one.kind != Allocation::Kind::Managed)
      return std::nullopt;
    if (!one.bytes.isKnown() || !one.isOne)
      return std::nullopt;
    buffers.insert(argument.allocation);
  }
  return buffers;
}

uint64_t bytesOf(const Trace &trace, const std::set<int> &buffers) {
  uint64_t bytes = 0;
  for (int buffer : buffers)
    bytes += trace.allocations[buffer].bytes.low;
  return bytes;
}

/// Whether both have blocks on the GPU at once.
bool runTogether(const PairOnGPU &pair) {
  return pair.state == PairOnGPU::State::Judged &&
         (pair.verdict.sharing == Sharing::Full ||
          pair.verdict.sharing == Sharing::Partly);
}

} // namespace

std::vector<Finding> coreside::findL2Overflow(const Analysis &analysis) {
  std::vector<Finding> findings;
  forEachPair(analysis, [&](const PairView &view) {
    if (!view.mayOverlap())
      return;
    const auto first = buffersOf(view.trace, view.first);
    const auto second = buffersOf(view.trace, view.second);
    if (!first || !second || first->empty() || second->empty())
      return;
    std::set<int> both = *first;
    both.insert(second->begin(), second->end());
    const uint64_t one = bytesOf(view.trace, *first);
    const uint64_t two = bytesOf(view.trace, *second);
    const uint64_t together = bytesOf(view.trace, both);
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    std::vector<std::string> tight, over;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      const GPU &gpu = analysis.gpus[g];
      GPUFact &fact = addFact(finding, view, g);
      if (!runTogether(view.judged.onGPU[g]) || gpu.l2Bytes == 0 ||
          together <= gpu.l2Bytes)
        continue;
      const bool fitAlone = one <= gpu.l2Bytes && two <= gpu.l2Bytes;
      if (!fitAlone && (one <= gpu.l2Bytes || two <= gpu.l2Bytes))
        continue;
      finding.gpus.push_back(gpu.name);
      fact.limiter = "L2";
      (fitAlone ? tight : over)
          .push_back(
              fmt::format("{} of {}", bytesInWords(gpu.l2Bytes), gpu.name));
    }
    if (finding.gpus.empty())
      return;
    finding.message =
        !tight.empty()
            ? fmt::format("the buffers of '{}', {}, and of '{}', {}, fit into "
                          "L2 alone and not together: {}",
                          view.firstName, bytesInWords(one), view.secondName,
                          bytesInWords(two), listed(tight))
            : fmt::format("'{}' and '{}' run side by side, and each has more "
                          "in its buffers, {} and {}, than L2 holds, {}: they "
                          "share the bandwidth of memory",
                          view.firstName, view.secondName, bytesInWords(one),
                          bytesInWords(two), listed(over));
    finding.notes.push_back(firstLaunchNote(view));
    for (int buffer : both) {
      const Allocation &allocation = view.trace.allocations[buffer];
      finding.notes.push_back(
          {allocation.place,
           fmt::format("'{}' has {}", allocation.name,
                       bytesInWords(uint64_t(allocation.bytes.low)))});
    }
    addPaths(finding, view);
    findings.push_back(std::move(finding));
  });
  return findings;
}
