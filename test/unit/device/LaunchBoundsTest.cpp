// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas 13.0 did with these bounds.

#include "device/LaunchBounds.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

MinBlocksFate fate(ComputeCapability capability, uint64_t threads,
                   uint64_t blocks) {
  return minBlocksFate(*findArchitecture(capability), {threads, blocks});
}

TEST(LaunchBounds, ThreadsOfAllBlocksMustFit) {
  EXPECT_EQ(fate({8, 9}, 512, 3), MinBlocksFate::Heeded);
  EXPECT_EQ(fate({8, 9}, 1024, 2), MinBlocksFate::TooManyThreads);
  EXPECT_EQ(fate({9, 0}, 1024, 2), MinBlocksFate::Heeded);
  EXPECT_EQ(fate({9, 0}, 1024, 3), MinBlocksFate::TooManyThreads);
}

TEST(LaunchBounds, WarpsAreWhole) {
  EXPECT_EQ(fate({8, 9}, 250, 6), MinBlocksFate::Heeded);
  // 23 x 65 threads would be 1,495 of 1,536.
  EXPECT_EQ(fate({8, 9}, 65, 23), MinBlocksFate::TooManyThreads);
  EXPECT_EQ(fate({9, 0}, 65, 31), MinBlocksFate::TooManyThreads);
}

TEST(LaunchBounds, BlockSlotsAreLookedAtFirst) {
  EXPECT_EQ(fate({8, 9}, 32, 24), MinBlocksFate::Heeded);
  EXPECT_EQ(fate({8, 9}, 32, 25), MinBlocksFate::TooManyBlocks);
  EXPECT_EQ(fate({8, 9}, 33, 47), MinBlocksFate::TooManyBlocks);
  EXPECT_EQ(fate({9, 0}, 1, 33), MinBlocksFate::TooManyBlocks);
}

TEST(LaunchBounds, NothingAskedIsNothingIgnored) {
  EXPECT_EQ(fate({8, 9}, 1024, 0), MinBlocksFate::Heeded);
  EXPECT_EQ(fate({8, 9}, 0, 99), MinBlocksFate::Heeded);
  EXPECT_EQ(fate({8, 9}, ~0ull, ~0ull), MinBlocksFate::TooManyBlocks);
}

TEST(LaunchBounds, RegistersThatAreLeft) {
  const Architecture &hopper = *findArchitecture({9, 0});
  EXPECT_EQ(registerLimit(hopper, {}), 255u);
  EXPECT_EQ(registerLimit(hopper, {.maxThreads = 1024}), 64u);
  EXPECT_EQ(registerLimit(hopper, {.maxThreads = 256, .minBlocks = 5}), 48u);
  EXPECT_EQ(registerLimit(hopper, {.maxThreads = 1024, .minBlocks = 2}), 32u);
  // Blocks that are ignored take nothing.
  EXPECT_EQ(registerLimit(*findArchitecture({8, 9}),
                          {.maxThreads = 1024, .minBlocks = 2}),
            64u);
  // A block of that size would not launch with more.
  EXPECT_EQ(registerLimit(hopper, {}, 1024), 64u);
}

TEST(LaunchBounds, LimitsFromElsewhere) {
  const Architecture &hopper = *findArchitecture({9, 0});
  EXPECT_EQ(registerLimit(hopper, {.maxRegisters = 40}), 40u);
  EXPECT_EQ(registerLimit(hopper, {.commandLineRegisters = 64}), 64u);
  EXPECT_EQ(registerLimit(hopper, {.commandLineRegisters = 18}), 24u);
  // Bounds of the kernel's own overrule the command line.
  EXPECT_EQ(
      registerLimit(hopper, {.maxThreads = 256, .commandLineRegisters = 32}),
      255u);
}

} // namespace
