// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/GroupVerdict.h"
#include "device/PairVerdict.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

const GPU &h200() { return *findGPU("h200"); }

Grid grid(unsigned threads, unsigned registers, uint64_t blocks) {
  Grid result;
  result.footprint.threadsPerBlock = threads;
  result.footprint.registersPerThread = registers;
  result.blocks = blocks;
  return result;
}

// 1,024 threads x 64 registers are a whole SM.
TEST(GroupVerdict, TheThirdFindsNoSM) {
  const Grid whole = grid(1024, 64, 66);
  const GroupVerdict verdict =
      judgeGroup(h200(), std::vector{whole, whole, whole});
  EXPECT_EQ(verdict.members[1].blocksAtOnce, 66u);
  EXPECT_EQ(verdict.members[2].blocksAtOnce, 0u);
  EXPECT_EQ(verdict.members[2].limiter, Limiter::Registers);
  EXPECT_FALSE(verdict.allTogether);
  EXPECT_EQ(verdict.SMsWithAll, 0u);
}

// 3 x 16 warps of 64, 3 x 16,384 registers of 65,536.
TEST(GroupVerdict, ThreeKernelsOnEverySM) {
  const Grid quarter = grid(512, 32, 132);
  const GroupVerdict verdict =
      judgeGroup(h200(), std::vector{quarter, quarter, quarter});
  EXPECT_TRUE(verdict.allTogether);
  EXPECT_EQ(verdict.SMsWithAll, 132u);
}

TEST(GroupVerdict, NothingPassesAKernelThatWaits) {
  const GroupVerdict verdict =
      judgeGroup(h200(), std::vector{grid(1024, 64, 100), grid(1024, 64, 33),
                                     grid(32, 16, 1)});
  EXPECT_EQ(verdict.members[1].blocksAtOnce, 32u);
  EXPECT_EQ(verdict.members[2].blocksAtOnce, 0u);
  EXPECT_EQ(verdict.members[2].limiter, Limiter::DispatchOrder);
}

TEST(GroupVerdict, OnlySoManyKernels) {
  const std::vector<Grid> many(129, grid(32, 16, 1));
  const GroupVerdict verdict = judgeGroup(h200(), many);
  EXPECT_EQ(verdict.members[127].blocksAtOnce, 1u);
  EXPECT_EQ(verdict.members[128].limiter, Limiter::ResidentGrids);
}

TEST(GroupVerdict, OfTwoIsThePairVerdict) {
  for (unsigned threads : {32u, 160u, 320u, 768u})
    for (unsigned registers : {24u, 72u, 168u})
      for (uint64_t blocks : {20u, 150u, 300u}) {
        if (occupancy(h200().architecture,
                      grid(threads, registers, 1).footprint)
                .blocksPerSM == 0)
          continue;
        const Grid first = grid(threads, registers, blocks);
        const Grid second = grid(192, 56, 400);
        const PairVerdict pair = judgePair(h200(), first, second);
        const GroupVerdict group =
            judgeGroup(h200(), std::vector{first, second});
        EXPECT_EQ(group.members[1].blocksAtOnce, pair.secondBlocksAtOnce);
        EXPECT_EQ(group.SMsWithAll, pair.SMsShared);
      }
}

TEST(GroupVerdict, NothingAndEndlessGrids) {
  EXPECT_TRUE(judgeGroup(h200(), {}).allTogether);
  EXPECT_EQ(judgeGroup(h200(), std::vector{grid(256, 64, ~0ull)})
                .members[0]
                .blocksAtOnce,
            528u);
}

} // namespace
