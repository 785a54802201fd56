// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// launch-order: the second of two launches waits for the first, but the first
// would not wait for the second.
//
//   note: 'probe' would run beside 'fill' on h100 if it were launched before it
//
// Only where the second then has all its blocks at once: a small kernel that is
// issued first takes its places, and the large one what is left.

#include "Intent.h"
#include "NotesByText.h"
#include "PairFixes.h"
#include "Rules.h"
#include "WaitingPairs.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<Finding> coreside::findLaunchOrder(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting : waitingPairs(analysis)) {
    const PairView view(analysis, waiting.trace, waiting.pair);
    if (intentOf(view) != Intent::Together)
      continue;
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    NotesByText then;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      const PairOnGPU &onGPU = view.judged.onGPU[g];
      GPUFact &fact = addFact(finding, view, g);
      if (fact.outcome != Outcome::Waits && fact.outcome != Outcome::TailOnly)
        continue;
      const GPU &gpu = analysis.gpus[g];
      const PairVerdict other = judgePair(gpu, onGPU.second, onGPU.first);
      if (other.secondBlocksAtOnce == 0 || other.firstWaves > 1)
        continue;
      finding.gpus.push_back(gpu.name);
      fact.changes.push_back(
          fmt::format("'{}' is launched first", view.secondName));
      then.add(
          fmt::format("all {} of '{}' then run at once, and {} of '{}' "
                      "beside {}",
                      counted(onGPU.second.blocks, "block"), view.secondName,
                      counted(other.secondBlocksAtOnce, "block"),
                      view.firstName, onGPU.second.blocks == 1 ? "it" : "them"),
          gpu.name);
    }
    if (finding.gpus.empty())
      continue;
    finding.message = fmt::format(
        "'{}' would run beside '{}' on {} if it were launched before it",
        view.secondName, view.firstName, listed(finding.gpus));
    finding.notes.push_back(firstLaunchNote(view));
    then.addTo(finding, view.secondPlace);
    addPaths(finding, view);
    addFix(finding, launchSecondFirst(view));
    findings.push_back(std::move(finding));
  }
  return findings;
}
