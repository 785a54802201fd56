// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes that rules about pairs offer, as edits of the source.
//
// In:   a pair, and "the first must do with 48 registers".
// Out:  "give 'blur' __launch_bounds__(256, 5)": text put in at 9:17.
//
// None where the text to change was not written by hand at one place, or where
// it cannot be seen that the program stays the same.

#ifndef CORESIDE_RULES_PAIRFIXES_H
#define CORESIDE_RULES_PAIRFIXES_H

#include "PairView.h"

#include <optional>

namespace coreside {

/// Appends `fix` where there is one.
void addFix(Finding &finding, std::optional<Fix> fix);

/// The streams of both are created with cudaStreamNonBlocking: where the trace
/// puts nothing but what the host waits for, and kernels that share no memory
/// with others, on the legacy default stream.
std::optional<Fix> makeNonBlocking(const PairView &view);

/// The second launch in front of the first, where they stand next to each other
/// and the host does nothing in between.
std::optional<Fix> launchSecondFirst(const PairView &view);

/// A host call after the second launch, where nothing in between speaks of what
/// it is given.
std::optional<Fix> moveAfterSecond(const PairView &view, const Step &call);

/// The carveout preferences that were set for the two kernels, all made
/// `percent`.
std::optional<Fix> setCarveouts(const PairView &view, unsigned percent);

} // namespace coreside

#endif
