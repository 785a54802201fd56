// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says a kernel takes, per architecture.
//
// In:   records from a build log, a binary or a compiler that was run.
// Out:  table.find("_Z4blurPKfPf", {9, 0}) -> 64 registers, 0 bytes, 0
//       barriers, from "nvcc -arch=sm_90".

#ifndef CORESIDE_RESOURCES_RESOURCES_H
#define CORESIDE_RESOURCES_RESOURCES_H

#include "device/Architecture.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
  /// Bytes of constant bank 0: parameters and what the system puts there.
  std::optional<unsigned> constant;
  /// True when the linker can no longer change it (not -rdc, or from nvlink).
  bool final = true;
  /// Where it is from, for people: "build.log:12", "nvcc -arch=sm_90".
  std::string source;

  /// The target as the tool spelled it where that says more than `capability`:
  /// "sm_90a". Empty: smName(capability).
  std::string target;
  /// The source file that was compiled, absolute; empty when not known.
  std::string file;
  /// Bytes: the worst of the functions that were compiled with this kernel but
  /// not into it. The kernel's own are spillStores and spillLoads.
  std::optional<unsigned> calleeSpillStores;
  std::optional<unsigned> calleeSpillLoads;
  /// The largest block that __launch_bounds__ allows, as compiled (binaries
  /// only).
  std::optional<unsigned> maxThreadsPerBlock;
  /// True when not nvcc but another compiler produced the code (clang's own
  /// back end): blocks per SM differ for 6 to 19 % of kernels.
  bool estimated = false;
};

/// All records of a run, found by kernel and architecture. Finding takes the
/// same time with ten records and with ten thousand. A table is for one thread
/// at a time, even to find in.
class ResourceTable {
public:
  /// A final record takes the place of one of the same kernel, target and file
  /// that was not final, whichever came first. A second one with the same
  /// numbers adds only what the first did not know. Two that differ both stay,
  /// and find() then answers with neither.
  void add(KernelResources record);

  /// The record of the kernel that clang calls `mangled`. Names are compared
  /// as they are, then with the three spellings of internal linkage made
  /// equal, then demangled. Null when there is none or when two different
  /// ones fit; `why`, if given, then says which. `file` (absolute, may be
  /// empty) chooses between kernels of one name in several source files.
  const KernelResources *find(std::string_view mangled,
                              ComputeCapability capability,
                              std::string *why = nullptr,
                              std::string_view file = {}) const;

  const std::vector<KernelResources> &records() const { return All; }

private:
  using Places = std::vector<size_t>;
  const KernelResources *choose(const Places *places, std::string_view mangled,
                                ComputeCapability capability,
                                std::string_view file, bool &ambiguous,
                                std::string *why) const;

  std::vector<KernelResources> All;
  // From a name in each of three spellings to places in All, of every
  // architecture: a kernel has few.
  std::unordered_map<std::string, Places> ByName;
  // The last two are made when they are first needed, which is seldom: most
  // names are found before, and these are most of the work.
  mutable std::unordered_map<std::string, Places> ByLinkage;
  mutable std::unordered_map<std::string, Places> ByDemangled;
  mutable size_t Unlinked = 0, Demangled = 0;
};

} // namespace coreside

#endif
