// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many clusters of one kernel the device can hold.
//
// In:   h200, clusters of 4 blocks, 2 blocks per SM.
// Out:  62 clusters: 18 x 2 / 4 = 9 in each group of 18, 8 in each of 16, 4 in
//       that of 8, none in those of 2.
//
// The rule was read off 320 answers of cudaOccupancyMaxActiveClusters on one
// H200 and gives all of them: a group of n SMs takes floor(n x blocks per SM /
// cluster size) clusters, but none when it has fewer SMs than the cluster has
// blocks; with clusters an SM takes at most 8 blocks. The rows hold only 1, 2,
// 4 and 8 blocks per SM after that limit, so other counts are an extrapolation.

#include "ClusterOccupancy.h"

#include <algorithm>

namespace coreside {

ClusterOccupancy clusterOccupancy(const GPU &gpu, const Footprint &footprint) {
  const Architecture &architecture = gpu.architecture;
  ClusterOccupancy result;
  const unsigned size = std::max(footprint.clusterSize, 1u);
  if (architecture.clusterPortable == 0 ||
      size > std::max(architecture.clusterNonPortable,
                      architecture.clusterPortable)) {
    result.isExact = true;
    return result;
  }
  result.blocksPerSM = std::min(occupancy(architecture, footprint).blocksPerSM,
                                architecture.clusterBlocksPerSM);
  const auto clustersIn = [&](uint64_t SMs) {
    return SMs < size ? 0 : SMs * result.blocksPerSM / size;
  };
  result.isExact = !gpu.clusterGroups.empty();
  if (!result.isExact) {
    result.clusters = clustersIn(gpu.SMs);
    return result;
  }
  for (unsigned SMs : gpu.clusterGroups)
    result.clusters += clustersIn(SMs);
  return result;
}

} // namespace coreside
