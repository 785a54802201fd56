// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Admission.h"

#include <algorithm>
#include <cassert>

using namespace coreside;

/// The largest target that a kernel with shared memory reaches by asking for
/// more than its own blocks need: 132 of 228 KiB on sm_90 (target_default.csv);
/// elsewhere the same share, rounded to a configuration.
static uint64_t roomyTarget(const Architecture &architecture) {
  uint64_t largest = architecture.sharedConfigurations.back();
  return sharedConfigurationFor(architecture, largest * 132 / 228);
}

/// What an empty SM is set to when no preference is given. Measured on sm_90
/// from outside, with probes of known need: target_default.csv and
/// target_nosmem.csv (docs/model.md gives the figures).
static unsigned defaultTarget(const Architecture &architecture,
                              const PreparedKernel &kernel) {
  const uint64_t blocks = kernel.alone.blocksPerSM;
  const uint64_t perBlock = kernel.cost.shared;
  const unsigned own = sharedConfigurationFor(architecture, blocks * perBlock);
  if (blocks <= 1)
    return own;
  const Footprint &footprint = kernel.footprint;
  if (footprint.staticShared + uint64_t(footprint.dynamicShared) == 0) {
    const unsigned KiB = footprint.threadsPerBlock < 512   ? 32
                         : footprint.threadsPerBlock < 768 ? 16
                                                           : 8;
    return std::max(own, sharedConfigurationFor(architecture, KiB * 1024));
  }
  const uint64_t spare =
      kernel.cost.warps < 32 ? 32 - uint64_t(kernel.cost.warps) : 0;
  const uint64_t wished = sharedConfigurationFor(
      architecture, std::min(2 * blocks, spare) * perBlock);
  return std::max<uint64_t>(own, std::min(wished, roomyTarget(architecture)));
}

/// What an empty SM is set to when a preference was given (target_carve.csv).
static unsigned preferredTarget(const Architecture &architecture,
                                const PreparedKernel &kernel) {
  const Footprint &footprint = kernel.footprint;
  const uint64_t largest = architecture.sharedConfigurations.back();
  const uint64_t preferred =
      largest * uint64_t(std::min(footprint.carveoutPercent, 100)) / 100;
  const unsigned rounded = sharedConfigurationFor(architecture, preferred);
  uint64_t own = footprint.staticShared + uint64_t(footprint.dynamicShared);
  if (own == 0)
    return std::max(rounded, defaultTarget(architecture, kernel));
  const uint64_t unit = std::max(1u, architecture.sharedAllocationUnit);
  own = (own + unit - 1) / unit * unit;
  const uint64_t perBlock = kernel.cost.shared;
  return std::max(
      {rounded,
       sharedConfigurationFor(architecture, preferred / own * perBlock),
       kernel.need});
}

PreparedKernel coreside::prepareKernel(const Architecture &architecture,
                                       const Footprint &footprint) {
  PreparedKernel kernel;
  kernel.footprint = footprint;
  kernel.cost = blockCost(architecture, footprint);
  kernel.alone = occupancy(architecture, footprint);
  kernel.blocksHeld = kernel.alone.blocksPerSM;
  if (architecture.sharedConfigurations.empty())
    return kernel;
  kernel.need = sharedConfigurationFor(
      architecture, uint64_t(kernel.alone.blocksPerSM) * kernel.cost.shared);
  if (footprint.carveoutPercent < 0) {
    kernel.target = defaultTarget(architecture, kernel);
  } else {
    kernel.target = preferredTarget(architecture, kernel);
    kernel.ceiling = kernel.target;
  }
  kernel.blocksHeld = SMState(architecture).room(kernel);
  return kernel;
}

/// Warps of one block that sub-partition `partition` gets.
static unsigned shareOf(const PreparedKernel &kernel, unsigned partition,
                        unsigned firstPartition, unsigned partitions) {
  const unsigned offset =
      (partition + partitions - firstPartition) % partitions;
  return kernel.cost.warps / partitions +
         (offset < kernel.cost.warps % partitions);
}

SMState::SMState(const Architecture &architecture)
    : architecture(&architecture) {
  assert(architecture.subPartitions >= 1 &&
         architecture.subPartitions <= maxPartitions);
}

Limiter SMState::refusal(const PreparedKernel &kernel) const {
  const Architecture &limits = *architecture;
  const BlockCost &cost = kernel.cost;
  if (kernel.alone.blocksPerSM == 0)
    return kernel.alone.limiter == Limiter::None ? Limiter::Warps
                                                 : kernel.alone.limiter;
  if (blocks == 0)
    return Limiter::None;
  if (totalWarps + cost.warps > limits.warpsPerSM)
    return Limiter::Warps;
  if (totalRegisters + uint64_t(cost.registers) > limits.registersPerSM)
    return Limiter::Registers;
  if (blocks >= limits.blocksPerSM)
    return Limiter::BlockSlots;
  if (limits.barriersPerSM != 0 &&
      barriers + cost.barriers > limits.barriersPerSM)
    return Limiter::Barriers;
  if (shared + uint64_t(cost.shared) > limits.sharedPerSM)
    return Limiter::SharedMemory;
  // Where room is short as well, that is the reason to name: another
  // configuration would not help.
  if (!partitionsHold(kernel))
    return Limiter::SubPartition;
  if (!limits.sharedConfigurations.empty() &&
      (configuration < kernel.need || configuration > kernel.ceiling ||
       shared + uint64_t(cost.shared) > configuration))
    return Limiter::SharedConfiguration;
  return Limiter::None;
}

/// The start is not searched for. It goes on where the last block ended, and
/// stays there while blocks are refused: an SM may refuse a kernel for as long
/// as nothing else is placed, although another start would fit. Seen where a
/// second wave of short blocks does not come back beside a long one
/// (pairs*.csv: 11 rows that no free start explains, and none that
/// contradicts).
bool SMState::partitionsHold(const PreparedKernel &kernel) const {
  const unsigned partitions = architecture->subPartitions;
  const unsigned warpSlots = architecture->warpsPerSM / partitions;
  const unsigned registerFile = architecture->registersPerSM / partitions;
  for (unsigned i = 0; i < partitions; ++i) {
    const unsigned share = shareOf(kernel, i, nextPartition, partitions);
    if (warps[i] + share > warpSlots ||
        registers[i] + share * kernel.cost.registersPerWarp > registerFile)
      return false;
  }
  return true;
}

unsigned SMState::room(const PreparedKernel &kernel) const {
  SMState trial = *this;
  unsigned more = 0;
  for (; trial.canAdmit(kernel); ++more)
    trial.admit(kernel);
  return more;
}

void SMState::deal(const PreparedKernel &kernel, unsigned firstPartition,
                   int sign) {
  const unsigned partitions = architecture->subPartitions;
  for (unsigned i = 0; i < partitions; ++i) {
    const int share = int(shareOf(kernel, i, firstPartition, partitions));
    warps[i] = uint16_t(int(warps[i]) + sign * share);
    registers[i] =
        uint32_t(int64_t(registers[i]) +
                 int64_t(sign) * share * int64_t(kernel.cost.registersPerWarp));
  }
  blocks += unsigned(sign);
  totalWarps += unsigned(sign * int(kernel.cost.warps));
  totalRegisters +=
      unsigned(sign) * kernel.cost.warps * kernel.cost.registersPerWarp;
  shared += unsigned(sign) * kernel.cost.shared;
  barriers += unsigned(sign) * kernel.cost.barriers;
}

unsigned SMState::admit(const PreparedKernel &kernel) {
  assert(canAdmit(kernel));
  if (blocks == 0)
    configuration = kernel.target;
  const unsigned first = nextPartition;
  deal(kernel, first, 1);
  // A block that all sub-partitions share alike moves the start too, by one
  // (triple_tight.csv: 15,000 of 15,000 rows; 98.1 % without).
  const unsigned left = kernel.cost.warps % architecture->subPartitions;
  nextPartition = (first + std::max(left, 1u)) % architecture->subPartitions;
  return first;
}

void SMState::release(const PreparedKernel &kernel, unsigned firstPartition) {
  assert(blocks > 0);
  deal(kernel, firstPartition, -1);
}
