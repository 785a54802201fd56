// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks per SM, worked out by hand.

#include "device/Occupancy.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

Occupancy on(ComputeCapability capability, Footprint footprint) {
  return occupancy(*findArchitecture(capability), footprint);
}

TEST(Occupancy, RegistersLimit) {
  // 64 x 32 = 2,048 per warp; a quarter of the file holds 8 warps, so an SM
  // holds 32, which are 4 blocks of 8.
  const Occupancy result =
      on({9, 0}, {.threadsPerBlock = 256, .registersPerThread = 64});
  EXPECT_EQ(result.byRegisters, 4u);
  EXPECT_EQ(result.byWarps, 8u);
  EXPECT_EQ(result.byBlockSlots, 32u);
  EXPECT_EQ(result.blocksPerSM, 4u);
  EXPECT_EQ(result.limiter, Limiter::Registers);
}

TEST(Occupancy, SubPartitionsLoseWhatIsLeftOver) {
  // 168 x 32 = 5,376 per warp. 65,536 hold 12 of them, but a sub-partition's
  // 16,384 hold 3, so it is 12; of 5,632 (176 registers) 11 would fit by the
  // total, and only 2 fit each sub-partition.
  EXPECT_EQ(on({9, 0}, {.threadsPerBlock = 32, .registersPerThread = 168})
                .byRegisters,
            12u);
  EXPECT_EQ(on({9, 0}, {.threadsPerBlock = 32, .registersPerThread = 176})
                .byRegisters,
            8u);
}

TEST(Occupancy, ABlocksWarpsCountInFours) {
  // 9 warps of 6,144 are 55,296 registers and would fit 65,536, but the check
  // counts 12 warps.
  const Footprint footprint{.threadsPerBlock = 288, .registersPerThread = 192};
  EXPECT_EQ(on({9, 0}, footprint).blocksPerSM, 0u);
  EXPECT_EQ(on({9, 0}, footprint).limiter, Limiter::Registers);
  // Also on 6.0, whose SM has two sub-partitions and could hold it.
  EXPECT_EQ(on({6, 0}, footprint).blocksPerSM, 0u);
}

TEST(Occupancy, SharedMemoryCountsTheReserve) {
  // 228 KiB / (8 + 1 KiB) = 25.
  EXPECT_EQ(on({9, 0}, {.threadsPerBlock = 32, .dynamicShared = 8192}).byShared,
            25u);
  // No reserve before 8.0: 96 / 8 = 12; 8,193 bytes take 8,448.
  EXPECT_EQ(on({7, 0}, {.threadsPerBlock = 32, .dynamicShared = 8192}).byShared,
            12u);
  EXPECT_EQ(on({7, 0}, {.threadsPerBlock = 32, .dynamicShared = 8193}).byShared,
            11u);
  // Static and dynamic add up.
  EXPECT_EQ(
      on({7, 0},
         {.threadsPerBlock = 32, .staticShared = 4096, .dynamicShared = 4096})
          .byShared,
      12u);
  // Nothing used, nothing limits, where nothing is reserved.
  EXPECT_EQ(on({7, 0}, {.threadsPerBlock = 32}).byShared, Occupancy::unlimited);
}

TEST(Occupancy, CarveoutShrinksSharedMemory) {
  Footprint footprint{.threadsPerBlock = 64, .dynamicShared = 7 * 1024};
  // 8 KiB a block: 28 without a preference; 25 per cent are 57 KiB, rounded up
  // to 64: 8 blocks; 0 per cent gives way to one block: 8 KiB.
  EXPECT_EQ(on({9, 0}, footprint).byShared, 28u);
  footprint.carveoutPercent = 25;
  EXPECT_EQ(on({9, 0}, footprint).byShared, 8u);
  footprint.carveoutPercent = 0;
  EXPECT_EQ(on({9, 0}, footprint).byShared, 1u);
  // 6.1 has no split.
  EXPECT_EQ(on({6, 1}, footprint).byShared, 13u);
}

TEST(Occupancy, BarriersLimitFromNine) {
  const Footprint footprint{.threadsPerBlock = 32, .barriers = 16};
  EXPECT_EQ(on({9, 0}, footprint).blocksPerSM, 4u);
  EXPECT_EQ(on({9, 0}, footprint).limiter, Limiter::Barriers);
  EXPECT_EQ(on({12, 0}, footprint).blocksPerSM, 1u);
  EXPECT_EQ(on({8, 0}, footprint).blocksPerSM, 32u);
}

TEST(Occupancy, ATieNamesTheFirst) {
  // 64 warps and 32 slots both allow 32 blocks of two warps.
  EXPECT_EQ(
      on({9, 0}, {.threadsPerBlock = 64, .registersPerThread = 16}).limiter,
      Limiter::Warps);
  EXPECT_EQ(
      on({9, 0}, {.threadsPerBlock = 32, .registersPerThread = 16}).limiter,
      Limiter::BlockSlots);
}

TEST(Occupancy, WhatCannotRunGetsNoBlock) {
  EXPECT_EQ(on({9, 0}, {.threadsPerBlock = 0}).blocksPerSM, 0u);
  EXPECT_EQ(on({9, 0}, {.threadsPerBlock = 1025}).blocksPerSM, 0u);
  EXPECT_EQ(on({9, 0}, {.registersPerThread = 256}).blocksPerSM, 0u);
  EXPECT_EQ(on({9, 0}, {.dynamicShared = 227 * 1024}).blocksPerSM, 1u);
  EXPECT_EQ(on({9, 0}, {.dynamicShared = 227 * 1024 + 1}).blocksPerSM, 0u);
  EXPECT_EQ(on({8, 0}, {.dynamicShared = 163 * 1024 + 1}).blocksPerSM, 0u);
}

TEST(Occupancy, HugeValuesDoNotWrap) {
  const Footprint huge{.threadsPerBlock = ~0u,
                       .registersPerThread = ~0u,
                       .staticShared = ~0u,
                       .dynamicShared = ~0u,
                       .barriers = ~0u,
                       .carveoutPercent = 2147483647};
  for (const Architecture &architecture : architectures()) {
    EXPECT_EQ(occupancy(architecture, huge).blocksPerSM, 0u);
    const BlockCost cost = blockCost(architecture, huge);
    EXPECT_EQ(cost.shared, ~0u);
    EXPECT_EQ(cost.registers, ~0u);
    EXPECT_EQ(cost.registersPerWarp, ~0u);
    EXPECT_EQ(cost.warps, 134217728u);
  }
}

TEST(BlockCost, IsRoundedUp) {
  const BlockCost cost =
      blockCost(*findArchitecture({9, 0}), {.threadsPerBlock = 33,
                                            .registersPerThread = 33,
                                            .staticShared = 1,
                                            .barriers = 2});
  EXPECT_EQ(cost.warps, 2u);
  EXPECT_EQ(cost.registersPerWarp, 1280u); // 1,056 up to a multiple of 256.
  EXPECT_EQ(cost.registers, 2560u);
  EXPECT_EQ(cost.shared, 1152u); // 1,025 up to a multiple of 128.
  EXPECT_EQ(cost.barriers, 2u);
}

} // namespace
