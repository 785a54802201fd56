// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does one more block fit on an SM beside what is there?
//
// In:   an SM of an h200 with 1 block of 1,024 threads x 32 registers, and a
//       kernel of 32 blocks per SM of one warp each.
// Out:  refused, SharedConfiguration: the SM was set to 8 KiB, 32 are needed.
//
// A block's warps are dealt round-robin over the sub-partitions. Where dealing
// begins is not chosen for the block: it goes on from the last one. So totals
// are not enough. And an SM has one L1/shared split, which changes only while
// the SM is empty. Both rules were measured on an H200: docs/model.md.

#ifndef CORESIDE_DEVICE_ADMISSION_H
#define CORESIDE_DEVICE_ADMISSION_H

#include "Occupancy.h"

#include <array>

namespace coreside {

/// A kernel with everything that admission asks of it worked out once.
struct PreparedKernel {
  Footprint footprint;
  BlockCost cost;
  /// Alone on an SM; 0 blocks per SM when it cannot run.
  Occupancy alone;
  /// Blocks that an SM takes of it when there is nothing else: as `alone`
  /// says, or more where a preference makes the occupancy call reckon with less
  /// shared memory than the SM is set to.
  unsigned blocksHeld = 0;
  /// Bytes: the least configuration of a busy SM that the kernel joins.
  unsigned need = 0;
  /// Bytes: what an empty SM is set to when the kernel's first block arrives.
  unsigned target = 0;
  /// Bytes: the largest configuration of a busy SM that the kernel joins, all
  /// ones when it has no carveout preference.
  unsigned ceiling = ~0u;
};

/// Works out cost, occupancy, need, target and ceiling.
PreparedKernel prepareKernel(const Architecture &architecture,
                             const Footprint &footprint);

/// What is taken on one SM.
class SMState {
public:
  explicit SMState(const Architecture &architecture);

  /// Why the SM refuses one more block of `kernel`; None when it takes it.
  Limiter refusal(const PreparedKernel &kernel) const;

  bool canAdmit(const PreparedKernel &kernel) const {
    return refusal(kernel) == Limiter::None;
  }

  /// Places one block, which must be admissible. Returns the sub-partition
  /// that its first warp went to, which `release` wants back.
  unsigned admit(const PreparedKernel &kernel);

  /// Takes one block of `kernel` away that `admit` put at `firstPartition`.
  void release(const PreparedKernel &kernel, unsigned firstPartition);

  /// How many more blocks of `kernel` the SM would take, one after the other.
  unsigned room(const PreparedKernel &kernel) const;

  bool empty() const { return blocks == 0; }
  unsigned residentBlocks() const { return blocks; }
  unsigned residentWarps() const { return totalWarps; }
  unsigned residentRegisters() const { return totalRegisters; }
  unsigned residentShared() const { return shared; }
  unsigned residentBarriers() const { return barriers; }
  /// Bytes that shared memory is set to; 0 until the first block came.
  unsigned sharedConfiguration() const { return configuration; }

private:
  static constexpr unsigned maxPartitions = 4;

  /// Whether every sub-partition holds its share of one more block.
  bool partitionsHold(const PreparedKernel &kernel) const;
  void deal(const PreparedKernel &kernel, unsigned firstPartition, int sign);

  const Architecture *architecture;
  std::array<uint16_t, maxPartitions> warps = {};
  std::array<uint32_t, maxPartitions> registers = {};
  unsigned blocks = 0;
  unsigned totalWarps = 0;
  unsigned totalRegisters = 0;
  unsigned shared = 0;
  unsigned barriers = 0;
  unsigned configuration = 0;
  /// Where the first warp of the next block goes.
  unsigned nextPartition = 0;
};

} // namespace coreside

#endif
