// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded before a CUDA program: writes every distinct launch that the CUDA
// runtime made, with how often.
//
// In:   LD_PRELOAD=libobserve.so ./program   (linked with -cudart shared)
// Out:  program  kernel  grid  block  shared  stream  kind  count  site,
// tab-separated:
//       ace  _Z6wylliePli  31250,1,1  256,1,1  0  0  0  101  ./ace+0x1f3a
//
// kernel: as registered (mangled). stream: 0 the legacy default stream, -1 the
// per-thread one, others numbered in order of first use; a stream that is made
// after another was destroyed is a new one, though the handle may be the same.
// kind: 0 normal, 1 cooperative, 2 cudaLaunchKernelExC. site: where in which
// file of code the launch is; addr2line makes a line of the source of it.
// Launches inside a graph are seen when they are captured, once; kernels of
// libraries that use the driver's own interface are not seen.

#include <cuda_runtime.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unistd.h>

namespace {

enum class Kind { Normal = 0, Cooperative = 1, Extended = 2 };

struct Launch {
  std::string kernel;
  std::array<unsigned, 6> shape;
  size_t shared;
  int stream;
  Kind kind;
  const void *site;
  auto operator<=>(const Launch &) const = default;
};

/// What was seen so far. Never destroyed: a program's own destructors may still
/// launch kernels after ours have run.
struct Log {
  std::mutex mutex;
  std::map<const void *, std::string> names;
  std::map<const void *, const void *> functionOfHandle;
  std::map<cudaStream_t, int> streams;
  int lastStream = 0;
  std::map<Launch, long> launches;
};

Log &log() {
  static Log *kept = new Log;
  return *kept;
}

/// A program that changes its shape each time must not fill the memory.
constexpr size_t mostLaunches = 5000;

int numberOf(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy)
    return 0;
  if (stream == cudaStreamPerThread)
    return -1;
  const auto [entry, isNew] = log().streams.try_emplace(stream, 0);
  if (isNew)
    entry->second = ++log().lastStream;
  return entry->second;
}

/// Where this thread's <<<>>> that is under way stands: the host compiler gets
/// it as a call that keeps the configuration, and then one of the kernel's
/// host function, which launches.
thread_local const void *pushedFrom = nullptr;

void note(const void *function, dim3 grid, dim3 block, size_t shared,
          cudaStream_t stream, Kind kind, const void *caller) {
  const void *site = pushedFrom ? pushedFrom : caller;
  pushedFrom = nullptr;
  const std::scoped_lock lock(log().mutex);
  const auto handle = log().functionOfHandle.find(function);
  if (handle != log().functionOfHandle.end())
    function = handle->second;
  const auto name = log().names.find(function);
  Launch launch{name == log().names.end() ? "?" : name->second,
                {grid.x, grid.y, grid.z, block.x, block.y, block.z},
                shared,
                numberOf(stream),
                kind,
                site};
  if (log().launches.size() < mostLaunches || log().launches.contains(launch))
    ++log().launches[std::move(launch)];
}

/// The function of the same name in the library that would have been called.
template <class Function>
Function next(const char *name, Function /*ofThisType*/) {
  static_assert(sizeof(Function) == sizeof(void *));
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// "./program+0x1f3a": just before the place that a call returns to.
std::string siteText(const void *returnsTo) {
  const char *call = static_cast<const char *>(returnsTo) - 1;
  Dl_info info;
  if (!dladdr(call, &info) || !info.dli_fname)
    return "?";
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%tx",
                call - static_cast<const char *>(info.dli_fbase));
  return info.dli_fname + std::string(offset);
}

void write() {
  const std::scoped_lock lock(log().mutex);
  const char *path = std::getenv("OBSERVE_OUT");
  std::FILE *file = path ? std::fopen(path, "a") : stderr;
  if (!file) {
    std::fprintf(stderr, "observe: OBSERVE_OUT=%s cannot be written\n", path);
    return;
  }
  const char *program = std::getenv("OBSERVE_NAME");
  for (const auto &[launch, count] : log().launches) {
    const auto &shape = launch.shape;
    std::fprintf(file, "%s\t%s\t%u,%u,%u\t%u,%u,%u\t%zu\t%d\t%d\t%ld\t%s\n",
                 program ? program : program_invocation_short_name,
                 launch.kernel.c_str(), shape[0], shape[1], shape[2], shape[3],
                 shape[4], shape[5], launch.shared, launch.stream,
                 int(launch.kind), count, siteText(launch.site).c_str());
  }
  log().launches.clear();
  if (path)
    std::fclose(file);
  else
    std::fflush(file);
}

/// `timeout -s INT` ends a program that would run for hours; what it launched
/// until then is still told.
void stop(int) {
  write();
  _exit(124);
}

struct AtStartAndEnd {
  AtStartAndEnd() { std::signal(SIGINT, stop); }
  ~AtStartAndEnd() { write(); }
} atStartAndEnd;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// nvcc's code calls this for each kernel when the program starts.
void __cudaRegisterFunction(void **module, const char *hostFunction,
                            char *deviceFunction, const char *deviceName,
                            int threadLimit, uint3 *threadId, uint3 *blockId,
                            dim3 *blockDimension, dim3 *gridDimension,
                            int *warpSize) {
  {
    const std::scoped_lock lock(log().mutex);
    log().names[hostFunction] = deviceName;
  }
  next("__cudaRegisterFunction", &__cudaRegisterFunction)(
      module, hostFunction, deviceFunction, deviceName, threadLimit, threadId,
      blockId, blockDimension, gridDimension, warpSize);
}

// <<<>>> as nvcc 12 and later writes it: a handle, then a launch by it.
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  const cudaError_t result =
      next("__cudaGetKernel", &__cudaGetKernel)(kernel, function);
  if (result == cudaSuccess) {
    const std::scoped_lock lock(log().mutex);
    log().functionOfHandle[*kernel] = function;
  }
  return result;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                               void **arguments, size_t shared,
                               cudaStream_t stream) {
  note(kernel, grid, block, shared, stream, Kind::Normal,
       __builtin_return_address(0));
  return next("__cudaLaunchKernel", &__cudaLaunchKernel)(
      kernel, grid, block, arguments, shared, stream);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     CUstream_st *stream) {
  pushedFrom = __builtin_return_address(0);
  return next("__cudaPushCallConfiguration",
              &__cudaPushCallConfiguration)(grid, block, shared, stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  {
    const std::scoped_lock lock(log().mutex);
    log().streams.erase(stream);
  }
  return next("cudaStreamDestroy", &cudaStreamDestroy)(stream);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream) {
  note(function, grid, block, shared, stream, Kind::Normal,
       __builtin_return_address(0));
  return next(
      "cudaLaunchKernel",
      static_cast<cudaError_t (*)(const void *, dim3, dim3, void **, size_t,
                                  cudaStream_t)>(&cudaLaunchKernel))(
      function, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid,
                                        dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  note(function, grid, block, shared, stream, Kind::Cooperative,
       __builtin_return_address(0));
  return next(
      "cudaLaunchCooperativeKernel",
      static_cast<cudaError_t (*)(const void *, dim3, dim3, void **, size_t,
                                  cudaStream_t)>(&cudaLaunchCooperativeKernel))(
      function, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration,
                                const void *function, void **arguments) {
  note(function, configuration->gridDim, configuration->blockDim,
       configuration->dynamicSmemBytes, configuration->stream, Kind::Extended,
       __builtin_return_address(0));
  return next("cudaLaunchKernelExC", &cudaLaunchKernelExC)(configuration,
                                                           function, arguments);
}

} // extern "C"
#pragma GCC visibility pop
