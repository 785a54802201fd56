// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas makes of __launch_bounds__, __maxnreg__ and -maxrregcount.
//
// In:   9.0, __launch_bounds__(256, 5).
// Out:  5 blocks are heeded; at most 48 registers a thread.

#ifndef CORESIDE_DEVICE_LAUNCHBOUNDS_H
#define CORESIDE_DEVICE_LAUNCHBOUNDS_H

#include "Occupancy.h"

#include <cstdint>

namespace coreside {

/// 0 stands for what is not given.
struct LaunchBounds {
  /// Arguments of __launch_bounds__.
  uint64_t maxThreads = 0;
  uint64_t minBlocks = 0;
  /// __maxnreg__, per thread.
  uint64_t maxRegisters = 0;
  /// -maxrregcount, per thread: not heeded where the kernel has bounds.
  uint64_t commandLineRegisters = 0;
};

/// Why ptxas ignores the blocks per SM that bounds ask for.
enum class MinBlocksFate {
  /// It does not, or none are asked for.
  Heeded,
  /// More than an SM has block slots: "Value of minnctapersm ... is out of
  /// range".
  TooManyBlocks,
  /// Their warps are more than an SM has: "Value of threads per SM ... is out
  /// of range".
  TooManyThreads,
};

/// Read off ptxas 13.0 with 25 bounds on sm_89 and sm_90: warps are whole, so
/// that (65, 23) is out of range where 1,536 threads are not.
MinBlocksFate minBlocksFate(const Architecture &architecture,
                            const LaunchBounds &bounds);

/// The most registers per thread that ptxas gives a kernel with `bounds` which
/// is launched with `threads` a block, if such a block can be launched at all.
unsigned registerLimit(const Architecture &architecture,
                       const LaunchBounds &bounds, uint64_t threads = 1);

} // namespace coreside

#endif
