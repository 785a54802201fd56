// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GrowingGrids.h"

#include "Words.h"
#include "device/PairThresholds.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<Finding> coreside::growingGrids(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    for (const PairFacts &judged : facts.pairs) {
      const LaunchPair &pair = facts.timeline.pairs[judged.pair];
      const Step &first = trace.steps[pair.first];
      const Step &second = trace.steps[pair.second];
      if (pair.relation != LaunchPair::Relation::MayOverlap ||
          first.place == second.place)
        continue;
      Finding finding;
      std::vector<std::string> limits;
      for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
        const LaunchFacts &blocker = facts.launch(g, pair.first);
        if (judged.onGPU[g].state != PairOnGPU::State::Depends ||
            blocker.gridKnown || !blocker.footprintKnown ||
            !facts.launch(g, pair.second).footprintKnown)
          continue;
        const GPU &gpu = analysis.gpus[g];
        uint64_t blocks = firstBlocksFromWhichWorse(
            gpu, blocker.most, facts.launch(g, pair.second).most,
            Sharing::Partly);
        finding.gpus.push_back(gpu.name);
        GPUFact &fact = finding.facts.onGPU.emplace_back();
        fact.gpu = gpu.name;
        fact.architecture = smName(gpu.architecture.capability);
        fact.fromBlocks = blocks;
        finding.facts.formula = blocker.gridFormula;
        limits.push_back(
            fmt::format("{} on {}", counted(blocks, "block"), gpu.name));
      }
      if (limits.empty())
        continue;
      const std::string &firstName =
          analysis.program.kernels[first.kernel].name;
      finding.facts.function = trace.function;
      finding.facts.launches = {factOf(analysis.program, trace, first),
                                factOf(analysis.program, trace, second)};
      finding.level = Level::Note;
      finding.place = second.place;
      finding.message =
          fmt::format("'{}' has to wait for '{}' once that has {}",
                      analysis.program.kernels[second.kernel].name, firstName,
                      listed(limits));
      finding.notes.push_back(
          {first.place,
           finding.facts.formula.empty()
               ? fmt::format("how many '{}' has is not known", firstName)
               : fmt::format("'{}' has {} blocks", firstName,
                             finding.facts.formula)});
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}
