// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one block of a launch takes from an SM, and how many blocks there are.

#ifndef CORESIDE_DEVICE_FOOTPRINT_H
#define CORESIDE_DEVICE_FOOTPRINT_H

#include <cstdint>

namespace coreside {

/// What one block needs. Every field is a plain number: values that are not
/// known stay outside the device model (analysis/Footprints.h tries bounds).
struct Footprint {
  /// 1 to 1,024.
  unsigned threadsPerBlock = 1;
  /// As ptxas reports them, 1 to 255.
  unsigned registersPerThread = 16;
  /// Bytes, as ptxas reports them: without the system's reserve.
  unsigned staticShared = 0;
  unsigned dynamicShared = 0;
  /// Named barriers, 0 to 16.
  unsigned barriers = 1;
  /// cudaFuncAttributePreferredSharedMemoryCarveout in per cent of the
  /// largest configuration; -1 when none was set.
  int carveoutPercent = -1;
  /// Blocks per cluster; 1 when the kernel has no clusters.
  unsigned clusterSize = 1;
};

/// A launch as the device sees it.
struct Grid {
  Footprint footprint;
  /// 1 to 2^31 - 1 times 65,535 squared; saturates at the largest uint64_t.
  uint64_t blocks = 1;
};

} // namespace coreside

#endif
