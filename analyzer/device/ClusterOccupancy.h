// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many clusters of one kernel the device can hold.
//
// In:   h200; clusters of 16 blocks, one block per SM.
// Out:  7 clusters: 112 of 132 SMs, since a cluster stays inside one group of
//       SMs and the groups are 18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2.

#ifndef CORESIDE_DEVICE_CLUSTEROCCUPANCY_H
#define CORESIDE_DEVICE_CLUSTEROCCUPANCY_H

#include "Occupancy.h"

namespace coreside {

struct ClusterOccupancy {
  /// Clusters on the whole device at once, like cudaOccupancyMaxActiveClusters.
  uint64_t clusters = 0;
  /// Blocks per SM that this counts with.
  unsigned blocksPerSM = 0;
  /// False when the groups of the product are not known: then `clusters` is an
  /// upper bound.
  bool isExact = false;
};

/// Clusters of `footprint.clusterSize` blocks that `gpu` can hold at once; 0
/// where the block cannot run, the size is over the largest there is, or the
/// architecture has no clusters.
ClusterOccupancy clusterOccupancy(const GPU &gpu, const Footprint &footprint);

} // namespace coreside

#endif
