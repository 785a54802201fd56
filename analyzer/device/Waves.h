// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a grid fills the device, and what is left over.
//
// In:   h200; 1,000 blocks, 4 per SM.
// Out:  528 blocks a wave, 1 full wave and a tail of 472 blocks (89 %).

#ifndef CORESIDE_DEVICE_WAVES_H
#define CORESIDE_DEVICE_WAVES_H

#include "ClusterOccupancy.h"

namespace coreside {

struct Waves {
  /// Blocks that the device holds at once; 0 when a block cannot run. Also the
  /// most that a cooperative launch may have.
  uint64_t blocksPerWave = 0;
  uint64_t fullWaves = 0;
  /// Blocks of the last wave when it is not full, else 0.
  uint64_t tailBlocks = 0;
  /// Full waves and the tail.
  uint64_t waves = 0;
  /// Part of the block slots that the waves take up which is used, 0 to 1.
  double efficiency = 0;
};

/// The waves of `grid` on `gpu`. Clusters (a size over 1) are counted whole.
Waves waves(const GPU &gpu, const Grid &grid);

/// The most blocks that a cooperative launch of `footprint` may have.
uint64_t cooperativeLimit(const GPU &gpu, const Footprint &footprint);

} // namespace coreside

#endif
