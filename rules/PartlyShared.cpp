// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partly-shared: two launches that may overlap, and only some blocks of the
// second find room beside the first, though alone all would run at once.
//
//   note: only 41 of 49 blocks of 'edge' fit beside 'blur' on h100: limited by
//   registers
//
// Quiet about a second launch that takes more than a wave by itself: that
// blocks of it wait is nothing that the first does to it.

#include "Intent.h"
#include "NotesByText.h"
#include "PairArithmetic.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

bool isPartly(const PairView &view, unsigned gpu) {
  const PairOnGPU &pair = view.judged.onGPU[gpu];
  return pair.state == PairOnGPU::State::Judged &&
         pair.verdict.sharing == Sharing::Partly &&
         view.secondOn(gpu).gridKnown &&
         pair.second.blocks <= uint64_t(view.secondOn(gpu).alone.blocksPerSM) *
                                   view.analysis.gpus[gpu].SMs;
}

/// The verdict as an SM with most blocks of the first has it: what counts is
/// not what idle SMs hold.
PairVerdict onFullSM(const GPU &gpu, const PairOnGPU &pair) {
  PairVerdict verdict = pair.verdict;
  const BlockCost cost = blockCost(gpu.architecture, pair.first.footprint);
  const unsigned blocks = verdict.firstBlocksPerSM;
  verdict.held = {blocks, blocks * cost.warps, blocks * cost.registers,
                  blocks * cost.shared, blocks * cost.barriers};
  return verdict;
}

} // namespace

std::vector<Finding> coreside::findPartlyShared(const Analysis &analysis) {
  std::vector<Finding> findings;
  forEachPair(analysis, [&](const PairView &view) {
    if (!view.mayOverlap() || intentOf(view) != Intent::Together)
      return;
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    finding.notes.push_back(firstLaunchNote(view));
    std::vector<std::string> counts, limiters;
    NotesByText held;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      const PairOnGPU &onGPU = view.judged.onGPU[g];
      GPUFact &fact = addFact(finding, view, g);
      if (!isPartly(view, g))
        continue;
      const GPU &gpu = analysis.gpus[g];
      const PairVerdict full = onFullSM(gpu, onGPU);
      PairOnOneGPU one{gpu,          full,           onGPU.first,
                       onGPU.second, view.firstName, view.secondName};
      fact.limiter = limiterName(onGPU.verdict.limiter);
      finding.gpus.push_back(gpu.name);
      counts.push_back(fmt::format(
          "{} of {} on {}", grouped(onGPU.verdict.secondBlocksAtOnce),
          counted(onGPU.verdict.secondBlocks, "block"), gpu.name));
      if (std::ranges::find(limiters, fact.limiter) == limiters.end())
        limiters.push_back(fact.limiter);
      held.add(arithmetic(one), gpu.name);
    }
    if (counts.empty())
      return;
    held.addTo(finding, view.secondPlace);
    addPaths(finding, view);
    finding.message = fmt::format(
        "'{}' runs beside '{}' only in part, {}: limited by {}",
        view.secondName, view.firstName, listed(counts), listed(limiters));
    findings.push_back(std::move(finding));
  });
  return findings;
}
