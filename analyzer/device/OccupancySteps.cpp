// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes next: how much less gives one more block per SM, and how much
// more costs nothing.
//
// In:   {256 threads, 64 registers} on 9.0.
// Out:  48 registers for a fifth block, none to spare.
//
// Occupancy is asked again and again with one number changed. There are at most
// 255 registers, 1,024 threads and 1,824 units of shared memory to try, so no
// formula is turned around, and none has to be kept in step.

#include "OccupancySteps.h"

#include <algorithm>

namespace coreside {

namespace {

/// Tries the values of one number. `blocksAt(value)` are the blocks per SM
/// there; values that matter are `smallest` and those reached from it in steps
/// of `unit`, up to `largest`.
template <typename BlocksAt>
OccupancyStep step(uint64_t now, uint64_t smallest, uint64_t largest,
                   uint64_t unit, BlocksAt blocksAt) {
  OccupancyStep result;
  result.now = now;
  result.freeUpTo = now;
  const unsigned blocks = blocksAt(now);
  const auto grid = [&](uint64_t value) {
    return smallest + (value - smallest) / unit * unit;
  };
  // Downwards from the highest value of the grid below now.
  if (now > smallest && largest >= smallest)
    for (uint64_t value = grid(std::min(now - 1, largest));; value -= unit) {
      if (const unsigned there = blocksAt(value); there > blocks) {
        result.oneMoreAt = value;
        result.blocksThere = there;
        break;
      }
      if (value == smallest)
        break;
    }
  // Upwards while nothing changes.
  if (blocks != 0 && now >= smallest)
    for (uint64_t value = grid(now) + unit; value <= largest; value += unit) {
      if (blocksAt(value) != blocks)
        break;
      result.freeUpTo = value;
    }
  return result;
}

} // namespace

OccupancySteps occupancySteps(const Architecture &architecture,
                              const Footprint &footprint) {
  OccupancySteps result;
  result.blocksPerSM = occupancy(architecture, footprint).blocksPerSM;

  Footprint changed = footprint;
  result.registers =
      step(footprint.registersPerThread, 1, architecture.registersPerThread, 1,
           [&](uint64_t registers) {
             changed.registersPerThread = static_cast<unsigned>(registers);
             return occupancy(architecture, changed).blocksPerSM;
           });

  changed = footprint;
  result.threads = step(footprint.threadsPerBlock, 1,
                        architecture.threadsPerBlock, 1, [&](uint64_t threads) {
                          changed.threadsPerBlock =
                              static_cast<unsigned>(threads);
                          return occupancy(architecture, changed).blocksPerSM;
                        });

  // The reserve and the bytes are rounded up together, so the values that
  // matter end where a unit is full.
  changed = footprint;
  changed.staticShared = 0;
  const uint64_t bytes =
      uint64_t(footprint.staticShared) + footprint.dynamicShared;
  const uint64_t firstFull = (architecture.sharedAllocationUnit -
                              architecture.sharedReservedPerBlock %
                                  architecture.sharedAllocationUnit) %
                             architecture.sharedAllocationUnit;
  result.shared = step(bytes, firstFull, architecture.sharedPerBlockOptIn,
                       architecture.sharedAllocationUnit, [&](uint64_t value) {
                         changed.dynamicShared =
                             value > ~0u ? ~0u : static_cast<unsigned>(value);
                         return occupancy(architecture, changed).blocksPerSM;
                       });
  return result;
}

} // namespace coreside
