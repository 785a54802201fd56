// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From how many blocks on two kernels stop sharing.
//
// In:   h200, two kernels of 256 threads x 64 registers, Partly.
// Out:  525: with 524 blocks of the first some SM still takes a block of the
//       second, from 525 on none does.

#ifndef CORESIDE_DEVICE_PAIRTHRESHOLDS_H
#define CORESIDE_DEVICE_PAIRTHRESHOLDS_H

#include "PairVerdict.h"

#include <optional>

namespace coreside {

/// The number of blocks of the first from which on the verdict is worse than
/// `sharing` (Full or Partly), with all else of both grids as it is: 1 when one
/// block is too many. Always exists, since more than a wave of the first keeps
/// the second out.
uint64_t firstBlocksFromWhichWorse(const GPU &gpu, const Grid &first,
                                   const Grid &second, Sharing sharing);

/// The number of blocks of the second from which on the verdict is worse than
/// Full; 1 when it is without sharing whatever the number is.
uint64_t secondBlocksFromWhichPartly(const GPU &gpu, const Grid &first,
                                     const Grid &second);

} // namespace coreside

#endif
