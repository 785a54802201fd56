// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can the second kernel run beside the first?
//
// In:   h200; first: 528 blocks of 256 threads x 64 registers, second: the
//       same.
// Out:  TailOnly or Never, limiter registers, 0 of 528 blocks beside it.
//
// The first was issued first and its blocks are placed when the second becomes
// ready. Blocks of one kernel all take equally long; a verdict that would turn
// with other durations says so.

#ifndef CORESIDE_DEVICE_PAIRVERDICT_H
#define CORESIDE_DEVICE_PAIRVERDICT_H

#include "Occupancy.h"

namespace coreside {

enum class Sharing {
  /// All blocks of the second start while the first wave of the first runs.
  Full,
  /// Some do.
  Partly,
  /// None does; the second starts as the last wave of the first drains.
  TailOnly,
  /// The second starts when the first is done, or as good as.
  Never,
};

/// "full", "partly", "tail only", "never".
const char *sharingName(Sharing sharing);

/// What is taken on one SM.
struct SMUse {
  unsigned blocks = 0;
  unsigned warps = 0;
  unsigned registers = 0;
  unsigned shared = 0;
  unsigned barriers = 0;
};

struct PairVerdict {
  Sharing sharing = Sharing::Full;
  /// What keeps the next block of the second out; None when all fit.
  Limiter limiter = Limiter::None;
  /// Blocks of the second that start while the first wave of the first runs.
  uint64_t secondBlocksAtOnce = 0;
  uint64_t secondBlocks = 0;
  /// SMs that hold blocks of both at once during that time.
  unsigned SMsShared = 0;
  /// An SM with a block of the first has room for one of the second, but its
  /// shared-memory configuration keeps that out: whatever runs at once is on
  /// different SMs.
  bool apartByConfiguration = false;
  /// Most blocks of the first on one SM, and how many waves it takes.
  unsigned firstBlocksPerSM = 0;
  uint64_t firstWaves = 0;
  /// Share of the first's run after which the second's first block starts,
  /// 0 (at once) to 1 (when it is done), blocks of equal length.
  double secondStart = 0;
  /// On the SM with most room: what the first holds, what one block of the
  /// second needs.
  SMUse held;
  SMUse needed;
  /// KiB that the SM's shared-memory configuration is set to by the first, and
  /// that the second asks for.
  unsigned configurationKiB = 0;
  unsigned neededConfigurationKiB = 0;
  /// KiB of the largest configuration that the second joins because of its
  /// carveout preference; 0 when it has none.
  unsigned largestConfigurationKiB = 0;
  /// True when blocks of unequal length would give another `sharing`.
  bool dependsOnDurations = false;
};

/// The verdict when `first` is issued before `second` on another stream. Both
/// must be launchable alone (occupancy at least one block).
PairVerdict judgePair(const GPU &gpu, const Grid &first, const Grid &second);

} // namespace coreside

#endif
