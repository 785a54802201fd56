// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCalls.h"

using namespace coreside;

namespace {

constexpr Stops nothing = Stops::Nothing;
constexpr Stops blocking = Stops::BlockingStreams;
constexpr Stops every = Stops::EveryPair;

constexpr std::string_view implicit =
    "CUDA C++ Programming Guide, Implicit Synchronization";
constexpr std::string_view legacy =
    "CUDA Runtime API, Stream synchronization behavior";
constexpr std::string_view waits = "CUDA Runtime API: the call waits";
constexpr std::string_view freeing =
    "CUDA Runtime API, cudaFree: may synchronize the device";
constexpr std::string_view lazy =
    "CUDA C++ Programming Guide, Lazy Loading: loading may synchronize";
constexpr std::string_view silent = "documented without synchronization";

constexpr HostCall calls[] = {
    {"cudaCtxResetPersistingL2Cache", every, nothing,
     "observed only; not documented"},
    {"cudaDeviceReset", every, every, waits},
    {"cudaDeviceSetCacheConfig", nothing, every, implicit},
    {"cudaDeviceSetLimit_heap", nothing, nothing, silent},
    {"cudaDeviceSetLimit_persistingL2", every, nothing,
     "observed only; not documented"},
    {"cudaDeviceSetLimit_stack", every, nothing,
     "observed only; not documented"},
    {"cudaDeviceSynchronize", every, every, waits},
    {"cudaEventCreate", nothing, nothing, silent},
    {"cudaEventDestroy", nothing, nothing, silent},
    {"cudaEventRecord_default", blocking, blocking, legacy},
    {"cudaFree", every, every, freeing, true},
    {"cudaFreeAsync", nothing, nothing, silent},
    {"cudaFreeHost", every, every, freeing, true},
    {"cudaFuncGetAttributes", nothing, nothing, silent},
    {"cudaFuncSetAttribute", nothing, nothing, silent},
    {"cudaFuncSetCacheConfig", nothing, every, implicit},
    {"cudaGetDeviceProperties", nothing, nothing, silent},
    {"cudaGetLastError", nothing, nothing, silent},
    {"cudaHostRegister", nothing, every, implicit},
    {"cudaLaunchHostFunc", nothing, nothing, silent},
    {"cudaMalloc", nothing, every, implicit},
    {"cudaMallocAsync", nothing, nothing, silent},
    {"cudaMallocHost", nothing, every, implicit},
    {"cudaMallocManaged", nothing, every, implicit},
    {"cudaMemGetInfo", nothing, nothing, silent},
    {"cudaMemcpy", blocking, blocking, legacy},
    {"cudaMemcpyAsync", nothing, nothing, silent},
    {"cudaMemcpyAsync_default", blocking, blocking, legacy},
    {"cudaMemset", blocking, blocking, legacy},
    {"cudaMemsetAsync", nothing, nothing, silent},
    {"cudaMemsetAsync_default", blocking, blocking, legacy},
    {"cudaOccupancyQuery", nothing, nothing, silent},
    {"cudaPeekAtLastError", nothing, nothing, silent},
    {"cudaStreamCreate", nothing, nothing, silent},
    {"cudaStreamDestroy", nothing, nothing, silent},
    {"cudaStreamQuery", nothing, nothing, silent},
    {"cudaThreadExchangeStreamCaptureMode", nothing, nothing, silent},
    {"first_launch", every, every, lazy, true},
    {"kernel_on_legacy_default_stream", blocking, blocking, legacy},
    {"kernel_on_perthread_default", nothing, nothing, silent},
    {"nothing", nothing, nothing, silent},
};

} // namespace

const char *coreside::stopsName(Stops stops) {
  switch (stops) {
  case Stops::Nothing:
    return "nothing";
  case Stops::BlockingStreams:
    return "blocking streams";
  case Stops::EveryPair:
    return "every pair";
  }
  return "";
}

std::span<const HostCall> coreside::hostCalls() { return calls; }

const HostCall *coreside::findHostCall(std::string_view name) {
  const HostCall *best = nullptr;
  for (const HostCall &call : calls) {
    const bool matches =
        name.starts_with(call.name) &&
        (name.size() == call.name.size() || name[call.name.size()] == '_');
    if (matches && (!best || call.name.size() > best->name.size()))
      best = &call;
  }
  return best;
}
