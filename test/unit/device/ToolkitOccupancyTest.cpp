// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy against the toolkit's own calculator, cuda_occupancy.h, for every
// capability that both know: blocks, the limit of each resource and which
// resource limits.

#include "device/Occupancy.h"

#include <algorithm>
#include <climits>
#include <cuda_occupancy.h>
#include <gtest/gtest.h>
#include <random>

using namespace coreside;

namespace {

cudaOccDeviceProp properties(const Architecture &architecture) {
  cudaOccDeviceProp result;
  result.computeMajor = static_cast<int>(architecture.capability.major);
  result.computeMinor = static_cast<int>(architecture.capability.minor);
  result.maxThreadsPerBlock = static_cast<int>(architecture.threadsPerBlock);
  result.maxThreadsPerMultiprocessor =
      static_cast<int>(architecture.threadsPerSM);
  result.regsPerBlock = static_cast<int>(architecture.registersPerBlock);
  result.regsPerMultiprocessor = static_cast<int>(architecture.registersPerSM);
  result.warpSize = static_cast<int>(architecture.warpSize);
  result.sharedMemPerBlock = architecture.sharedPerBlock;
  result.sharedMemPerMultiprocessor = architecture.sharedPerSM;
  result.numSms = 1;
  result.sharedMemPerBlockOptin = architecture.sharedPerBlockOptIn;
  result.reservedSharedMemPerBlock = architecture.sharedReservedPerBlock;
  return result;
}

/// The calculator's answer for a kernel that opted in to what it asks for.
cudaOccError ask(const Architecture &architecture, const Footprint &footprint,
                 cudaOccResult &result) {
  const cudaOccDeviceProp device = properties(architecture);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = static_cast<int>(footprint.registersPerThread);
  function.sharedSizeBytes = footprint.staticShared;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = footprint.dynamicShared;
  function.numBlockBarriers = static_cast<int>(footprint.barriers);
  cudaOccDeviceState state;
  state.carveoutConfig = footprint.carveoutPercent;
  return cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state,
      static_cast<int>(footprint.threadsPerBlock), footprint.dynamicShared);
}

unsigned limit(int blocks) {
  return blocks == INT_MAX ? Occupancy::unlimited
                           : static_cast<unsigned>(blocks);
}

/// The limiter as the calculator's bits have it: the lowest bit, which is in
/// the order warps, registers, shared memory, blocks, barriers. Barriers are
/// looked at last, and where they allow fewer than all others the calculator
/// sets their bit but leaves that of the second smallest set.
Limiter limiter(const cudaOccResult &result) {
  const unsigned bits = result.limitingFactors;
  const int others =
      std::min({result.blockLimitWarps, result.blockLimitRegs,
                result.blockLimitSharedMem, result.blockLimitBlocks});
  if ((bits & OCC_LIMIT_BARRIERS) && result.blockLimitBarriers < others)
    return Limiter::Barriers;
  if (bits & OCC_LIMIT_WARPS)
    return Limiter::Warps;
  if (bits & OCC_LIMIT_REGISTERS)
    return Limiter::Registers;
  if (bits & OCC_LIMIT_SHARED_MEMORY)
    return Limiter::SharedMemory;
  if (bits & OCC_LIMIT_BLOCKS)
    return Limiter::BlockSlots;
  if (bits & OCC_LIMIT_BARRIERS)
    return Limiter::Barriers;
  return Limiter::None;
}

/// Compares one configuration; true when all is equal.
bool agrees(const Architecture &architecture, const Footprint &footprint) {
  cudaOccResult theirs = {};
  EXPECT_EQ(ask(architecture, footprint, theirs), CUDA_OCC_SUCCESS);
  const Occupancy ours = occupancy(architecture, footprint);
  const BlockCost cost = blockCost(architecture, footprint);
  // On 6.0 the calculator leaves the allocation of its second try, on a 6.1, in
  // the result; it is the same.
  const bool isEqual =
      ours.blocksPerSM ==
          static_cast<unsigned>(theirs.activeBlocksPerMultiprocessor) &&
      ours.limiter == limiter(theirs) &&
      ours.byWarps == limit(theirs.blockLimitWarps) &&
      ours.byRegisters == limit(theirs.blockLimitRegs) &&
      ours.byShared == limit(theirs.blockLimitSharedMem) &&
      ours.byBlockSlots == limit(theirs.blockLimitBlocks) &&
      ours.byBarriers == limit(theirs.blockLimitBarriers) &&
      cost.registers ==
          static_cast<unsigned>(theirs.allocatedRegistersPerBlock) &&
      cost.shared == theirs.allocatedSharedMemPerBlock;
  EXPECT_TRUE(isEqual) << smName(architecture.capability) << ": "
                       << footprint.threadsPerBlock << " threads, "
                       << footprint.registersPerThread << " registers, "
                       << footprint.staticShared << " + "
                       << footprint.dynamicShared << " bytes, "
                       << footprint.barriers << " barriers, "
                       << footprint.carveoutPercent
                       << " per cent: " << ours.blocksPerSM
                       << " blocks, the toolkit says "
                       << theirs.activeBlocksPerMultiprocessor;
  return isEqual;
}

// Every register count at every warp count.
TEST(ToolkitOccupancy, RegistersAndThreads) {
  unsigned count = 0;
  for (const Architecture &architecture : architectures())
    for (unsigned registers = 0; registers <= 255; ++registers)
      for (unsigned threads = 1; threads <= 1025; threads += 32, ++count) {
        Footprint footprint;
        footprint.threadsPerBlock = threads;
        footprint.registersPerThread = registers;
        ASSERT_TRUE(agrees(architecture, footprint));
      }
  EXPECT_EQ(count, 21u * 256 * 33);
}

// Shared memory around every allocation unit and limit, with preferences.
TEST(ToolkitOccupancy, SharedMemoryAndCarveouts) {
  unsigned count = 0;
  for (const Architecture &architecture : architectures())
    for (int percent : {-1, 0, 1, 10, 25, 33, 50, 66, 75, 99, 100})
      for (unsigned bytes = 0; bytes <= 240 * 1024; bytes += 127, ++count) {
        Footprint footprint;
        footprint.threadsPerBlock = 32;
        footprint.staticShared = bytes % 3 == 0 ? std::min(bytes, 1000u) : 0;
        footprint.dynamicShared = bytes - footprint.staticShared;
        footprint.carveoutPercent = percent;
        ASSERT_TRUE(agrees(architecture, footprint));
      }
  EXPECT_GE(count, 400000u);
}

// Everything at once.
TEST(ToolkitOccupancy, RandomConfigurations) {
  std::mt19937 random(1);
  const auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(random);
  };
  constexpr int percents[] = {-1, -1, 0, 50, 100};
  unsigned count = 0;
  for (const Architecture &architecture : architectures())
    for (unsigned i = 0; i < 20000; ++i, ++count) {
      Footprint footprint;
      footprint.threadsPerBlock = pick(1, 1100);
      footprint.registersPerThread = pick(0, 255);
      footprint.staticShared = pick(0, 1) ? pick(0, 48 * 1024) : 0;
      footprint.dynamicShared =
          pick(0, 2) ? pick(0, 240 * 1024 >> pick(0, 6)) : 0;
      footprint.barriers = pick(0, 16);
      const unsigned percent = pick(0, 5);
      footprint.carveoutPercent =
          percent < 5 ? percents[percent] : static_cast<int>(pick(0, 100));
      ASSERT_TRUE(agrees(architecture, footprint));
    }
  EXPECT_EQ(count, 420000u);
}

} // namespace
