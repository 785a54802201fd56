// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The controlled kernel and what goes with it; see Lab.h.

#include "Lab.h"

#include "DeviceClock.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

namespace lab {
namespace {

__device__ void hold(BlockRecord *records, uint64_t nanoseconds) {
  if (threadIdx.x == 0) {
    records[blockIdx.x].start = clockNanoseconds();
    records[blockIdx.x].SM = currentSM();
  }
  waitFor(nanoseconds);
  __syncthreads();
  if (threadIdx.x == 0)
    records[blockIdx.x].end = clockNanoseconds();
}

/// `Registers` live values across a loop that never runs: ptxas keeps them
/// in registers up to the limit.
template <int Registers>
__global__ void __maxnreg__(Registers)
    holdRegisters(BlockRecord *records, uint64_t nanoseconds, int never,
                  float *scratch) {
  if (never) {
    float values[Registers];
#pragma unroll
    for (int i = 0; i < Registers; ++i)
      values[i] = scratch[i * 1024 + threadIdx.x];
    for (int round = 0; round < never; ++round)
#pragma unroll
      for (int i = 0; i < Registers; ++i)
        values[i] = values[i] * values[(i + 5) % Registers] +
                    values[(i + Registers / 2) % Registers];
#pragma unroll
    for (int i = 0; i < Registers; ++i)
      scratch[i * 1024 + threadIdx.x] = values[i];
  }
  hold(records, nanoseconds);
}

template <int Bytes>
__global__ void holdStatic(BlockRecord *records, uint64_t nanoseconds,
                           int never, float *scratch) {
  __shared__ float bytes[Bytes / 4];
  if (never) {
    bytes[threadIdx.x * never % (Bytes / 4)] = scratch[threadIdx.x];
    __syncthreads();
    scratch[threadIdx.x] = bytes[(threadIdx.x + never) % (Bytes / 4)];
  }
  hold(records, nanoseconds);
}

template <int Last> __device__ void useBarriers() {
  asm volatile("bar.sync %0;" ::"n"(Last));
  if constexpr (Last > 0)
    useBarriers<Last - 1>();
}

template <int Barriers>
__global__ void holdBarriers(BlockRecord *records, uint64_t nanoseconds,
                             int never, float *) {
  if (never)
    useBarriers<Barriers - 1>();
  hold(records, nanoseconds);
}

HoldKernel describe(HoldFunction function, int barriers = 1) {
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes,
                              reinterpret_cast<const void *>(function)));
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(function),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             device().optInShared -
                                 int(attributes.sharedSizeBytes)));
  return {function, attributes.numRegs, int(attributes.sharedSizeBytes),
          barriers};
}

template <int... Registers>
std::vector<HoldKernel> ofRegisters(std::integer_sequence<int, Registers...>) {
  return {describe(holdRegisters<Registers>)...};
}
template <int... KiB>
std::vector<HoldKernel> ofStatic(std::integer_sequence<int, KiB...>) {
  return {describe(holdStatic<KiB * 1024 - 64 * (KiB % 2)>)...};
}
template <int... Barriers>
std::vector<HoldKernel> ofBarriers(std::integer_sequence<int, Barriers...>) {
  return {describe(holdBarriers<Barriers>, Barriers)...};
}

/// Never read or written, but the kernels must not know that.
float *scratchMemory() {
  static float *memory = [] {
    float *allocated;
    check(cudaMalloc(&allocated, sizeof(float) * 1024 * 256));
    return allocated;
  }();
  return memory;
}

/// Largest product of blocks and bytes that the driver admits to an SM when
/// `percent` is preferred, in KiB.
int configurationFor(HoldFunction function, int percent, int reserved) {
  const auto *symbol = reinterpret_cast<const void *>(function);
  check(cudaFuncSetAttribute(
      symbol, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
  int best = 0;
  for (int KiB = 1; KiB * 1024 - reserved <= device().optInShared; ++KiB) {
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, function, 32, KiB * 1024 - reserved) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    // One block alone may have made the split larger than preferred.
    if (blocks >= 2)
      best = std::max(best, blocks * KiB);
  }
  return best;
}

int attribute(cudaDeviceAttr which) {
  int value;
  check(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

} // namespace

void check(cudaError_t result, std::source_location where) {
  if (result == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), unsigned(where.line()),
               cudaGetErrorString(result));
  std::exit(3);
}

const Device &device() {
  static const Device known = [] {
    Device found;
    check(cudaGetDeviceProperties(&found.properties, 0));
    found.SMs = found.properties.multiProcessorCount;
    found.capability = found.properties.major * 10 + found.properties.minor;
    found.optInShared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    found.reservedShared = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    check(cudaDeviceGetStreamPriorityRange(&found.lowestPriority,
                                           &found.highestPriority));
    return found;
  }();
  return known;
}

const std::vector<int> &configurations() {
  static const std::vector<int> known = [] {
    const HoldKernel &kernel = holdKernels().front();
    std::set<int> found;
    for (int percent = 0; percent <= 100; ++percent)
      found.insert(
          configurationFor(kernel.function, percent, device().reservedShared));
    setCarveout(kernel, -1);
    found.erase(0);
    return std::vector<int>(found.begin(), found.end());
  }();
  return known;
}

const std::vector<HoldKernel> &holdKernels() {
  static const auto kernels =
      ofRegisters(std::integer_sequence<int, 24, 32, 40, 48, 56, 64, 72, 80, 96,
                                        128, 168, 192, 255>());
  return kernels;
}

const std::vector<HoldKernel> &staticKernels() {
  static const auto kernels =
      ofStatic(std::integer_sequence<int, 1, 2, 4, 7, 8, 12, 16, 24, 31, 32, 40,
                                     47, 48>());
  return kernels;
}

const std::vector<HoldKernel> &barrierKernels() {
  static const auto kernels =
      ofBarriers(std::integer_sequence<int, 1, 2, 3, 4, 6, 8, 12, 15, 16>());
  return kernels;
}

const HoldKernel &holdKernel(int registers) {
  return *std::ranges::min_element(
      holdKernels(), {}, [&](const HoldKernel &kernel) {
        return std::abs(kernel.registers - registers);
      });
}

void setCarveout(const HoldKernel &kernel, int percent) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel.function),
                             cudaFuncAttributePreferredSharedMemoryCarveout,
                             percent));
}

int blocksPerSM(const Shape &shape) {
  int blocks = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, shape.kernel->function, shape.threads, shape.shared) !=
      cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return blocks;
}

int sharedPerBlock(const Shape &shape) {
  const int bytes =
      shape.kernel->staticShared + shape.shared + device().reservedShared;
  return (bytes + 127) / 128 * 128;
}

void launch(const Shape &shape, BlockRecord *records, cudaStream_t stream) {
  uint64_t nanoseconds = shape.nanoseconds;
  int never = 0;
  float *scratch = scratchMemory();
  void *arguments[] = {&records, &nanoseconds, &never, &scratch};
  const auto *symbol = reinterpret_cast<const void *>(shape.kernel->function);
  if (shape.cluster == 0) {
    check(cudaLaunchKernel(symbol, dim3(shape.grid), dim3(shape.threads),
                           arguments, shape.shared, stream));
    return;
  }
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(shape.cluster), 1, 1};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(shape.grid);
  configuration.blockDim = dim3(shape.threads);
  configuration.dynamicSmemBytes = shape.shared;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  check(cudaLaunchKernelExC(&configuration, symbol, arguments));
}

Track::Track(int capacity) {
  check(cudaMalloc(&memory, sizeof(BlockRecord) * capacity));
  check(cudaMemset(memory, 0, sizeof(BlockRecord) * capacity));
}

const std::vector<BlockRecord> &Track::read(int blocks) {
  copy.resize(blocks);
  check(cudaMemcpy(copy.data(), memory, sizeof(BlockRecord) * blocks,
                   cudaMemcpyDeviceToHost));
  return copy;
}

Times timesOf(const std::vector<BlockRecord> &blocks, uint64_t origin) {
  Times times = {INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
  for (const BlockRecord &block : blocks) {
    const auto start = int64_t(block.start - origin);
    const auto end = int64_t(block.end - origin);
    times.firstStart = std::min(times.firstStart, start);
    times.lastStart = std::max(times.lastStart, start);
    times.firstEnd = std::min(times.firstEnd, end);
    times.lastEnd = std::max(times.lastEnd, end);
  }
  return times;
}

uint64_t firstStart(const std::vector<BlockRecord> &blocks) {
  return std::ranges::min_element(blocks, {}, &BlockRecord::start)->start;
}

cudaStream_t newStream(bool blocking) {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, blocking ? cudaStreamDefault
                                                    : cudaStreamNonBlocking));
  return stream;
}

void warmUp() {
  Track track(1);
  for (const auto *kernels :
       {&holdKernels(), &staticKernels(), &barrierKernels()})
    for (const HoldKernel &kernel : *kernels)
      launch({.kernel = &kernel}, track.onDevice(), nullptr);
  check(cudaDeviceSynchronize());
}

Options readOptions(int argc, char **argv, int rows, const char *mode) {
  Options options{rows, 1, mode};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!std::strcmp(argv[i], "--rows") && std::atoi(value) > 0) {
      options.rows = std::atoi(value);
    } else if (!std::strcmp(argv[i], "--seed") && *value) {
      options.seed = unsigned(std::atoi(value));
    } else if (!std::strcmp(argv[i], "--mode") && *value) {
      options.mode = value;
    } else {
      std::fprintf(stderr,
                   "%s: '%s' is not one of --rows N, --seed N, --mode WORD\n",
                   argv[0], argv[i]);
      std::exit(2);
    }
  }
  return options;
}

void printDevice() {
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  const cudaDeviceProp &properties = device().properties;
  std::printf("# %s cc %d.%d SMs %d driver %d.%d runtime %d.%d\n",
              properties.name, properties.major, properties.minor, device().SMs,
              driver / 1000, driver % 1000 / 10, runtime / 1000,
              runtime % 1000 / 10);
}

} // namespace lab
