// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can several kernels be on the GPU at the same time?
//
// In:   h200; A, B and C, 66 blocks each that need a whole SM.
// Out:  A and B full, C waits: 0 of 66, limiter warps.
//
// They are issued in this order, on streams of their own, while the GPU is
// idle, and no block ends before all have come.

#ifndef CORESIDE_DEVICE_GROUPVERDICT_H
#define CORESIDE_DEVICE_GROUPVERDICT_H

#include "Occupancy.h"

#include <span>
#include <vector>

namespace coreside {

/// One kernel of the group.
struct GroupMember {
  uint64_t blocks = 0;
  /// Blocks that run at the same time as those of the kernels before it.
  uint64_t blocksAtOnce = 0;
  /// What keeps its next block out; DispatchOrder when an earlier kernel still
  /// has blocks that wait, None when all run.
  Limiter limiter = Limiter::None;
};

struct GroupVerdict {
  std::vector<GroupMember> members;
  /// All blocks of all kernels run at once.
  bool allTogether = true;
  /// SMs that hold blocks of every kernel.
  unsigned SMsWithAll = 0;
};

/// The verdict for `grids` in issue order. Each must be launchable alone.
GroupVerdict judgeGroup(const GPU &gpu, std::span<const Grid> grids);

} // namespace coreside

#endif
