// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says a kernel takes, per architecture.
//
// In:   records from a build log or from a compiler that was run.
// Out:  table.find("_Z4blurPKfPf", {9, 0}) -> 64 registers, 0 bytes, 0
//       barriers, from "nvcc -arch=sm_90".

#ifndef CORESIDE_RESOURCES_RESOURCES_H
#define CORESIDE_RESOURCES_RESOURCES_H

#include "../device/Architecture.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coreside {

/// One kernel on one architecture. A number without a value was not reported.
struct KernelResources {
  /// The mangled name as the tool printed it.
  std::string kernel;
  ComputeCapability capability;
  /// Per thread.
  std::optional<unsigned> registers;
  /// Bytes, without the system's reserve.
  std::optional<unsigned> staticShared;
  std::optional<unsigned> barriers;
  /// Bytes per thread.
  std::optional<unsigned> stack;
  std::optional<unsigned> spillStores;
  std::optional<unsigned> spillLoads;
  std::optional<unsigned> constant;
  /// True when the linker can no longer change it (not -rdc, or from nvlink).
  bool final = true;
  /// Where it is from, for people: "build.log:12", "nvcc -arch=sm_90".
  std::string source;
};

/// All records of a run, found by kernel and architecture.
class ResourceTable {
public:
  void add(KernelResources record);

  /// The record of the kernel that clang calls `mangled`. Names are compared
  /// as they are, then with the three spellings of internal linkage made
  /// equal, then demangled. Null when there is none or when two different
  /// ones fit; `why`, if given, then says which.
  const KernelResources *find(std::string_view mangled,
                              ComputeCapability capability,
                              std::string *why = nullptr) const;

  const std::vector<KernelResources> &records() const { return All; }

private:
  std::vector<KernelResources> All;
};

} // namespace coreside

#endif
