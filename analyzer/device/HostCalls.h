// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host calls between two launches keep the launches from overlapping.
//
// In:   "cudaFree".
// Out:  observed: EveryPair; documented: EveryPair, "may", with the place in
//       NVIDIA's documents.
//
// What was observed on one driver and what is documented differ, so both are
// kept: a finding must not rest on one driver's good nature.

#ifndef CORESIDE_DEVICE_HOSTCALLS_H
#define CORESIDE_DEVICE_HOSTCALLS_H

#include <span>
#include <string_view>

namespace coreside {

/// Which pairs of launches, one before and one after the call, it orders.
enum class Stops {
  Nothing,
  /// Pairs of which at least one is on a stream that waits for the legacy
  /// default stream.
  BlockingStreams,
  EveryPair,
};

/// "nothing", "blocking streams", "every pair".
const char *stopsName(Stops stops);

struct HostCall {
  /// The runtime's function, and where it matters which use of it after an
  /// underscore: "cudaDeviceSetLimit_stack", "cudaMemcpyAsync_default".
  std::string_view name;
  /// On an H200, driver 580, CUDA 13.0 (sync.csv).
  Stops observed = Stops::Nothing;
  /// The strictest reading of NVIDIA's programming guide and runtime API.
  Stops documented = Stops::Nothing;
  /// Where it is documented, or that it is not.
  std::string_view source;
  /// The documents say only that it may.
  bool onlyMay = false;
};

/// Every call known, by name.
std::span<const HostCall> hostCalls();

/// The call called `name`, or the one with the longest name that `name`
/// continues after an underscore; null when there is none.
const HostCall *findHostCall(std::string_view name);

} // namespace coreside

#endif
