// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of which an error says that they fail or hang on a GPU: with what
// they could share that GPU is beside the point, so rules about pairs keep
// quiet there.
//
// In:   an analysis; "'scan' hangs on a100" as a finding.
// Out:  the pairs of 'scan' that are to be taken out, on a100 alone.

#ifndef CORESIDE_RULES_LOSTLAUNCHES_H
#define CORESIDE_RULES_LOSTLAUNCHES_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <span>
#include <vector>

namespace coreside {

/// A pair on one GPU, by its numbers in the analysis.
struct LostPair {
  unsigned trace = 0;
  /// Index into TraceFacts::pairs.
  unsigned pair = 0;
  unsigned gpu = 0;
};

/// The pairs with a launch that one of `findings` calls lost: an error with the
/// outcome Fails or Hangs.
std::vector<LostPair> lostPairs(const Analysis &analysis,
                                std::span<const Finding> findings);

/// Makes them pairs that cannot be launched.
void takeOut(Analysis &analysis, std::span<const LostPair> pairs);

} // namespace coreside

#endif
