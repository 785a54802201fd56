// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product that people own: an architecture and how many SMs of it.
//
// In:   a name as people write it, "A100-SXM4-80GB", "rtx4090", "RTX 4090".
// Out:  the product, or null and the nearest name that exists.

#ifndef CORESIDE_DEVICE_GPU_H
#define CORESIDE_DEVICE_GPU_H

#include "Architecture.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coreside {

/// One product, or a GPU that a user described.
struct GPU {
  /// The name used in messages and on the command line: "h100".
  std::string name;
  /// The name in words: "NVIDIA H100 SXM5 80 GB".
  std::string product;
  Architecture architecture;
  unsigned SMs = 0;
  /// Bytes; 0 when not known.
  uint64_t l2Bytes = 0;
  uint64_t memoryBytes = 0;
  /// SMs of each group that a cluster cannot leave (a GPC, or what is left of
  /// one), where that was measured; empty when not known.
  std::vector<unsigned> clusterGroups;
};

/// Every product known. The first product of a capability stands for it.
std::span<const GPU> products();

/// The product called `name`, upper or lower case, with or without spaces,
/// dashes and the words "NVIDIA" and "GeForce"; null when there is none.
const GPU *findGPU(std::string_view name);

/// The known name nearest to `name` by edit distance; empty when none is near.
std::string nearestGPUName(std::string_view name);

/// The product that stands for `capability` when only the architecture is
/// known (h100 for 9.0); null when no product has it.
const GPU *representativeGPU(ComputeCapability capability);

/// A share of `gpu` with `SMs` of its SMs, as MIG slices and vGPUs have;
/// nothing when that is 0 or more than there are.
std::optional<GPU> withSMs(const GPU &gpu, unsigned SMs);

} // namespace coreside

#endif
