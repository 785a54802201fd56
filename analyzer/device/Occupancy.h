// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks of one kernel an SM can hold, and what stops one more.
//
// In:   h200, {256 threads, 64 registers, 0 bytes}.
// Out:  4 blocks per SM, limited by registers.

#ifndef CORESIDE_DEVICE_OCCUPANCY_H
#define CORESIDE_DEVICE_OCCUPANCY_H

#include "Footprint.h"
#include "GPU.h"

#include <cstdint>

namespace coreside {

/// The resource that refuses a block.
enum class Limiter {
  None,
  /// Warp slots, which is to say threads.
  Warps,
  Registers,
  /// The SM's registers would do, those of a sub-partition do not.
  SubPartition,
  SharedMemory,
  /// Bytes would do; the L1/shared split the SM is set to does not.
  SharedConfiguration,
  BlockSlots,
  Barriers,
  Clusters,
  ResidentGrids,
  /// There is room, but blocks of a launch issued earlier still wait for some
  /// and go first.
  DispatchOrder,
};

/// The word of the field for `limiter`: "registers", "block slots".
const char *limiterName(Limiter limiter);

/// What one block takes after the hardware's rounding.
struct BlockCost {
  unsigned warps = 0;
  /// Registers of one warp, rounded to the allocation unit.
  unsigned registersPerWarp = 0;
  unsigned registers = 0;
  /// Static, dynamic and the system's reserve, rounded; bytes.
  unsigned shared = 0;
  unsigned barriers = 0;
};

/// The rounded cost of one block of `footprint` on `architecture`.
BlockCost blockCost(const Architecture &architecture,
                    const Footprint &footprint);

/// The smallest shared-memory configuration of at least `bytes`; all of the
/// SM's shared memory where there is none or no split.
unsigned sharedConfigurationFor(const Architecture &architecture,
                                uint64_t bytes);

/// Bytes of shared memory that the occupancy of a kernel is worked out with: a
/// preference of `carveoutPercent` (0 to 100, -1 for none) rounded up to a
/// configuration, unless one block of `bytesPerBlock` needs more.
unsigned preferredShared(const Architecture &architecture, int carveoutPercent,
                         uint64_t bytesPerBlock);

/// Blocks of one kernel on one SM, in all and by each resource alone. A
/// resource that the kernel does not use allows `Occupancy::unlimited`.
struct Occupancy {
  static constexpr unsigned unlimited = ~0u;
  unsigned blocksPerSM = 0;
  /// The resource that allows fewest; in a tie the first of warps, registers,
  /// shared memory, block slots, barriers.
  Limiter limiter = Limiter::None;
  unsigned byWarps = 0;
  unsigned byRegisters = 0;
  unsigned byShared = 0;
  unsigned byBlockSlots = 0;
  unsigned byBarriers = unlimited;
};

/// Answers like cudaOccupancyMaxActiveBlocksPerMultiprocessor, 0 blocks where
/// the block cannot run at all.
Occupancy occupancy(const Architecture &architecture,
                    const Footprint &footprint);

} // namespace coreside

#endif
