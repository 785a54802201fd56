// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes next: how much less gives one more block per SM, and how much
// more costs nothing.
//
// In:   h200, {256 threads, 64 registers, 8,192 bytes}: 4 blocks by registers.
// Out:  registers: 48 give 5 blocks, 64 is the most for 4; shared memory: no
//       size gives a fifth block, up to 57,344 bytes leave 4 ...

#ifndef CORESIDE_DEVICE_OCCUPANCYSTEPS_H
#define CORESIDE_DEVICE_OCCUPANCYSTEPS_H

#include "Occupancy.h"

#include <optional>

namespace coreside {

/// One number of a footprint, all others left as they are.
struct OccupancyStep {
  uint64_t now = 0;
  /// The largest smaller value with at least one block more; nothing when no
  /// smaller value has one.
  std::optional<uint64_t> oneMoreAt;
  /// The blocks per SM there.
  unsigned blocksThere = 0;
  /// The largest value up to which the blocks per SM stay as they are; `now`
  /// or more. Equal to `now` also where the block cannot run at all.
  uint64_t freeUpTo = 0;
};

struct OccupancySteps {
  unsigned blocksPerSM = 0;
  /// Per thread.
  OccupancyStep registers;
  /// Static and dynamic together; bytes.
  OccupancyStep shared;
  OccupancyStep threads;
};

/// The steps around `footprint` on `architecture`.
OccupancySteps occupancySteps(const Architecture &architecture,
                              const Footprint &footprint);

} // namespace coreside

#endif
