// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host calls between two launches on two streams stop the launches from
// overlapping?
//
// Columns: between      the call
//          streams      nonblocking or blocking
//          overlapped   m/3: B started before A ended in m of 3 tries; for
//                       concurrent_kernels_of_N the kernels that ran at once
// Run it with CUDA_MODULE_LOADING=EAGER and LAZY, and with
// CUDA_DEVICE_MAX_CONNECTIONS=1, to see what these change.

#include "DeviceClock.h"
#include "Lab.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

using namespace lab;

namespace {

/// Launched once, so that its first launch can be among the tries.
__global__ void neverLoaded(BlockRecord *record) {
  if (threadIdx.x == 0)
    record->start = clockNanoseconds();
}

class Tries {
public:
  Tries()
      : trackA(blocks), trackB(blocks),
        streams{newStream(false), newStream(false), newStream(true),
                newStream(true)} {}

  /// Streams of A and B: 0 and 1 are non-blocking, 2 and 3 blocking.
  cudaStream_t stream(int index) const { return streams[index]; }

  using Call = std::function<void()>;
  void once(const char *name, const char *kind, cudaStream_t streamA,
            cudaStream_t streamB, const Call &call) {
    int overlapped = 0;
    for (int i = 0; i < 3; ++i) {
      check(cudaDeviceSynchronize());
      launch({.kernel = &holdKernel(32),
              .threads = 64,
              .grid = blocks,
              .nanoseconds = 3000000},
             trackA.onDevice(), streamA);
      call();
      launch({.kernel = &holdKernel(40),
              .threads = 64,
              .grid = blocks,
              .nanoseconds = 100000},
             trackB.onDevice(), streamB);
      check(cudaDeviceSynchronize());
      overlapped += trackB.read(blocks)[0].start < trackA.read(blocks)[0].end;
    }
    std::printf("%s,%s,%d/3\n", name, kind, overlapped);
    std::fflush(stdout);
  }

  void both(const char *name, const Call &call) {
    once(name, "nonblocking", streams[0], streams[1], call);
    once(name, "blocking", streams[2], streams[3], call);
  }

private:
  static constexpr int blocks = 8;
  Track trackA, trackB;
  cudaStream_t streams[4];
};

/// `count` things made before the tries and used up one after the other.
template <class Thing> class Supply {
public:
  Supply(int count, const std::function<void(Thing *)> &make) : things(count) {
    for (Thing &thing : things)
      make(&thing);
  }
  Thing take() { return things[next++ % things.size()]; }

private:
  std::vector<Thing> things;
  size_t next = 0;
};

/// Calls with which a program gets and gives memory.
void tryAllocations(Tries &tries) {
  const cudaStream_t streamB = tries.stream(1);
  void *memory;
  tries.both("cudaMalloc_1MB", [&] { check(cudaMalloc(&memory, 1 << 20)); });
  tries.both("cudaMalloc_64MB", [&] { check(cudaMalloc(&memory, 64 << 20)); });
  Supply<void *> onDevice(
      6, [](void **made) { check(cudaMalloc(made, 1 << 20)); });
  tries.both("cudaFree", [&] { check(cudaFree(onDevice.take())); });
  tries.both("cudaMallocAsync",
             [&] { check(cudaMallocAsync(&memory, 1 << 20, streamB)); });
  tries.both("cudaMallocHost",
             [&] { check(cudaMallocHost(&memory, 1 << 20)); });
  Supply<void *> onHost(
      6, [](void **made) { check(cudaMallocHost(made, 1 << 20)); });
  tries.both("cudaFreeHost", [&] { check(cudaFreeHost(onHost.take())); });
  tries.both("cudaMallocManaged",
             [&] { check(cudaMallocManaged(&memory, 1 << 16)); });
  tries.both("cudaHostRegister", [&] {
    check(cudaHostRegister(std::aligned_alloc(4096, 1 << 20), 1 << 20, 0));
  });
}

void tryCopies(Tries &tries) {
  const cudaStream_t streamB = tries.stream(1);
  constexpr size_t size = 4 << 20;
  char *source, *target, *pinned;
  check(cudaMalloc(&source, size));
  check(cudaMalloc(&target, size));
  check(cudaMallocHost(&pinned, size));
  std::vector<char> memory(size);
  char *pageable = memory.data();
  struct Copy {
    const char *name;
    void *to;
    const void *from;
    size_t bytes;
    cudaMemcpyKind kind;
  };
  for (const Copy &copy :
       std::initializer_list<Copy>{{"cudaMemcpy_H2D_pageable_4MB", target,
                                    pageable, size, cudaMemcpyHostToDevice},
                                   {"cudaMemcpy_H2D_pageable_4KB", target,
                                    pageable, 4096, cudaMemcpyHostToDevice},
                                   {"cudaMemcpy_H2D_pinned", target, pinned,
                                    size, cudaMemcpyHostToDevice},
                                   {"cudaMemcpy_D2H", pageable, source, 1 << 20,
                                    cudaMemcpyDeviceToHost},
                                   {"cudaMemcpy_D2D", target, source, 1 << 20,
                                    cudaMemcpyDeviceToDevice}})
    tries.both(copy.name, [copy] {
      check(cudaMemcpy(copy.to, copy.from, copy.bytes, copy.kind));
    });
  tries.both("cudaMemcpyAsync_H2D_pageable_on_B", [&] {
    check(cudaMemcpyAsync(target, pageable, size, cudaMemcpyHostToDevice,
                          streamB));
  });
  tries.both("cudaMemcpyAsync_D2H_pageable_on_nB", [&] {
    check(cudaMemcpyAsync(pageable, source, 1 << 20, cudaMemcpyDeviceToHost,
                          streamB));
  });
  tries.both("cudaMemcpyAsync_default_stream", [&] {
    check(cudaMemcpyAsync(target, pinned, 1 << 20, cudaMemcpyHostToDevice,
                          cudaStreamLegacy));
  });
  tries.both("cudaMemset", [&] { check(cudaMemset(target, 0, 1 << 20)); });
  tries.both("cudaMemsetAsync_default", [&] {
    check(cudaMemsetAsync(target, 0, 1 << 20, cudaStreamLegacy));
  });
}

void tryStreamsAndEvents(Tries &tries) {
  const cudaStream_t streamA = tries.stream(0), streamB = tries.stream(1);
  Track track(1);
  auto small = [&](cudaStream_t stream) {
    launch({.kernel = &holdKernel(48), .nanoseconds = 1000}, track.onDevice(),
           stream);
  };
  cudaEvent_t event, unused;
  check(cudaEventCreate(&event));
  check(cudaEventCreate(&unused));
  tries.both("kernel_on_legacy_default_stream",
             [&] { small(cudaStreamLegacy); });
  tries.both("kernel_on_perthread_default",
             [&] { small(cudaStreamPerThread); });
  tries.both("cudaEventRecord_default",
             [&] { check(cudaEventRecord(event, cudaStreamLegacy)); });
  auto pair = [&](const char *name, const Tries::Call &call) {
    tries.once(name, "nonblocking", streamA, streamB, call);
  };
  pair("cudaEventRecord_A_then_query", [&] {
    check(cudaEventRecord(event, streamA));
    cudaEventQuery(event);
    cudaGetLastError();
  });
  pair("event_edge_A_to_B", [&] {
    check(cudaEventRecord(event, streamA));
    check(cudaStreamWaitEvent(streamB, event, 0));
  });
  pair("event_wait_on_never_recorded",
       [&] { check(cudaStreamWaitEvent(streamB, unused, 0)); });
  pair("event_synchronize", [&] {
    check(cudaEventRecord(event, streamA));
    check(cudaEventSynchronize(event));
  });
  cudaEvent_t madeEvent;
  cudaStream_t madeStream;
  tries.both("cudaEventCreate", [&] { check(cudaEventCreate(&madeEvent)); });
  Supply<cudaEvent_t> events(
      8, [](cudaEvent_t *made) { check(cudaEventCreate(made)); });
  tries.both("cudaEventDestroy",
             [&] { check(cudaEventDestroy(events.take())); });
  tries.both("cudaStreamCreate", [&] { check(cudaStreamCreate(&madeStream)); });
  Supply<cudaStream_t> others(
      8, [](cudaStream_t *made) { check(cudaStreamCreate(made)); });
  tries.both("cudaStreamDestroy_other",
             [&] { check(cudaStreamDestroy(others.take())); });
}

void tryAttributesAndQueries(Tries &tries) {
  const cudaStream_t streamA = tries.stream(0), streamB = tries.stream(1);
  const auto *symbol = reinterpret_cast<const void *>(holdKernel(56).function);
  tries.both("cudaFuncSetAttribute_smem", [&] {
    check(cudaFuncSetAttribute(symbol,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               device().optInShared / 2));
  });
  cudaFuncAttributes attributes;
  tries.both("cudaFuncGetAttributes",
             [&] { check(cudaFuncGetAttributes(&attributes, symbol)); });
  tries.both("cudaFuncSetCacheConfig", [&] {
    check(cudaFuncSetCacheConfig(symbol, cudaFuncCachePreferShared));
  });
  bool preferL1 = false;
  tries.both("cudaDeviceSetCacheConfig", [&] {
    preferL1 = !preferL1;
    check(cudaDeviceSetCacheConfig(preferL1 ? cudaFuncCachePreferL1
                                            : cudaFuncCachePreferShared));
  });
  check(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  size_t limit = 1024;
  tries.both("cudaDeviceSetLimit_stack", [&] {
    limit += 1024;
    check(cudaDeviceSetLimit(cudaLimitStackSize, limit));
  });
  tries.both("cudaDeviceSetLimit_heap", [&] {
    // An error once a kernel has used the heap; that is no matter here.
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
    cudaGetLastError();
  });
  cudaDeviceProp properties;
  tries.both("cudaGetDeviceProperties",
             [&] { check(cudaGetDeviceProperties(&properties, 0)); });
  size_t free, total;
  tries.both("cudaMemGetInfo", [&] { check(cudaMemGetInfo(&free, &total)); });
  tries.both("cudaGetLastError", [] { cudaGetLastError(); });
  tries.both("cudaPeekAtLastError", [] { cudaPeekAtLastError(); });
  tries.both("cudaStreamQuery_A", [&] {
    cudaStreamQuery(streamA);
    cudaGetLastError();
  });
  int blocks;
  tries.both("cudaOccupancyQuery", [&] {
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, holdKernel(56).function, 128, 0));
  });
  tries.both("cudaCtxResetPersistingL2Cache",
             [] { check(cudaCtxResetPersistingL2Cache()); });
  size_t persisting = 1 << 20;
  tries.both("cudaDeviceSetLimit_persistingL2", [&] {
    persisting += 1 << 20;
    // An error on GPUs that cannot set any of L2 aside.
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, persisting);
    cudaGetLastError();
  });
  tries.both("cudaLaunchHostFunc_on_nB", [&] {
    check(cudaLaunchHostFunc(streamB, [](void *) {}, nullptr));
  });
  tries.both("cudaThreadExchangeStreamCaptureMode", [] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    check(cudaThreadExchangeStreamCaptureMode(&mode));
  });
}

void tryDefaultStreams(Tries &tries) {
  struct Pair {
    const char *name, *kind;
    cudaStream_t A, B;
  };
  const cudaStream_t nonBlocking = tries.stream(0), blocking = tries.stream(2);
  for (const Pair &pair : std::initializer_list<Pair>{
           {"legacy_default_B_after_A_blocking", "blocking", blocking,
            cudaStreamLegacy},
           {"legacy_default_B_after_A_nonblocking", "nonblocking", nonBlocking,
            cudaStreamLegacy},
           {"A_default_B_blocking", "blocking", cudaStreamLegacy, blocking},
           {"A_default_B_nonblocking", "nonblocking", cudaStreamLegacy,
            nonBlocking},
           {"perthread_B_after_A_default", "blocking", cudaStreamLegacy,
            cudaStreamPerThread},
           {"same_stream", "nonblocking", nonBlocking, nonBlocking}})
    tries.once(pair.name, pair.kind, pair.A, pair.B, [] {});
}

void tryFirstLaunch(Tries &tries) {
  Track trackA(8), trackB(1);
  check(cudaDeviceSynchronize());
  launch({.kernel = &holdKernel(32),
          .threads = 64,
          .grid = 8,
          .nanoseconds = 3000000},
         trackA.onDevice(), tries.stream(0));
  neverLoaded<<<1, 32, 0, tries.stream(1)>>>(trackB.onDevice());
  check(cudaDeviceSynchronize());
  std::printf("first_launch_of_B_lazy_loaded,nonblocking,%d/1\n",
              trackB.read(1)[0].start < trackA.read(8)[0].end);
}

void countResident() {
  for (int count : {16, 32, 64, 100, 128, 129, 160, 200}) {
    std::vector<cudaStream_t> streams(count);
    for (cudaStream_t &stream : streams)
      stream = newStream();
    Track track(count);
    check(cudaDeviceSynchronize());
    for (int i = 0; i < count; ++i)
      launch({.kernel = &holdKernel(32), .nanoseconds = 20000000},
             track.onDevice() + i, streams[i]);
    check(cudaDeviceSynchronize());
    uint64_t firstEnd = UINT64_MAX;
    for (const BlockRecord &block : track.read(count))
      firstEnd = std::min(firstEnd, block.end);
    std::printf("concurrent_kernels_of_%d,nonblocking,%d\n", count,
                int(std::ranges::count_if(track.blocks(),
                                          [&](const BlockRecord &block) {
                                            return block.start < firstEnd;
                                          })));
    for (cudaStream_t stream : streams)
      check(cudaStreamDestroy(stream));
  }
}

} // namespace

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  warmUp();
  std::printf("between,streams,overlapped\n");
  Tries tries;
  tries.both("nothing", [] {});
  tryAllocations(tries);
  tryCopies(tries);
  tryStreamsAndEvents(tries);
  tryAttributesAndQueries(tries);
  tryDefaultStreams(tries);
  tryFirstLaunch(tries);
  countResident();
}
