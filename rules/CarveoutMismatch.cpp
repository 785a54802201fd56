// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// carveout-mismatch: two launches that fit on one SM by all they take, but an
// SM that one of them has set up for itself, with its split between shared
// memory and L1, does not take the other.
//
//   warning: 'spin' never shares an SM with 'tile' on h100: their shared-memory
//   carveouts differ
//
// A note where neither has a carveout preference and it was not measured how
// the driver then sets up an SM.

#include "Intent.h"
#include "NotesByText.h"
#include "PairArithmetic.h"
#include "PairFixes.h"
#include "Rules.h"
#include "WaitingPairs.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace coreside;

namespace {

bool hasPreference(const PairOnGPU &pair) {
  return pair.first.footprint.carveoutPercent >= 0 ||
         pair.second.footprint.carveoutPercent >= 0;
}

std::string carveoutOf(const Grid &grid) {
  return grid.footprint.carveoutPercent < 0
             ? "has no carveout preference"
             : fmt::format("prefers a carveout of {} per cent",
                           grid.footprint.carveoutPercent);
}

/// The GPUs that are said to set up an SM like one that was measured.
std::vector<std::string> guessed(const Analysis &analysis,
                                 const WaitingPair &waiting,
                                 const Finding &finding) {
  const PairFacts &judged = analysis.traces[waiting.trace].pairs[waiting.pair];
  std::vector<std::string> names;
  for (unsigned g = 0; g != analysis.gpus.size(); ++g)
    for (const std::string &name : finding.gpus)
      if (name == analysis.gpus[g].name &&
          !analysis.gpus[g].architecture.sharedTargetsMeasured &&
          !hasPreference(judged.onGPU[g]))
        names.push_back(name);
  return names;
}

/// The two run at the same time, on different SMs.
bool isApart(const PairOnGPU &pair) {
  return pair.state == PairOnGPU::State::Judged &&
         (pair.verdict.sharing == Sharing::Full ||
          pair.verdict.sharing == Sharing::Partly) &&
         pair.verdict.apartByConfiguration && pair.verdict.SMsShared == 0 &&
         hasPreference(pair);
}

Finding describeApart(const PairView &view) {
  const Analysis &analysis = view.analysis;
  Finding finding = findingAt(view);
  finding.notes.push_back(firstLaunchNote(view));
  NotesByText held, ways;
  std::set<unsigned> carveouts;
  for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
    const PairOnGPU &onGPU = view.judged.onGPU[g];
    const GPU &gpu = analysis.gpus[g];
    GPUFact &fact = addFact(finding, view, g);
    if (!isApart(onGPU))
      continue;
    finding.gpus.push_back(gpu.name);
    fact.limiter = limiterName(Limiter::SharedConfiguration);
    held.add(
        fmt::format(
            "'{}' {} and sets an SM to {} KiB of shared memory; '{}' {} and "
            "joins SMs with {} to {} KiB; {} of {} of '{}' find other SMs",
            view.firstName, carveoutOf(onGPU.first),
            onGPU.verdict.configurationKiB, view.secondName,
            carveoutOf(onGPU.second), onGPU.verdict.neededConfigurationKiB,
            onGPU.verdict.largestConfigurationKiB
                ? onGPU.verdict.largestConfigurationKiB
                : gpu.architecture.sharedPerSM / 1024,
            grouped(onGPU.verdict.secondBlocksAtOnce),
            counted(onGPU.verdict.secondBlocks, "block"), view.secondName),
        gpu.name);
    if (std::optional<unsigned> common =
            commonCarveout(gpu, onGPU.first, onGPU.second)) {
      fact.changes.push_back(fmt::format(
          "both kernels prefer a carveout of {} per cent", *common));
      ways.add("they would share SMs if " + fact.changes.back(), gpu.name);
      carveouts.insert(*common);
    }
  }
  held.addTo(finding, view.secondPlace);
  ways.addTo(finding, view.secondPlace);
  addPaths(finding, view);
  const Intent intent = intentOf(view);
  finding.level = levelFor(intent);
  if (std::string words = intentInWords(intent); !words.empty())
    finding.notes.push_back({view.secondPlace, std::move(words)});
  if (carveouts.size() == 1)
    addFix(finding, setCarveouts(view, *carveouts.begin()));
  finding.message =
      fmt::format("'{}' never shares an SM with '{}' on {}: "
                  "their shared-memory carveouts differ",
                  view.secondName, view.firstName, listed(finding.gpus));
  return finding;
}

} // namespace

std::vector<Finding> coreside::findCarveoutMismatch(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting :
       waitingPairs(analysis, WaitsFor::Configuration)) {
    Finding finding =
        describeWaiting(analysis, waiting, WaitsFor::Configuration);
    std::vector<std::string> names = guessed(analysis, waiting, finding);
    if (!names.empty())
      finding.notes.push_back(
          {finding.place,
           fmt::format("how an SM is set up for kernels without a carveout "
                       "preference was measured on an H200; {} {} taken to be "
                       "alike",
                       listed(names), names.size() == 1 ? "is" : "are")});
    if (names.size() == finding.gpus.size())
      finding.level = Level::Note;
    findings.push_back(std::move(finding));
  }
  forEachPair(analysis, [&](const PairView &view) {
    if (view.mayOverlap() && std::ranges::any_of(view.judged.onGPU, isApart))
      findings.push_back(describeApart(view));
  });
  return findings;
}
