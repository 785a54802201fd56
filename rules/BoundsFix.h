// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch bounds that a fix writes: they must hold for every launch of the
// kernel, and of all kernels made from the same template.
//
// In:   'solve', launched with 256 and with 416 threads.
// Out:  "__launch_bounds__(416) " before its name.

#ifndef CORESIDE_RULES_BOUNDSFIX_H
#define CORESIDE_RULES_BOUNDSFIX_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <optional>

namespace coreside {

/// Threads of the largest block that the program launches kernel number
/// `kernel` with, or one made from the same text; nothing where a block is not
/// known, is larger than any can be, or which kernel is launched is not.
std::optional<uint64_t> largestBlock(const Analysis &analysis, int kernel);

/// Bounds for a kernel that has none, in the checked file itself, where it is
/// not linked to functions of other files; with
/// `minBlocks` blocks per SM where that is not 0.
std::optional<Fix> addedBound(const Analysis &analysis, int kernel,
                              uint64_t minBlocks = 0);

/// What makes ptxas do with at most `registers` a thread on every target GPU:
/// blocks per SM in the kernel's launch bounds, such bounds for one whose
/// launches are all known, else __maxnreg__, which refuses no launch, where the
/// toolkit has it (CUDA 12.4).
std::optional<Fix> boundRegisters(const Analysis &analysis, int kernel,
                                  unsigned registers);

/// A larger number in place of the first of a kernel's bounds, where a number
/// is written there.
std::optional<Fix> raisedBound(const Analysis &analysis, int kernel);

/// The edit that writes `text` in place of `span`.
SourceEdit editOf(const SourceSpan &span, std::string text);

/// Whether `text` is a decimal number and nothing else.
bool isNumber(const std::string &text);

} // namespace coreside

#endif
