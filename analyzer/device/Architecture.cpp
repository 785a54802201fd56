// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of compute capabilities, one line each.
//
// In:   {8, 6}.
// Out:  48 warps, 16 blocks, 100 KiB shared per SM, 99 per block ...
//
// Where the numbers come from:
//   guide   CUDA C++ Programming Guide, "Technical Specifications per Compute
//           Capability": threads, blocks, registers, shared memory per SM and
//           block, resident grids, L1 and shared memory together, cluster size.
//   header  cuda_occupancy.h of toolkit 13.0: blocks, sub-partitions,
//           allocation units, shared-memory configurations, barriers. A test
//           holds this table against it.
//   H200    measured on an H200: everything in the line of 9.0, with residency
//           and cluster limits tried out.
//   CCCL    cuda/__device/arch_traits.h of NVIDIA's CUDA Core Compute
//   Libraries,
//           read where the others leave a gap; it agrees with all lines from
//           6.0 on but for resident grids.
// Where they disagree is told in docs/model.md.

#include "Architecture.h"

#include <algorithm>
#include <initializer_list>

namespace coreside {

namespace {

constexpr unsigned KiB = 1024;

/// Sizes of the shared-memory side of the split, KiB; header.
constexpr unsigned voltaSplit[] = {0, 8, 16, 32, 64, 96};
constexpr unsigned turingSplit[] = {32, 64};
constexpr unsigned ga100Split[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr unsigned smallSplit[] = {0, 8, 16, 32, 64, 100};
constexpr unsigned hopperSplit[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

/// What differs between the architectures. Sizes are KiB.
struct Row {
  ComputeCapability capability;
  unsigned threadsPerSM;
  unsigned blocksPerSM;
  unsigned subPartitions;
  /// Thousands (1,024) of registers.
  unsigned registersPerBlock;
  unsigned sharedPerSM;
  unsigned sharedPerBlockOptIn;
  unsigned l1AndShared;
  unsigned barriersPerSM;
  unsigned residentGrids;
  std::span<const unsigned> split;
};

// Barriers: the header gives a pool to every architecture but applies it from
// 9.0 on, so older lines hold 0. 8.8 is in no table of the guide: the header
// and CCCL treat it like 8.6. 10.1 is 11.0's name in CUDA 12.
// clang-format off
const Row rows[] = {
    //  CC   threads blocks parts regs shared opt-in L1+sh bars grids  split
    {{ 5, 0}, 2048,   32,    4,   64,   64,    48,    0,    0,   32,  {}},          // guide, header
    {{ 5, 2}, 2048,   32,    4,   64,   96,    48,    0,    0,   32,  {}},          // guide, header
    {{ 5, 3}, 2048,   32,    4,   32,   64,    48,    0,    0,   16,  {}},          // guide, header
    {{ 6, 0}, 2048,   32,    2,   64,   64,    48,    0,    0,  128,  {}},          // guide, header
    {{ 6, 1}, 2048,   32,    4,   64,   96,    48,    0,    0,   32,  {}},          // guide, header
    {{ 6, 2}, 2048,   32,    4,   32,   64,    48,    0,    0,   16,  {}},          // guide, header
    {{ 7, 0}, 2048,   32,    4,   64,   96,    96,  128,    0,  128,  voltaSplit},  // guide, header
    {{ 7, 2}, 2048,   32,    4,   64,   96,    96,  128,    0,   16,  voltaSplit},  // guide, header
    {{ 7, 5}, 1024,   16,    4,   64,   64,    64,   96,    0,  128,  turingSplit}, // guide, header
    {{ 8, 0}, 2048,   32,    4,   64,  164,   163,  192,    0,  128,  ga100Split},  // guide, header
    {{ 8, 6}, 1536,   16,    4,   64,  100,    99,  128,    0,  128,  smallSplit},  // guide, header
    {{ 8, 7}, 1536,   16,    4,   64,  164,   163,  192,    0,  128,  ga100Split},  // guide, header
    {{ 8, 8}, 1536,   16,    4,   64,  100,    99,  128,    0,  128,  smallSplit},  // header, CCCL
    {{ 8, 9}, 1536,   24,    4,   64,  100,    99,  128,    0,  128,  smallSplit},  // guide, header
    {{ 9, 0}, 2048,   32,    4,   64,  228,   227,  256,   64,  128,  hopperSplit}, // guide, header, H200
    {{10, 0}, 2048,   32,    4,   64,  228,   227,  256,   64,  128,  hopperSplit}, // guide, header
    {{10, 1}, 1536,   24,    4,   64,  228,   227,  256,   24,  128,  hopperSplit}, // header, guide of CUDA 12
    {{10, 3}, 2048,   32,    4,   64,  228,   227,  256,   64,  128,  hopperSplit}, // guide, header
    {{11, 0}, 1536,   24,    4,   64,  228,   227,  256,   24,  128,  hopperSplit}, // guide, header
    {{12, 0}, 1536,   24,    4,   64,  100,    99,  128,   24,  128,  smallSplit},  // guide, header
    {{12, 1}, 1536,   24,    4,   64,  100,    99,  128,   24,  128,  smallSplit},  // guide, header
};
// clang-format on

Architecture expand(const Row &row) {
  Architecture result;
  const unsigned major = row.capability.major;
  result.capability = row.capability;
  result.threadsPerSM = row.threadsPerSM;
  result.warpsPerSM = row.threadsPerSM / result.warpSize;
  result.blocksPerSM = row.blocksPerSM;
  result.subPartitions = row.subPartitions;
  result.registersPerSM = 64 * KiB; // The same everywhere from 5.0 on; guide.
  result.registersPerBlock = row.registersPerBlock * KiB;
  result.sharedPerSM = row.sharedPerSM * KiB;
  result.sharedPerBlock = 48 * KiB; // guide
  result.sharedPerBlockOptIn = row.sharedPerBlockOptIn * KiB;
  // "Starting Ampere, the driver reserves shared memory per block": header and
  // guide; 1,024 measured on the H200 and the opt-in's distance to the SM's
  // total on every later line.
  result.sharedReservedPerBlock = major >= 8 ? 1 * KiB : 0;
  result.sharedAllocationUnit = major >= 8 ? 128 : 256; // header
  for (unsigned size : row.split)
    result.sharedConfigurations.push_back(size * KiB);
  result.sharedTargetsMeasured = row.capability == ComputeCapability{9, 0};
  result.l1AndShared = row.l1AndShared * KiB;
  result.barriersPerSM = row.barriersPerSM;
  result.residentGrids = row.residentGrids;
  // Clusters came with 9.0. 8 is portable by definition (guide); 16 with the
  // non-portable attribute was measured on the H200 and stands in the Blackwell
  // tuning guide. For 10.1, 11.0 and 12.x no source was found: they get the
  // same, so that no launch is called impossible on a guess.
  if (major >= 9) {
    result.clusterPortable = 8;
    result.clusterNonPortable = 16;
    result.clusterBlocksPerSM = 8; // H200; later lines are taken to be alike
  }
  return result;
}

} // namespace

std::string smName(ComputeCapability capability) {
  return "sm_" + std::to_string(capability.major) +
         std::to_string(capability.minor);
}

std::span<const Architecture> architectures() {
  static const std::vector<Architecture> table = [] {
    std::vector<Architecture> result;
    for (const Row &row : rows)
      result.push_back(expand(row));
    return result;
  }();
  return table;
}

const Architecture *findArchitecture(ComputeCapability capability) {
  for (const Architecture &architecture : architectures())
    if (architecture.capability == capability)
      return &architecture;
  return nullptr;
}

} // namespace coreside
