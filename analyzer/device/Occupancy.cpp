// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks of one kernel an SM can hold, and what stops one more.
//
// In:   9.0, {256 threads, 64 registers, 8,192 bytes of shared memory}.
// Out:  4 blocks: registers 65,536 / (8 warps x 2,048) = 4; warps 8, shared
//       memory 25, block slots 32.
//
// The rules are those of the toolkit's cuda_occupancy.h, which a test includes
// and holds this file against, and of 29,575 answers of an H200's driver.
// Everything is worked out in 64 bits, so that no value of a footprint wraps.

#include "Occupancy.h"

#include <algorithm>
#include <utility>

namespace coreside {

namespace {

uint64_t roundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

unsigned saturate(uint64_t value) {
  return value > ~0u ? ~0u : static_cast<unsigned>(value);
}

/// A block's cost before it is squeezed into the fields of BlockCost.
struct WideCost {
  uint64_t warps;
  uint64_t registersPerWarp;
  uint64_t shared;
};

WideCost wideCost(const Architecture &architecture,
                  const Footprint &footprint) {
  const uint64_t warpSize = architecture.warpSize;
  return {(uint64_t(footprint.threadsPerBlock) + warpSize - 1) / warpSize,
          roundUp(footprint.registersPerThread * warpSize,
                  architecture.registerAllocationUnit),
          roundUp(uint64_t(footprint.staticShared) + footprint.dynamicShared +
                      architecture.sharedReservedPerBlock,
                  architecture.sharedAllocationUnit)};
}

unsigned blocksByWarps(const Architecture &architecture,
                       const Footprint &footprint, const WideCost &cost) {
  if (cost.warps == 0 ||
      footprint.threadsPerBlock > architecture.threadsPerBlock)
    return 0;
  return static_cast<unsigned>(architecture.warpsPerSM / cost.warps);
}

unsigned blocksByRegisters(const Architecture &architecture,
                           const Footprint &footprint, const WideCost &cost) {
  if (footprint.registersPerThread > architecture.registersPerThread)
    return 0;
  // The hardware's check of one block counts warps as if all sub-partitions
  // got equally many.
  if (cost.registersPerWarp *
          roundUp(cost.warps, architecture.warpAllocationUnit) >
      architecture.registersPerBlock)
    return 0;
  if (cost.registersPerWarp == 0 || cost.warps == 0)
    return Occupancy::unlimited;
  // A warp lives in one sub-partition, so what is left over in each is lost: of
  // 5,632 registers 11 warps would fit in 65,536, but only 2 in each 16,384.
  const uint64_t perPartition =
      architecture.registersPerSM / architecture.subPartitions;
  const uint64_t warps =
      perPartition / cost.registersPerWarp * architecture.subPartitions;
  return static_cast<unsigned>(warps / cost.warps);
}

unsigned blocksByShared(const Architecture &architecture,
                        const Footprint &footprint, const WideCost &cost) {
  if (cost.shared > uint64_t(architecture.sharedPerBlockOptIn) +
                        architecture.sharedReservedPerBlock)
    return 0;
  if (cost.shared == 0)
    return Occupancy::unlimited;
  return static_cast<unsigned>(
      preferredShared(architecture, footprint.carveoutPercent, cost.shared) /
      cost.shared);
}

} // namespace

const char *limiterName(Limiter limiter) {
  switch (limiter) {
  case Limiter::None:
    return "nothing";
  case Limiter::Warps:
    return "warps";
  case Limiter::Registers:
    return "registers";
  case Limiter::SubPartition:
    return "registers of a sub-partition";
  case Limiter::SharedMemory:
    return "shared memory";
  case Limiter::SharedConfiguration:
    return "shared-memory configuration";
  case Limiter::BlockSlots:
    return "block slots";
  case Limiter::Barriers:
    return "barriers";
  case Limiter::Clusters:
    return "clusters";
  case Limiter::ResidentGrids:
    return "resident grids";
  case Limiter::DispatchOrder:
    return "dispatch order";
  }
  return "nothing";
}

unsigned sharedConfigurationFor(const Architecture &architecture,
                                uint64_t bytes) {
  for (unsigned size : architecture.sharedConfigurations)
    if (size >= bytes)
      return size;
  return architecture.sharedPerSM;
}

unsigned preferredShared(const Architecture &architecture, int carveoutPercent,
                         uint64_t bytesPerBlock) {
  if (carveoutPercent < 0 || architecture.sharedConfigurations.empty())
    return architecture.sharedPerSM;
  const uint64_t percent = std::min(carveoutPercent, 100);
  const unsigned preferred = sharedConfigurationFor(
      architecture, percent * architecture.sharedPerSM / 100);
  // A preference gives way to the first block.
  return preferred >= bytesPerBlock
             ? preferred
             : sharedConfigurationFor(architecture, bytesPerBlock);
}

BlockCost blockCost(const Architecture &architecture,
                    const Footprint &footprint) {
  const WideCost cost = wideCost(architecture, footprint);
  BlockCost result;
  result.warps = saturate(cost.warps);
  result.registersPerWarp = saturate(cost.registersPerWarp);
  // Both factors are below 2^33, so their product may pass 2^64.
  result.registers =
      cost.registersPerWarp != 0 && cost.warps > ~0u / cost.registersPerWarp
          ? ~0u
          : saturate(cost.warps * cost.registersPerWarp);
  result.shared = saturate(cost.shared);
  result.barriers = footprint.barriers;
  return result;
}

Occupancy occupancy(const Architecture &architecture,
                    const Footprint &footprint) {
  const WideCost cost = wideCost(architecture, footprint);
  Occupancy result;
  result.byWarps = blocksByWarps(architecture, footprint, cost);
  result.byRegisters = blocksByRegisters(architecture, footprint, cost);
  result.byShared = blocksByShared(architecture, footprint, cost);
  result.byBlockSlots = architecture.blocksPerSM;
  if (architecture.barriersPerSM != 0 && footprint.barriers != 0)
    result.byBarriers = architecture.barriersPerSM / footprint.barriers;

  result.blocksPerSM =
      std::min({result.byWarps, result.byRegisters, result.byShared,
                result.byBlockSlots, result.byBarriers});
  const std::pair<unsigned, Limiter> inOrder[] = {
      {result.byWarps, Limiter::Warps},
      {result.byRegisters, Limiter::Registers},
      {result.byShared, Limiter::SharedMemory},
      {result.byBlockSlots, Limiter::BlockSlots},
      {result.byBarriers, Limiter::Barriers}};
  for (auto [blocks, limiter] : inOrder)
    if (blocks == result.blocksPerSM) {
      result.limiter = limiter;
      break;
    }
  return result;
}

} // namespace coreside
