// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches at and beyond the limits, one reason at a time.

#include "device/LaunchCheck.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

/// A launch that is in order: 8 blocks of 256 threads.
LaunchRequest fine() {
  LaunchRequest request;
  request.grid = {8, 1, 1};
  request.block = {256, 1, 1};
  request.registersPerThread = 32;
  request.staticShared = 0;
  request.dynamicShared = 0;
  request.optIn = std::optional<uint64_t>();
  request.launchBound = 0;
  return request;
}

std::vector<LaunchProblem> problems(const LaunchRequest &request,
                                    const char *gpu = "h200") {
  return checkLaunch(*findGPU(gpu), request);
}

/// Checks that there is exactly one problem, and which.
void expectOnly(const LaunchRequest &request, LaunchFault fault, uint64_t asked,
                uint64_t limit, const char *error) {
  const std::vector<LaunchProblem> all = problems(request);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].fault, fault);
  EXPECT_EQ(all[0].asked, asked);
  EXPECT_EQ(all[0].limit, limit);
  EXPECT_STREQ(all[0].error, error);
}

TEST(LaunchCheck, AFineLaunchHasNoProblem) {
  EXPECT_TRUE(problems(fine()).empty());
  EXPECT_STREQ(launchError(*findGPU("h200"), fine()), "cudaSuccess");
}

TEST(LaunchCheck, Dimensions) {
  LaunchRequest request = fine();
  request.block = {1, 1, 65};
  expectOnly(request, LaunchFault::BlockDimension, 65, 64,
             "cudaErrorInvalidValue");
  EXPECT_EQ(problems(request)[0].dimension, 2u);
  request = fine();
  request.grid = {1, 65536, 1};
  expectOnly(request, LaunchFault::GridDimension, 65536, 65535,
             "cudaErrorInvalidValue");
  request = fine();
  request.grid[0] = 0;
  expectOnly(request, LaunchFault::ZeroDimension, 0, 2147483647,
             "cudaErrorInvalidValue");
  request = fine();
  request.block = {32, 33, 1};
  expectOnly(request, LaunchFault::ThreadsPerBlock, 1056, 1024,
             "cudaErrorInvalidValue");
  request = fine();
  request.launchBound = 128;
  expectOnly(request, LaunchFault::LaunchBounds, 256, 128,
             "cudaErrorInvalidValue");
}

TEST(LaunchCheck, Registers) {
  LaunchRequest request = fine();
  request.block = {8, 8, 8};
  request.registersPerThread = 136;
  // 136 x 32 = 4,352 a warp, 16 warps.
  expectOnly(request, LaunchFault::RegistersPerBlock, 69632, 65536,
             "cudaErrorLaunchOutOfResources");
}

TEST(LaunchCheck, SharedMemory) {
  LaunchRequest request = fine();
  request.staticShared = 1024;
  request.dynamicShared = 48 * 1024 - 1023;
  expectOnly(request, LaunchFault::SharedWithoutOptIn, 48 * 1024 - 1023,
             47 * 1024, "cudaErrorInvalidValue");
  // An opt-in helps; one that is too small does not, even below 48 KiB.
  request.optIn = std::optional<uint64_t>(64 * 1024);
  EXPECT_TRUE(problems(request).empty());
  request.dynamicShared = 8192;
  request.optIn = std::optional<uint64_t>(4096);
  expectOnly(request, LaunchFault::SharedWithoutOptIn, 8192, 4096,
             "cudaErrorInvalidValue");
  request.dynamicShared = 227 * 1024;
  request.optIn = std::optional<uint64_t>(227 * 1024);
  expectOnly(request, LaunchFault::SharedPerBlock, 228 * 1024, 227 * 1024,
             "cudaErrorInvalidValue");
  // Whether there was an opt-in is not known: nothing is certain.
  request = fine();
  request.dynamicShared = 100 * 1024;
  request.optIn.reset();
  EXPECT_TRUE(problems(request).empty());
  EXPECT_EQ(problems(request, "rtx3090").size(), 1u);
}

TEST(LaunchCheck, Clusters) {
  LaunchRequest request = fine();
  request.clusterSize = 8;
  EXPECT_TRUE(problems(request).empty());
  request.clusterSize = 3;
  expectOnly(request, LaunchFault::ClusterDoesNotDivideGrid, 8, 3,
             "cudaErrorInvalidClusterSize");
  request.grid[0] = 9;
  EXPECT_TRUE(problems(request).empty());
  request.grid[0] = 16;
  request.clusterSize = 16;
  expectOnly(request, LaunchFault::ClusterSize, 16, 8,
             "cudaErrorInvalidClusterSize");
  request.nonPortableCluster = true;
  EXPECT_TRUE(problems(request).empty());
  // 2 x 2: each dimension has to divide its own.
  request = fine();
  request.grid = {8, 3, 1};
  request.clusterShape = {2, 2, 1};
  expectOnly(request, LaunchFault::ClusterDoesNotDivideGrid, 3, 2,
             "cudaErrorInvalidClusterSize");
  EXPECT_EQ(problems(request)[0].dimension, 1u);
  request.grid[1] = 4;
  EXPECT_TRUE(problems(request).empty());
}

TEST(LaunchCheck, CooperativeGridHasToFitAtOnce) {
  LaunchRequest request = fine();
  request.cooperative = true;
  request.registersPerThread = 64;
  request.grid[0] = 4 * 132;
  EXPECT_TRUE(problems(request).empty());
  request.grid[0] = 4 * 132 + 1;
  expectOnly(request, LaunchFault::CooperativeGrid, 529, 528,
             "cudaErrorCooperativeLaunchTooLarge");
}

TEST(LaunchCheck, TellsEveryReasonAndTheRuntimesFirst) {
  LaunchRequest request = fine();
  request.block = {512, 1, 1};
  request.registersPerThread = 168;
  request.dynamicShared = 100 * 1024;
  request.cooperative = true;
  const std::vector<LaunchProblem> all = problems(request);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].fault, LaunchFault::CooperativeGrid);
  EXPECT_EQ(all[1].fault, LaunchFault::SharedWithoutOptIn);
  EXPECT_EQ(all[2].fault, LaunchFault::RegistersPerBlock);
  EXPECT_STREQ(launchError(*findGPU("h200"), request),
               "cudaErrorCooperativeLaunchTooLarge");
}

TEST(LaunchCheck, UnknownNumbersCountAsTheSmallest) {
  EXPECT_TRUE(problems(LaunchRequest()).empty());
  LaunchRequest request;
  request.block[1] = 2048;
  const std::vector<LaunchProblem> all = problems(request);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].fault, LaunchFault::BlockDimension);
  EXPECT_EQ(all[1].fault, LaunchFault::ThreadsPerBlock);
  request = LaunchRequest();
  request.block[0] = 1024;
  request.registersPerThread = 65;
  EXPECT_EQ(problems(request).size(), 1u);
}

TEST(LaunchCheck, AbsurdValuesDoNotWrap) {
  constexpr uint64_t huge = uint64_t(1) << 63;
  LaunchRequest request;
  request.grid = {huge, huge, huge};
  request.block = {huge, 2, 2};
  request.registersPerThread = ~0u;
  request.staticShared = ~0u;
  request.dynamicShared = ~uint64_t(0);
  request.optIn = std::optional<uint64_t>(~uint64_t(0));
  request.launchBound = 1024;
  request.clusterShape = {huge, huge, 3};
  request.cooperative = true;
  const std::vector<LaunchProblem> all = problems(request);
  EXPECT_GE(all.size(), 9u);
  EXPECT_STREQ(all[0].error, "cudaErrorInvalidValue");
  for (const LaunchProblem &problem : all) {
    EXPECT_STRNE(launchFaultName(problem.fault), "");
    if (problem.fault == LaunchFault::ThreadsPerBlock ||
        problem.fault == LaunchFault::RegistersPerBlock) {
      EXPECT_EQ(problem.asked, ~uint64_t(0));
    }
  }
  request = LaunchRequest();
  request.clusterShape = {0, 1, 1};
  request.grid = {8, 1, 1};
  EXPECT_EQ(problems(request).size(), 1u);
}

} // namespace
