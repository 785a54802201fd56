// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/ClusterOccupancy.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

TEST(ClusterOccupancy, AClusterStaysInOneGroup) {
  GPU gpu = *findGPU("h100");
  gpu.clusterGroups = {10, 6};
  // 1,024 threads and 64 registers: one block per SM.
  Footprint footprint{.threadsPerBlock = 1024, .registersPerThread = 64};
  footprint.clusterSize = 4; // 10 / 4 + 6 / 4
  EXPECT_EQ(clusterOccupancy(gpu, footprint).clusters, 3u);
  footprint.clusterSize = 8; // only the group of 10
  EXPECT_EQ(clusterOccupancy(gpu, footprint).clusters, 1u);
  footprint.clusterSize = 16;
  EXPECT_EQ(clusterOccupancy(gpu, footprint).clusters, 0u);
  EXPECT_TRUE(clusterOccupancy(gpu, footprint).isExact);
}

TEST(ClusterOccupancy, AnSMHoldsEightBlocksOfClusters) {
  Footprint footprint{.threadsPerBlock = 64, .registersPerThread = 16};
  footprint.clusterSize = 2;
  const ClusterOccupancy result = clusterOccupancy(*findGPU("h200"), footprint);
  EXPECT_EQ(result.blocksPerSM, 8u);
  EXPECT_EQ(result.clusters, 528u);
}

TEST(ClusterOccupancy, UnknownGroupsGiveAnUpperBound) {
  Footprint footprint{.threadsPerBlock = 1024, .registersPerThread = 64};
  footprint.clusterSize = 4;
  const ClusterOccupancy result = clusterOccupancy(*findGPU("h100"), footprint);
  EXPECT_FALSE(result.isExact);
  EXPECT_EQ(result.clusters, 33u);
}

TEST(ClusterOccupancy, NoneWhereThereAreNoClustersOrTheyAreTooLarge) {
  Footprint footprint;
  footprint.clusterSize = 2;
  EXPECT_EQ(clusterOccupancy(*findGPU("a100"), footprint).clusters, 0u);
  footprint.clusterSize = 17;
  EXPECT_EQ(clusterOccupancy(*findGPU("h200"), footprint).clusters, 0u);
  footprint.clusterSize = ~0u;
  EXPECT_EQ(clusterOccupancy(*findGPU("h200"), footprint).clusters, 0u);
}

} // namespace
