// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/Waves.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

const Footprint fourPerSM{.threadsPerBlock = 256, .registersPerThread = 64};

TEST(Waves, CountsFullWavesAndTheTail) {
  const Waves result = waves(*findGPU("h200"), {fourPerSM, 1000});
  EXPECT_EQ(result.blocksPerWave, 528u);
  EXPECT_EQ(result.fullWaves, 1u);
  EXPECT_EQ(result.tailBlocks, 472u);
  EXPECT_EQ(result.waves, 2u);
  EXPECT_DOUBLE_EQ(result.efficiency, 1000.0 / 1056);
}

TEST(Waves, AFullWaveHasNoTail) {
  const Waves result = waves(*findGPU("h200"), {fourPerSM, 528});
  EXPECT_EQ(result.waves, 1u);
  EXPECT_EQ(result.tailBlocks, 0u);
  EXPECT_DOUBLE_EQ(result.efficiency, 1);
}

TEST(Waves, ClustersAreCountedWhole) {
  Footprint footprint{.threadsPerBlock = 1024, .registersPerThread = 64};
  footprint.clusterSize = 16;
  EXPECT_EQ(waves(*findGPU("h200"), {footprint, 112}).blocksPerWave, 112u);
}

TEST(Waves, ZeroAndHugeGrids) {
  EXPECT_EQ(waves(*findGPU("h200"), {fourPerSM, 0}).waves, 0u);
  const Waves huge = waves(*findGPU("h200"), {fourPerSM, ~0ull});
  EXPECT_EQ(huge.fullWaves, ~0ull / 528);
  EXPECT_EQ(huge.tailBlocks, ~0ull % 528);
  Footprint impossible = fourPerSM;
  impossible.threadsPerBlock = 2048;
  EXPECT_EQ(waves(*findGPU("h200"), {impossible, 10}).blocksPerWave, 0u);
  EXPECT_EQ(waves(*findGPU("h200"), {impossible, 10}).waves, 0u);
}

TEST(Waves, CooperativeLimitIsOneWave) {
  EXPECT_EQ(cooperativeLimit(*findGPU("a100"), fourPerSM), 432u);
}

} // namespace
