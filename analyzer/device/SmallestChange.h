// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least change to one of two kernels that lets them share.
//
// In:   h200 and two kernels of 256 threads x 64 registers that fill it.
// Out:  second (or first) down to 48 registers; first's grid capped at 396 ...

#ifndef CORESIDE_DEVICE_SMALLESTCHANGE_H
#define CORESIDE_DEVICE_SMALLESTCHANGE_H

#include "PairVerdict.h"

#include <optional>
#include <vector>

namespace coreside {

enum class ChangeKind {
  Registers,
  BlockSize,
  SharedMemory,
  /// Fewer blocks in the first grid, each doing more.
  GridCap,
  /// Issue the second first.
  IssueOrder,
  CarveoutPreference,
};

/// One change and what it gives. `from` and `to` are registers per thread,
/// threads per block (the grid then grows to keep all threads), bytes of
/// dynamic and static shared memory together, blocks, or per cent.
struct Change {
  ChangeKind kind;
  /// Whether the first or the second kernel is changed.
  bool ofFirst = false;
  uint64_t from = 0;
  uint64_t to = 0;
  /// The verdict of the changed pair, by judgePair.
  PairVerdict result;
};

/// Changes with which the second starts beside the first, with a block on every
/// SM or with all it has; with fewer only where nothing gives that. Each is
/// judged anew; the least relative to what is there comes first, at most one of
/// each kind and kernel. Empty when the pair shares already or nothing helps.
std::vector<Change> smallestChanges(const GPU &gpu, const Grid &first,
                                    const Grid &second);

/// A carveout preference in per cent that lets an SM take blocks of both when
/// both kernels have it: the first's, the second's or the least that does.
/// Nothing where none does.
std::optional<unsigned> commonCarveout(const GPU &gpu, const Grid &first,
                                       const Grid &second);

} // namespace coreside

#endif
