// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one compute capability allows on one SM: a row of numbers.
//
// In:   a compute capability, 9.0.
// Out:  its row, `findArchitecture({9, 0})->registersPerSM == 65536`, or null.
//
// SM counts do not belong here: they belong to a product (GPU.h).

#ifndef CORESIDE_DEVICE_ARCHITECTURE_H
#define CORESIDE_DEVICE_ARCHITECTURE_H

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coreside {

/// A compute capability as NVIDIA numbers it: 8.9 is {8, 9}.
struct ComputeCapability {
  unsigned major = 0;
  unsigned minor = 0;
  auto operator<=>(const ComputeCapability &) const = default;
};

/// "sm_89" for {8, 9}.
std::string smName(ComputeCapability capability);

/// The limits of one compute capability. Sizes are bytes unless the name says
/// otherwise. Sources of the numbers stand in Architecture.cpp and
/// docs/model.md.
struct Architecture {
  ComputeCapability capability;
  unsigned warpSize = 32;
  unsigned warpsPerSM = 0;
  unsigned threadsPerSM = 0;
  unsigned blocksPerSM = 0;
  /// The register file and the warp slots of an SM are divided evenly over
  /// this many sub-partitions; a warp lives in one of them.
  unsigned subPartitions = 4;
  unsigned registersPerSM = 0;
  unsigned registersPerBlock = 0;
  unsigned registersPerThread = 255;
  /// Registers of one warp are rounded up to this many (256).
  unsigned registerAllocationUnit = 256;
  /// A block's warps are rounded up to this many when its registers are held
  /// against registersPerBlock (4, also on 6.0 with its two sub-partitions).
  unsigned warpAllocationUnit = 4;
  unsigned sharedPerSM = 0;
  /// Without opt-in: 48 KiB, static and dynamic together.
  unsigned sharedPerBlock = 0;
  /// With cudaFuncAttributeMaxDynamicSharedMemorySize.
  unsigned sharedPerBlockOptIn = 0;
  /// Taken by the system from each resident block: 1,024 from 8.0 on, else 0.
  unsigned sharedReservedPerBlock = 0;
  unsigned sharedAllocationUnit = 0;
  /// The sizes that the shared-memory side of the L1/shared split can have,
  /// rising; empty where the two are separate memories.
  std::vector<unsigned> sharedConfigurations;
  /// Whether it was measured on such a GPU which of them a kernel without a
  /// preference gets. Elsewhere the driver may choose otherwise.
  bool sharedTargetsMeasured = false;
  /// L1 and shared memory together; 0 where they are separate.
  unsigned l1AndShared = 0;
  /// Named barriers an SM has for its blocks; 0 where they do not limit.
  unsigned barriersPerSM = 0;
  /// Kernels that can be resident on the device at once.
  unsigned residentGrids = 0;
  /// Blocks in a cluster: portable and with the non-portable attribute; 0
  /// where there are no clusters.
  unsigned clusterPortable = 0;
  unsigned clusterNonPortable = 0;
  /// Blocks on one SM at most when they belong to clusters.
  unsigned clusterBlocksPerSM = 0;
  unsigned threadsPerBlock = 1024;
  unsigned blockDimension[3] = {1024, 1024, 64};
  uint64_t gridDimension[3] = {2147483647, 65535, 65535};
};

/// Every architecture known, by rising capability.
std::span<const Architecture> architectures();

/// The row of `capability`, or null when it is not known.
const Architecture *findArchitecture(ComputeCapability capability);

} // namespace coreside

#endif
