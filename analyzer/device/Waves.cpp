// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a grid fills the device, and what is left over.
//
// In:   a100 (108 SMs); 216 blocks, 2 per SM.
// Out:  1 wave, no tail.

#include "Waves.h"

namespace coreside {

uint64_t cooperativeLimit(const GPU &gpu, const Footprint &footprint) {
  return uint64_t(occupancy(gpu.architecture, footprint).blocksPerSM) * gpu.SMs;
}

Waves waves(const GPU &gpu, const Grid &grid) {
  Waves result;
  const Footprint &footprint = grid.footprint;
  result.blocksPerWave =
      footprint.clusterSize > 1
          ? clusterOccupancy(gpu, footprint).clusters * footprint.clusterSize
          : cooperativeLimit(gpu, footprint);
  if (result.blocksPerWave == 0 || grid.blocks == 0)
    return result;
  result.fullWaves = grid.blocks / result.blocksPerWave;
  result.tailBlocks = grid.blocks % result.blocksPerWave;
  result.waves = result.fullWaves + (result.tailBlocks != 0 ? 1 : 0);
  result.efficiency = double(grid.blocks) /
                      (double(result.waves) * double(result.blocksPerWave));
  return result;
}

} // namespace coreside
