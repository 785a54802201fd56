// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/Admission.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

const Architecture &sm90() { return *findArchitecture({9, 0}); }

PreparedKernel kernel(unsigned threads, unsigned registers, unsigned shared = 0,
                      int carveout = -1) {
  Footprint footprint;
  footprint.threadsPerBlock = threads;
  footprint.registersPerThread = registers;
  footprint.dynamicShared = shared;
  footprint.carveoutPercent = carveout;
  return prepareKernel(sm90(), footprint);
}

// 6 warps of 168 x 32 = 5,376 registers: dealt 2, 2, 1, 1 and then on from the
// third sub-partition 1, 1, 2, 2, so that each holds 3 x 5,376 of 16,384.
TEST(Admission, GoesOnDealingWhereTheLastBlockEnded) {
  const PreparedKernel six = kernel(192, 168);
  SMState SM(sm90());
  EXPECT_EQ(SM.admit(six), 0u);
  EXPECT_EQ(SM.admit(six), 2u);
  EXPECT_EQ(SM.residentRegisters(), 12u * 5376);
  EXPECT_EQ(SM.refusal(six), Limiter::Registers);
}

// A: 10 warps x 1,792, dealt 3, 3, 2, 2. B: 6 warps x 6,144. From the third
// sub-partition on B takes 1, 1, 2, 2: 3 x 1,792 + 6,144 = 11,520 and
// 2 x 1,792 + 2 x 6,144 = 15,872 of 16,384. From the first on it would be
// 3 x 1,792 + 2 x 6,144 = 17,664.
TEST(Admission, RefusesWhenTheNextStartDoesNotFit) {
  const PreparedKernel A = kernel(320, 56), B = kernel(192, 192);
  SMState SM(sm90());
  SM.admit(A);
  ASSERT_EQ(SM.refusal(B), Limiter::None);
  const unsigned first = SM.admit(B);
  EXPECT_EQ(first, 2u);
  SM.release(B, first);
  // The SM is as it was, but the next block would start at the first.
  EXPECT_EQ(SM.residentBlocks(), 1u);
  EXPECT_EQ(SM.refusal(B), Limiter::SubPartition);
}

// 32 blocks of one warp need 32 x 1,024 bytes of the system's reserve.
TEST(Admission, KernelsWithoutSharedMemoryAreKeptApartByTheSplit) {
  const PreparedKernel large = kernel(1024, 32), small = kernel(32, 24);
  EXPECT_EQ(large.target, 8u * 1024);
  EXPECT_EQ(large.need, 8u * 1024);
  EXPECT_EQ(small.need, 32u * 1024);
  SMState SM(sm90());
  SM.admit(large);
  EXPECT_EQ(SM.sharedConfiguration(), 8u * 1024);
  EXPECT_EQ(SM.refusal(small), Limiter::SharedConfiguration);
  // The other way round the SM is set to 32 KiB, which is enough for both.
  SMState other(sm90());
  other.admit(small);
  EXPECT_EQ(other.sharedConfiguration(), 32u * 1024);
  EXPECT_TRUE(other.canAdmit(large));
}

TEST(Admission, TheSplitIsChosenAnewWhenTheSMIsEmpty) {
  const PreparedKernel large = kernel(1024, 32), small = kernel(32, 24);
  SMState SM(sm90());
  SM.release(large, SM.admit(large));
  EXPECT_TRUE(SM.canAdmit(small));
  SM.admit(small);
  EXPECT_EQ(SM.sharedConfiguration(), 32u * 1024);
}

// 100,000 bytes: 101,120 with the reserve, two blocks 202,240 of 233,472.
TEST(Admission, APreferenceBoundsTheSplitFromAbove) {
  const PreparedKernel big = kernel(256, 32, 100000);
  EXPECT_EQ(big.alone.blocksPerSM, 2u);
  EXPECT_EQ(big.target, 228u * 1024);
  SMState SM(sm90());
  SM.admit(big);
  EXPECT_TRUE(SM.canAdmit(kernel(128, 32)));
  const PreparedKernel preferring = kernel(128, 32, 0, 0);
  EXPECT_EQ(preferring.ceiling, 32u * 1024);
  EXPECT_EQ(SM.refusal(preferring), Limiter::SharedConfiguration);
}

// 0 per cent: the occupancy call reckons with 8 KiB, which is 8 blocks; the SM
// is set to 32 KiB, and 48 x 32 registers let it hold 10 warps of each
// sub-partition.
TEST(Admission, HoldsMoreThanTheOccupancyCallSaysUnderAPreference) {
  const PreparedKernel preferring = kernel(128, 48, 0, 0);
  EXPECT_EQ(preferring.alone.blocksPerSM, 8u);
  EXPECT_EQ(preferring.blocksHeld, 10u);
  EXPECT_EQ(kernel(128, 48).blocksHeld, 10u);
}

TEST(Admission, BarriersAreAPoolOf64) {
  Footprint footprint{.threadsPerBlock = 32, .registersPerThread = 16};
  footprint.barriers = 16;
  const PreparedKernel many = prepareKernel(sm90(), footprint);
  SMState SM(sm90());
  EXPECT_EQ(SM.room(many), 4u);
  for (int i = 0; i < 4; ++i)
    SM.admit(many);
  EXPECT_EQ(SM.refusal(many), Limiter::Barriers);
  EXPECT_EQ(SM.refusal(kernel(32, 16)), Limiter::Barriers);
}

TEST(Admission, TargetsWithoutAPreference) {
  // One block: just what it needs. 41,984 bytes with the reserve.
  EXPECT_EQ(kernel(1024, 64, 40960).target, 64u * 1024);
  // No shared memory: by the size of the block.
  EXPECT_EQ(kernel(480, 32).target, 32u * 1024);
  EXPECT_EQ(kernel(512, 32).target, 16u * 1024);
  EXPECT_EQ(kernel(768, 32).target, 8u * 1024);
  // Shared memory: twice the blocks, up to 132 KiB. 8 blocks x 2,048 are
  // 16 KiB, 16 of them 32 KiB.
  EXPECT_EQ(kernel(256, 32, 1024).target, 32u * 1024);
  EXPECT_EQ(kernel(256, 32, 16384).target, 164u * 1024);
}

TEST(Admission, SeparateSharedMemoryHasNoSplit) {
  const Architecture &pascal = *findArchitecture({6, 1});
  ASSERT_TRUE(pascal.sharedConfigurations.empty());
  Footprint footprint{.threadsPerBlock = 128, .registersPerThread = 32};
  footprint.dynamicShared = 40000;
  const PreparedKernel big = prepareKernel(pascal, footprint);
  EXPECT_EQ(big.need, 0u);
  SMState SM(pascal);
  SM.admit(big);
  SM.admit(big);
  EXPECT_EQ(SM.refusal(big), Limiter::SharedMemory);
  footprint.dynamicShared = 0;
  EXPECT_TRUE(SM.canAdmit(prepareKernel(pascal, footprint)));
}

TEST(Admission, TwoSubPartitionsOfSM60) {
  const Architecture &p100 = *findArchitecture({6, 0});
  ASSERT_EQ(p100.subPartitions, 2u);
  const PreparedKernel three =
      prepareKernel(p100, {.threadsPerBlock = 96, .registersPerThread = 32});
  SMState SM(p100);
  EXPECT_EQ(SM.admit(three), 0u);
  EXPECT_EQ(SM.admit(three), 1u);
  EXPECT_EQ(SM.room(three), three.alone.blocksPerSM - 2);
}

TEST(Admission, EveryArchitectureHoldsWhatOccupancySays) {
  for (const Architecture &architecture : architectures())
    for (unsigned threads : {32u, 96u, 160u, 512u, 1024u})
      for (unsigned registers : {16u, 40u, 72u, 168u, 255u})
        for (unsigned shared : {0u, 1000u, 20000u}) {
          const PreparedKernel one =
              prepareKernel(architecture, {.threadsPerBlock = threads,
                                           .registersPerThread = registers,
                                           .dynamicShared = shared});
          SMState SM(architecture);
          EXPECT_EQ(SM.room(one), one.alone.blocksPerSM)
              << smName(architecture.capability) << " " << threads << " x "
              << registers << ", " << shared;
        }
}

} // namespace
