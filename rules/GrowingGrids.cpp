// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GrowingGrids.h"

#include "GridFormula.h"
#include "PairView.h"
#include "Words.h"
#include "device/PairThresholds.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// How the first's grid grows, and from which value on it has `blocks` on each
/// GPU.
std::string growth(const PairView &view, const Finding &finding) {
  const std::string &formula = finding.facts.formula;
  if (formula.empty())
    return fmt::format("how many '{}' has is not known", view.firstName);
  std::vector<std::string> starts;
  for (const GPUFact &fact : finding.facts.onGPU)
    if (fact.fromBlocks)
      if (std::optional<FormulaStart> start =
              firstValueThatReaches(formula, *fact.fromBlocks))
        starts.push_back(fmt::format("{} = {} on {}", start->name,
                                     grouped(start->value), fact.gpu));
  return fmt::format("'{}' has {} blocks{}", view.firstName, formula,
                     starts.empty() ? std::string()
                                    : ", so that is from " + listed(starts));
}

} // namespace

std::vector<Finding> coreside::growingGrids(const Analysis &analysis) {
  std::vector<Finding> findings;
  forEachPair(analysis, [&](const PairView &view) {
    if (!view.mayOverlap())
      return;
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    std::vector<std::string> limits;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      const LaunchFacts &blocker = view.firstOn(g);
      if (view.judged.onGPU[g].state != PairOnGPU::State::Depends ||
          blocker.gridKnown || !blocker.footprintKnown ||
          !view.secondOn(g).footprintKnown)
        continue;
      const GPU &gpu = analysis.gpus[g];
      const uint64_t blocks = firstBlocksFromWhichWorse(
          gpu, blocker.most, view.secondOn(g).most, Sharing::Partly);
      finding.gpus.push_back(gpu.name);
      addFact(finding, view, g).fromBlocks = blocks;
      finding.facts.formula = blocker.gridFormula;
      limits.push_back(
          fmt::format("{} on {}", counted(blocks, "block"), gpu.name));
    }
    if (limits.empty())
      return;
    finding.message =
        fmt::format("'{}' has to wait for '{}' once that has {}",
                    view.secondName, view.firstName, listed(limits));
    finding.notes.push_back({view.firstPlace, growth(view, finding)});
    addPaths(finding, view);
    findings.push_back(std::move(finding));
  });
  return findings;
}
