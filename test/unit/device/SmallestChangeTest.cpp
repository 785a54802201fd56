// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/SmallestChange.h"

#include <gtest/gtest.h>

#include <algorithm>

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

const Change *find(const std::vector<Change> &changes, ChangeKind kind,
                   bool ofFirst) {
  const auto found = std::ranges::find_if(changes, [&](const Change &change) {
    return change.kind == kind && change.ofFirst == ofFirst;
  });
  return found == changes.end() ? nullptr : &*found;
}

TEST(SmallestChange, NothingToDoWhenThePairShares) {
  EXPECT_TRUE(
      smallestChanges(h200(), grid(256, 32, 0, 132), grid(256, 32, 0, 132))
          .empty());
}

// 4 blocks of 64 registers fill an SM; of 48 registers 5 fit, so 528 blocks
// leave one place on every SM. 396 blocks do too.
TEST(SmallestChange, FewerRegistersOrBlocksMakeRoom) {
  const Grid full = grid(256, 64, 0, 528);
  const std::vector<Change> changes = smallestChanges(h200(), full, full);
  const Change *registers = find(changes, ChangeKind::Registers, true);
  ASSERT_TRUE(registers);
  EXPECT_EQ(registers->to, 48u);
  EXPECT_EQ(registers->result.secondBlocksAtOnce, 132u);
  const Change *cap = find(changes, ChangeKind::GridCap, true);
  ASSERT_TRUE(cap);
  EXPECT_EQ(cap->to, 396u);
}

// 50 KiB and 1 KiB of reserve, twice, are 102 of 100 KiB: one has to go without
// two.
TEST(SmallestChange, JustAsMuchLessSharedMemory) {
  const Grid half = grid(256, 32, 50 * 1024, 82);
  const std::vector<Change> changes =
      smallestChanges(*findGPU("rtx3090"), half, half);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].kind, ChangeKind::SharedMemory);
  EXPECT_TRUE(changes[0].ofFirst);
  EXPECT_EQ(changes[0].to, 48u * 1024);
  EXPECT_EQ(changes[0].result.sharing, Sharing::Full);
}

TEST(SmallestChange, AnotherPreference) {
  const std::vector<Change> changes =
      smallestChanges(h200(), grid(256, 32, 100000, 132),
                      grid(128, 32, 0, 100, /*carveout=*/0));
  const Change *preference =
      find(changes, ChangeKind::CarveoutPreference, false);
  ASSERT_TRUE(preference);
  EXPECT_EQ(preference->result.sharing, Sharing::Full);
}

// The large block sets an SM to 8 KiB, which 32 blocks of a warp cannot join;
// they set it to 32.
TEST(SmallestChange, TheOtherOrder) {
  const std::vector<Change> changes =
      smallestChanges(h200(), grid(1024, 32, 0, 132), grid(32, 24, 0, 132));
  EXPECT_TRUE(find(changes, ChangeKind::IssueOrder, false));
}

TEST(SmallestChange, EachIsWhatTheVerdictSays) {
  const Grid first = grid(384, 72, 20000, 700),
             second = grid(96, 168, 3000, 90);
  for (const Change &change : smallestChanges(h200(), first, second)) {
    Grid one = first, two = second;
    Grid &changed = change.ofFirst ? one : two;
    switch (change.kind) {
    case ChangeKind::Registers:
      changed.footprint.registersPerThread = unsigned(change.to);
      break;
    case ChangeKind::BlockSize:
      changed.blocks =
          (changed.blocks * changed.footprint.threadsPerBlock + change.to - 1) /
          change.to;
      changed.footprint.threadsPerBlock = unsigned(change.to);
      break;
    case ChangeKind::SharedMemory:
      changed.footprint.dynamicShared = unsigned(change.to);
      break;
    case ChangeKind::GridCap:
      changed.blocks = change.to;
      break;
    case ChangeKind::IssueOrder:
      std::swap(one, two);
      break;
    case ChangeKind::CarveoutPreference:
      changed.footprint.carveoutPercent = int(change.to);
      break;
    }
    EXPECT_EQ(judgePair(h200(), one, two).secondBlocksAtOnce,
              change.result.secondBlocksAtOnce);
    EXPECT_NE(change.result.secondBlocksAtOnce, 0u);
  }
}

} // namespace
