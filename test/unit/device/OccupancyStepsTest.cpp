// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/OccupancySteps.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

OccupancySteps on90(const Footprint &footprint) {
  return occupancySteps(*findArchitecture({9, 0}), footprint);
}

TEST(OccupancySteps, Registers) {
  // 8 warps a block. 5 blocks are 40 warps, 10 a sub-partition: 1,638 registers
  // a warp, down to 1,536, which are 48 a thread.
  const OccupancySteps steps =
      on90({.threadsPerBlock = 256, .registersPerThread = 60});
  EXPECT_EQ(steps.blocksPerSM, 4u);
  EXPECT_EQ(steps.registers.now, 60u);
  EXPECT_EQ(steps.registers.oneMoreAt, 48u);
  EXPECT_EQ(steps.registers.blocksThere, 5u);
  EXPECT_EQ(steps.registers.freeUpTo, 64u);
}

TEST(OccupancySteps, SharedMemory) {
  // 228 KiB for 4 blocks are 57 each, 1 of it the reserve. Fewer bytes give no
  // fifth block, since the registers do not.
  OccupancySteps steps = on90({.threadsPerBlock = 256,
                               .registersPerThread = 64,
                               .staticShared = 100,
                               .dynamicShared = 8192});
  EXPECT_EQ(steps.shared.now, 8292u);
  EXPECT_EQ(steps.shared.freeUpTo, 56u * 1024);
  EXPECT_FALSE(steps.shared.oneMoreAt.has_value());
  // 7 blocks of 32 KiB fit 228; for an eighth each gets 29,184 less the
  // reserve.
  steps = on90({.threadsPerBlock = 128, .dynamicShared = 31 * 1024});
  EXPECT_EQ(steps.blocksPerSM, 7u);
  EXPECT_EQ(steps.shared.oneMoreAt, 29184u - 1024);
  EXPECT_EQ(steps.shared.blocksThere, 8u);
}

TEST(OccupancySteps, Threads) {
  // 3 blocks of 20 warps by registers (40 x 32 = 1,280, 12 a sub-partition,
  // 48 warps): 2. A third needs 16 warps each.
  const OccupancySteps steps =
      on90({.threadsPerBlock = 640, .registersPerThread = 40});
  EXPECT_EQ(steps.blocksPerSM, 2u);
  EXPECT_EQ(steps.threads.oneMoreAt, 512u);
  EXPECT_EQ(steps.threads.freeUpTo, 768u);
}

TEST(OccupancySteps, ABlockThatCannotRunIsToldWhatWouldHelp) {
  // 32 warps get 64 registers at most.
  const OccupancySteps steps =
      on90({.threadsPerBlock = 1024, .registersPerThread = 80});
  EXPECT_EQ(steps.blocksPerSM, 0u);
  EXPECT_EQ(steps.registers.oneMoreAt, 64u);
  EXPECT_EQ(steps.registers.blocksThere, 1u);
  EXPECT_EQ(steps.registers.freeUpTo, 80u);
}

TEST(OccupancySteps, ZeroAndHugeValuesEnd) {
  const OccupancySteps huge = on90({.threadsPerBlock = ~0u,
                                    .registersPerThread = 64,
                                    .staticShared = ~0u,
                                    .dynamicShared = ~0u});
  EXPECT_EQ(huge.blocksPerSM, 0u);
  EXPECT_FALSE(huge.threads.oneMoreAt.has_value());
  const OccupancySteps zero =
      on90({.threadsPerBlock = 0, .registersPerThread = 0});
  EXPECT_EQ(zero.blocksPerSM, 0u);
  EXPECT_FALSE(zero.registers.oneMoreAt.has_value());
  const OccupancySteps much =
      on90({.threadsPerBlock = 32, .dynamicShared = ~0u});
  EXPECT_EQ(much.shared.oneMoreAt, 227u * 1024);
}

} // namespace
