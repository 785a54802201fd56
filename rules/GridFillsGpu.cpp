// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grid-fills-gpu: the first of two launches runs in one wave that leaves no
// room, and a few blocks fewer would leave some.
//
//   note: 'fused' leaves no room on rtx5090: with 169 blocks, not 170, 'probe'
//   would run beside it
//
// That is how persistent kernels are launched: as many blocks as the GPU holds.

#include "Intent.h"
#include "NotesByText.h"
#include "PairArithmetic.h"
#include "Rules.h"
#include "WaitingPairs.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// A cap that takes more than this share of the blocks is another program.
constexpr double mostOfTheGrid = 0.25;

std::optional<Change> smallCap(const GPU &gpu, const PairOnGPU &pair) {
  for (Change &change : smallestChanges(gpu, pair.first, pair.second))
    if (change.kind == ChangeKind::GridCap &&
        double(change.from - change.to) <= mostOfTheGrid * double(change.from))
      return std::move(change);
  return std::nullopt;
}

} // namespace

std::vector<Finding> coreside::findGridFillsGpu(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting : waitingPairs(analysis)) {
    const PairView view(analysis, waiting.trace, waiting.pair);
    if (intentOf(view) != Intent::Together || !view.firstOn(0).gridKnown)
      continue;
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    std::vector<std::string> caps;
    uint64_t blocks = 0;
    NotesByText then;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      const PairOnGPU &onGPU = view.judged.onGPU[g];
      GPUFact &fact = addFact(finding, view, g);
      if (fact.outcome != Outcome::Waits || onGPU.verdict.firstWaves != 1)
        continue;
      const GPU &gpu = analysis.gpus[g];
      std::optional<Change> cap = smallCap(gpu, onGPU);
      if (!cap)
        continue;
      blocks = cap->from;
      finding.gpus.push_back(gpu.name);
      fact.limiter = limiterName(onGPU.verdict.limiter);
      fact.changes.push_back(fmt::format("'{}' has at most {}", view.firstName,
                                         counted(cap->to, "block")));
      caps.push_back(
          fmt::format("{} on {}", counted(cap->to, "block"), gpu.name));
      then.add(fmt::format("{} of '{}' then {}",
                           counted(cap->result.secondBlocksAtOnce, "block"),
                           view.secondName,
                           fitWord(cap->result.secondBlocksAtOnce)),
               gpu.name);
    }
    if (caps.empty())
      continue;
    finding.place = view.firstPlace;
    finding.message =
        fmt::format("the {} of '{}' leave no room: with {} '{}' would run "
                    "beside it",
                    counted(blocks, "block"), view.firstName, listed(caps),
                    view.secondName);
    finding.notes.push_back(
        {view.secondPlace,
         fmt::format("'{}' is launched here {}", view.secondName,
                     whereOf(view.trace, view.second))});
    then.addTo(finding, view.secondPlace);
    addPaths(finding, view);
    findings.push_back(std::move(finding));
  }
  return findings;
}
