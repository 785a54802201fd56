// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Would the runtime accept this launch, and if not, why.
//
// In:   8 x 8 x 8 threads with 136 registers each.
// Out:  RegistersPerBlock, 69,632 over 65,536, cudaErrorLaunchOutOfResources.

#ifndef CORESIDE_DEVICE_LAUNCHCHECK_H
#define CORESIDE_DEVICE_LAUNCHCHECK_H

#include "GPU.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace coreside {

/// A launch as the host asks for it. A field without a value is not known and
/// is not checked.
struct LaunchRequest {
  std::array<std::optional<uint64_t>, 3> grid;
  std::array<std::optional<uint64_t>, 3> block;
  std::optional<unsigned> registersPerThread;
  std::optional<unsigned> staticShared;
  std::optional<uint64_t> dynamicShared;
  /// Last value given to cudaFuncAttributeMaxDynamicSharedMemorySize; the
  /// outer optional is empty when it is not known whether one was given, the
  /// inner when none was.
  std::optional<std::optional<uint64_t>> optIn;
  /// First argument of __launch_bounds__, 0 when the kernel has none.
  std::optional<unsigned> launchBound;
  /// Blocks per cluster, 0 when the launch has none.
  std::optional<unsigned> clusterSize = 0;
  /// The cluster's x, y and z where it is not clusterSize x 1 x 1; then
  /// clusterSize is not looked at.
  std::optional<std::array<uint64_t, 3>> clusterShape;
  bool nonPortableCluster = false;
  bool cooperative = false;
};

enum class LaunchFault {
  ZeroDimension,
  BlockDimension,
  ThreadsPerBlock,
  GridDimension,
  LaunchBounds,
  RegistersPerBlock,
  /// Static and dynamic over 48 KiB and no opt-in reaches it.
  SharedWithoutOptIn,
  /// Over what an opt-in could give.
  SharedPerBlock,
  ClusterSize,
  ClusterDoesNotDivideGrid,
  /// Not one cluster finds room on the SMs that one may spread over. Which
  /// error follows was not measured.
  ClusterNotResident,
  CooperativeGrid,
};

/// One reason why the launch fails: what was asked, what the limit is, and the
/// error that cudaLaunchKernel returns ("cudaErrorInvalidValue").
struct LaunchProblem {
  LaunchFault fault;
  /// 0, 1, 2 for x, y, z where the fault belongs to a dimension.
  unsigned dimension = 0;
  uint64_t asked = 0;
  uint64_t limit = 0;
  const char *error = "";
};

/// Every reason known from `request` why `gpu` refuses it, the one that the
/// runtime reports first; empty when none is known. A number that is not known
/// counts as the smallest it can be, so what is reported is certain.
std::vector<LaunchProblem> checkLaunch(const GPU &gpu,
                                       const LaunchRequest &request);

/// What cudaLaunchKernel or cudaLaunchKernelExC returns: the error of the first
/// problem, or "cudaSuccess" when none is known.
const char *launchError(const GPU &gpu, const LaunchRequest &request);

/// "block dimension", "registers per block".
const char *launchFaultName(LaunchFault fault);

} // namespace coreside

#endif
