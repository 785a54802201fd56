// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/PairVerdict.h"
#include "device/PairThresholds.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

const GPU &h200() { return *findGPU("h200"); }

Grid grid(unsigned threads, unsigned registers, unsigned shared,
          uint64_t blocks, int carveout = -1) {
  Grid result;
  result.footprint.threadsPerBlock = threads;
  result.footprint.registersPerThread = registers;
  result.footprint.dynamicShared = shared;
  result.footprint.carveoutPercent = carveout;
  result.blocks = blocks;
  return result;
}

// 32 x 132 = 4,224 blocks a wave: 25,000 are five full waves and 3,880 blocks.
TEST(PairVerdict, TinyBlocksShareInTheLastWaveOnly) {
  const Grid tiny = grid(4, 16, 0, 25000);
  const PairVerdict verdict = judgePair(h200(), tiny, tiny);
  EXPECT_EQ(verdict.sharing, Sharing::TailOnly);
  EXPECT_EQ(verdict.limiter, Limiter::BlockSlots);
  EXPECT_EQ(verdict.firstWaves, 6u);
  EXPECT_EQ(verdict.firstBlocksPerSM, 32u);
  EXPECT_DOUBLE_EQ(verdict.secondStart, 5.0 / 6);
  EXPECT_EQ(verdict.held.warps, 32u);
}

TEST(PairVerdict, OneFullWaveKeepsTheSecondOut) {
  const Grid full = grid(256, 64, 0, 528);
  const PairVerdict verdict = judgePair(h200(), full, full);
  EXPECT_EQ(verdict.sharing, Sharing::Never);
  EXPECT_EQ(verdict.limiter, Limiter::Registers);
  EXPECT_DOUBLE_EQ(verdict.secondStart, 1);
  EXPECT_TRUE(verdict.dependsOnDurations);
  EXPECT_EQ(verdict.held.registers, 65536u);
  EXPECT_EQ(verdict.needed.registers, 16384u);
}

// 264 blocks of 8 warps are two on each SM; two more fit, 264 in all.
TEST(PairVerdict, HalfAWaveLeavesHalf) {
  const PairVerdict partly =
      judgePair(h200(), grid(256, 64, 0, 264), grid(256, 64, 0, 300));
  EXPECT_EQ(partly.sharing, Sharing::Partly);
  EXPECT_EQ(partly.secondBlocksAtOnce, 264u);
  EXPECT_EQ(partly.SMsShared, 132u);
  EXPECT_EQ(partly.limiter, Limiter::Registers);
  const PairVerdict full =
      judgePair(h200(), grid(256, 64, 0, 264), grid(256, 64, 0, 264));
  EXPECT_EQ(full.sharing, Sharing::Full);
  EXPECT_EQ(full.limiter, Limiter::None);
}

// The block of the second goes where most of its kind would still fit: 60 of
// the first leave 72 SMs empty, which take 30 blocks without sharing.
TEST(PairVerdict, BlocksGoWhereMostOfTheirKindStillFit) {
  EXPECT_EQ(
      judgePair(h200(), grid(512, 32, 0, 60), grid(512, 32, 0, 30)).SMsShared,
      0u);
  // One warp beside 63 free slots: as many of 6 warps fit there as on an empty
  // SM, ten, so the first SMs are taken again.
  EXPECT_EQ(
      judgePair(h200(), grid(32, 80, 0, 11), grid(192, 24, 0, 18)).SMsShared,
      11u);
}

// Gilman et al., 2020, on a 2080 Ti: beside 67 blocks of 512 threads, 8 blocks
// of 32 spread (16 block slots bound both kinds of SM), 8 of 33 do not.
TEST(PairVerdict, PublishedMostRoomExample) {
  const GPU &turing = *findGPU("rtx2080ti");
  ASSERT_EQ(turing.SMs, 68u);
  const Grid first = grid(512, 16, 0, 67);
  EXPECT_EQ(judgePair(turing, first, grid(32, 16, 0, 8)).SMsShared, 7u);
  EXPECT_EQ(judgePair(turing, first, grid(33, 16, 0, 8)).SMsShared, 0u);
}

TEST(PairVerdict, DesignExampleSharesOnEveryPlacement) {
  GPU gpu = *findGPU("a100");
  gpu.SMs = 20;
  const Grid A = grid(256, 32, 0, 40), B = grid(512, 64, 8192, 20);
  EXPECT_EQ(judgePair(gpu, A, B).sharing, Sharing::Full);
  EXPECT_EQ(judgePair(gpu, B, A).sharing, Sharing::Full);
}

// 50 KiB and the reserve of 1 KiB, twice: 102 of 100 KiB.
TEST(PairVerdict, TheReserveKeepsTwoHalvesApart) {
  const GPU &ampere = *findGPU("rtx3090");
  ASSERT_EQ(ampere.SMs, 82u);
  const Grid half = grid(256, 32, 50 * 1024, 82);
  const PairVerdict apart = judgePair(ampere, half, half);
  EXPECT_EQ(apart.sharing, Sharing::Never);
  EXPECT_EQ(apart.limiter, Limiter::SharedMemory);
  const Grid less = grid(256, 32, 49 * 1024, 82);
  EXPECT_EQ(judgePair(ampere, less, less).sharing, Sharing::Full);
  // A 4090 has 128 SMs: 46 blocks find an empty one.
  EXPECT_EQ(judgePair(*findGPU("rtx4090"), half, half).secondBlocksAtOnce, 46u);
}

TEST(PairVerdict, ASmallPreferenceKeepsAKernelOff) {
  const Grid big = grid(256, 32, 100000, 132);
  const PairVerdict verdict =
      judgePair(h200(), big, grid(128, 32, 0, 100, /*carveout=*/0));
  EXPECT_EQ(verdict.sharing, Sharing::Never);
  EXPECT_EQ(verdict.limiter, Limiter::SharedConfiguration);
  EXPECT_EQ(verdict.configurationKiB, 228u);
  EXPECT_EQ(judgePair(h200(), big, grid(128, 32, 0, 100)).sharing,
            Sharing::Full);
}

// The second would fit beside a full SM of the first, but is behind the blocks
// of the first that wait.
TEST(PairVerdict, WaitingBlocksOfTheFirstGoFirst) {
  const Grid first = grid(256, 24, 110000, 400);
  const PairVerdict verdict = judgePair(h200(), first, grid(64, 24, 0, 10));
  EXPECT_EQ(verdict.sharing, Sharing::TailOnly);
  EXPECT_EQ(verdict.limiter, Limiter::DispatchOrder);
  EXPECT_EQ(verdict.firstWaves, 2u);
}

// Clusters of 16 fit once in each of the seven groups of 16 and 18 SMs.
TEST(PairVerdict, ClustersNeedAGroup) {
  Grid clusters = grid(1024, 64, 0, 112);
  clusters.footprint.clusterSize = 16;
  // One plain block takes an SM of a small group, then 19 lie on the first SMs
  // of TPCs, in all groups: no group of 16 is whole.
  const PairVerdict verdict =
      judgePair(h200(), grid(1024, 64, 0, 20), clusters);
  EXPECT_EQ(verdict.secondBlocksAtOnce, 32u);
  EXPECT_EQ(verdict.sharing, Sharing::Partly);
  EXPECT_EQ(verdict.limiter, Limiter::Clusters);
  // Eight blocks all go to the groups of two.
  EXPECT_EQ(judgePair(h200(), grid(1024, 64, 0, 8), clusters).sharing,
            Sharing::Full);
  EXPECT_EQ(firstBlocksFromWhichWorse(h200(), grid(1024, 64, 0, 1), clusters,
                                      Sharing::Full),
            10u);
}

TEST(PairVerdict, HugeGridsDoNotOverflow) {
  const Grid huge = grid(256, 64, 0, ~0ull);
  const PairVerdict verdict = judgePair(h200(), huge, huge);
  EXPECT_EQ(verdict.firstWaves, ~0ull / 528 + 1);
  EXPECT_EQ(verdict.sharing, Sharing::TailOnly);
  EXPECT_EQ(judgePair(h200(), grid(256, 64, 0, 264), huge).secondBlocksAtOnce,
            264u);
}

TEST(PairThresholds, FromHowManyBlocksOn) {
  const Grid A = grid(256, 64, 0, 1), B = grid(256, 64, 0, 100);
  // 428 + 100 = 528 is the wave.
  EXPECT_EQ(firstBlocksFromWhichWorse(h200(), A, B, Sharing::Full), 429u);
  EXPECT_EQ(firstBlocksFromWhichWorse(h200(), A, B, Sharing::Partly), 528u);
  EXPECT_EQ(secondBlocksFromWhichPartly(h200(), grid(256, 64, 0, 428), B),
            101u);
  EXPECT_EQ(secondBlocksFromWhichPartly(h200(), grid(256, 64, 0, 528), B), 1u);
}

TEST(PairThresholds, AgreeWithTheVerdict) {
  for (unsigned threads : {32u, 96u, 192u, 320u, 1024u})
    for (unsigned registers : {24u, 56u, 96u, 168u, 255u}) {
      Grid A = grid(threads, registers, 3000, 1);
      const Grid B = grid(160, 72, 0, 40);
      if (occupancy(h200().architecture, A.footprint).blocksPerSM == 0)
        continue;
      const uint64_t full =
          firstBlocksFromWhichWorse(h200(), A, B, Sharing::Full);
      A.blocks = full;
      EXPECT_NE(judgePair(h200(), A, B).sharing, Sharing::Full);
      if (full > 1) {
        A.blocks = full - 1;
        EXPECT_EQ(judgePair(h200(), A, B).sharing, Sharing::Full);
      }
    }
}

} // namespace
