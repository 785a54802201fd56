// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of a pair on one GPU, in words.
//
// In:   blur and edge on h100, the verdict of the two.
// Out:  "4 blocks of 'blur' hold 65,536 of 65,536 registers of an SM; ...",
//       "0 of 528 blocks of 'edge' fit beside 'blur'"

#ifndef CORESIDE_RULES_PAIRARITHMETIC_H
#define CORESIDE_RULES_PAIRARITHMETIC_H

#include "device/PairVerdict.h"
#include "device/SmallestChange.h"

#include <span>
#include <string>
#include <vector>

namespace coreside {

/// One pair on one GPU and the names in it.
struct PairOnOneGPU {
  const GPU &gpu;
  const PairVerdict &verdict;
  const Grid &first;
  const Grid &second;
  std::string firstName;
  std::string secondName;
  bool secondGridKnown = true;
};

/// What of the limiting resource the first holds, what a block of the second
/// needs, and what there is.
std::string arithmetic(const PairOnOneGPU &view);

/// How many blocks of the second start beside the first. Of how many is said
/// only where the code says it.
std::string fit(const PairOnOneGPU &view);

/// "fits" for 1 block, else "fit".
const char *fitWord(uint64_t blocks);

/// "8 waves on the 132 SMs of h100".
std::string waves(const PairOnOneGPU &view);

/// "'blur' has at most 396 blocks, not 528".
std::string describe(const Change &change, const PairOnOneGPU &view);

/// The first three of `changes`, each with what then fits.
std::vector<std::string> changesInWords(const PairOnOneGPU &view,
                                        std::span<const Change> changes);

} // namespace coreside

#endif
