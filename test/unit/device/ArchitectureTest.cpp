// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of capabilities: that all are there, and that a line's numbers fit
// each other.

#include "device/Architecture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace coreside;

namespace {

TEST(Architecture, AllCapabilitiesAreThereInOrder) {
  constexpr ComputeCapability expected[] = {
      {5, 0}, {5, 2},  {5, 3},  {6, 0},  {6, 1},  {6, 2},  {7, 0},
      {7, 2}, {7, 5},  {8, 0},  {8, 6},  {8, 7},  {8, 8},  {8, 9},
      {9, 0}, {10, 0}, {10, 1}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};
  ASSERT_EQ(architectures().size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(architectures()[i].capability, expected[i]);
}

TEST(Architecture, NumbersOfALineFitEachOther) {
  for (const Architecture &line : architectures()) {
    SCOPED_TRACE(smName(line.capability));
    EXPECT_EQ(line.warpsPerSM * 32, line.threadsPerSM);
    EXPECT_EQ(line.warpsPerSM % line.subPartitions, 0u);
    EXPECT_GE(line.warpsPerSM, line.blocksPerSM);
    EXPECT_LE(line.registersPerBlock, line.registersPerSM);
    EXPECT_LE(line.sharedPerBlock, line.sharedPerBlockOptIn);
    EXPECT_LE(line.sharedPerBlockOptIn + line.sharedReservedPerBlock,
              line.sharedPerSM);
    EXPECT_TRUE(std::is_sorted(line.sharedConfigurations.begin(),
                               line.sharedConfigurations.end()));
    // The largest configuration is all of it; where there is a split, some L1
    // is left over.
    if (line.sharedConfigurations.empty()) {
      EXPECT_EQ(line.l1AndShared, 0u);
    } else {
      EXPECT_EQ(line.sharedConfigurations.back(), line.sharedPerSM);
      EXPECT_GT(line.l1AndShared, line.sharedPerSM);
    }
    EXPECT_EQ(line.clusterPortable != 0, line.capability.major >= 9);
    EXPECT_EQ(line.barriersPerSM != 0, line.capability.major >= 9);
  }
}

TEST(Architecture, FindsAndNames) {
  EXPECT_EQ(findArchitecture({8, 9})->blocksPerSM, 24u);
  EXPECT_EQ(findArchitecture({8, 6})->blocksPerSM, 16u);
  EXPECT_EQ(findArchitecture({8, 0})->sharedPerSM, 164u * 1024);
  EXPECT_EQ(findArchitecture({8, 0})->sharedPerBlockOptIn, 163u * 1024);
  EXPECT_EQ(findArchitecture({6, 1})->residentGrids, 32u);
  EXPECT_EQ(findArchitecture({7, 2})->residentGrids, 16u);
  EXPECT_EQ(findArchitecture({8, 5}), nullptr);
  EXPECT_EQ(findArchitecture({~0u, ~0u}), nullptr);
  EXPECT_EQ(smName({12, 1}), "sm_121");
}

} // namespace
