// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// first-use-loading: the second of two launches may be the first of its kernel,
// whose code is then loaded, and that waits for whatever runs.
//
//   note: the first launch of 'poke' may wait for 'waiter': its code is loaded
//   only then
//
// Once in a process, and not with CUDA_MODULE_LOADING=EAGER: so it is a note.
// Quiet where the kernel was launched or asked about before.

#include "PairView.h"
#include "Rules.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;

std::vector<Finding> coreside::findFirstUseLoading(const Analysis &analysis) {
  std::vector<Finding> findings;
  std::set<std::pair<const Trace *, unsigned>> known;
  forEachPair(analysis, [&](const PairView &view) {
    if (!view.mayOverlap() || !view.pair.firstUse || !view.couldShare() ||
        !known.emplace(&view.trace, view.pair.second).second)
      return;
    Finding finding = findingAt(view);
    finding.level = Level::Note;
    finding.message =
        fmt::format("the first launch of '{}' may wait for '{}': its code is "
                    "loaded only then",
                    view.secondName, view.firstName);
    finding.notes = {
        firstLaunchNote(view),
        {view.secondPlace,
         fmt::format("load it before, with cudaFuncGetAttributes or a launch, "
                     "or run with CUDA_MODULE_LOADING=EAGER")}};
    addPaths(finding, view);
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      addFact(finding, view, g);
      finding.gpus.push_back(analysis.gpus[g].name);
    }
    findings.push_back(std::move(finding));
  });
  return findings;
}
