// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes about single launches, and about kernels, for the rules about bounds,
// occupancy and waves.
//
// In:   an analysis; for a launch on a GPU what to say of it, or nothing.
// Out:  note: <message> on a100 and h100
//       note: a100: <detail>
//
// What is said alike of several GPUs is one finding.

#ifndef CORESIDE_RULES_LAUNCHNOTES_H
#define CORESIDE_RULES_LAUNCHNOTES_H

#include "LaunchView.h"

#include <functional>
#include <optional>

namespace coreside {

/// One launch, of a known kernel and accepted by the runtime, on one GPU.
struct LaunchOnGPU {
  const LaunchView &launch;
  const Step &step;
  const Kernel &kernel;
  const LaunchFacts &facts;
  const GPU &gpu;
};

struct LaunchNote {
  /// What stands before and after the names of the GPUs.
  std::string before;
  std::string after;
  /// The arithmetic on this GPU.
  std::string detail;
  std::vector<Fix> fixes = {};
  /// Further places, the same on all GPUs.
  std::vector<FindingNote> notes = {};
};

/// One kernel on one GPU, launched or not.
struct KernelOnGPU {
  const Kernel &kernel;
  const GPU &gpu;
  /// What ptxas said of it there; null where that is not known.
  const KernelResources *resources;
  /// What is known of its bounds there.
  LaunchBounds bounds;
};

/// The same of kernels. `finish` adds what concerns a kernel on all GPUs.
std::vector<Finding> noteKernels(
    const Analysis &analysis,
    const std::function<std::optional<LaunchNote>(const KernelOnGPU &)> &judge,
    const std::function<void(const Kernel &, Finding &)> &finish = {});

std::vector<Finding> noteLaunches(
    const Analysis &analysis,
    const std::function<std::optional<LaunchNote>(const LaunchOnGPU &)> &judge);

} // namespace coreside

#endif
