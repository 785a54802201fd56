// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for test/timeline/Inputs/kernels.h when the situations there are
// run: the same kernels, which stay for a while and note when they ran.

#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <tuple>
#include <type_traits>

struct Span {
  unsigned long long begin, end;
  int kernel;
};
constexpr unsigned mostSpans = 4096;
/// A situation is run in this many variants: with conditions true and false,
/// and each of a, b, c, d in turn staying longer than the others, since kernels
/// of one length that follow another each end together.
constexpr int variants = 8;
/// Nanoseconds that a kernel stays: longer than the host needs for the calls
/// of a situation.
constexpr unsigned long long stay = 2000000;

inline int variant = 0;
__device__ int longest;

__device__ Span spans[mostSpans];
__device__ unsigned spanCount;

__device__ inline unsigned long long now() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ inline void note(int kernel) {
  if (threadIdx.x || blockIdx.x)
    return;
  unsigned index = atomicAdd(&spanCount, 1) % mostSpans;
  unsigned long long begin = now();
  unsigned long long time = kernel == longest ? 3 * stay : stay;
  while (now() - begin < time)
    ;
  spans[index] = {begin, now(), kernel};
}

__global__ void a() { note(0); }
__global__ void b() { note(1); }
__global__ void c() { note(2); }
__global__ void d() { note(3); }
template <int N> __global__ void numbered() { note(100 + N); }

#if CUDART_VERSION >= 13000
/// As it was before edges had data.
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                            const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count,
                                    cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode(node, graph, after, nullptr, count, parameters);
}
/// As it was before contexts had parameters; cuda.h names it by a macro.
inline CUresult cuCtxCreate(CUcontext *context, unsigned flags,
                            CUdevice device) {
  return cuCtxCreate(context, nullptr, flags, device);
}
#endif

/// An argument of each type that situations take.
template <typename T> T argument() {
  using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_same_v<Plain, cudaStream_t>) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  } else if constexpr (std::is_same_v<Plain, cudaStream_t *>) {
    constexpr int many = 64;
    cudaStream_t *streams = new cudaStream_t[many];
    for (int i = 0; i != many; ++i)
      cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    return streams;
  } else if constexpr (std::is_same_v<Plain, cudaEvent_t>) {
    cudaEvent_t event;
    cudaEventCreate(&event);
    return event;
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return variant % 2 == 0;
  } else if constexpr (std::is_integral_v<Plain> && sizeof(Plain) == 8) {
    // A CUdeviceptr, or a size.
    void *memory = nullptr;
    cudaMalloc(&memory, 1 << 20);
    return reinterpret_cast<Plain>(memory);
  } else if constexpr (std::is_integral_v<Plain>) {
    return Plain(variant % 2 == 0 ? 3 : 0);
  } else if constexpr (std::is_pointer_v<Plain>) {
    void *memory = nullptr;
    cudaMallocManaged(&memory, 1 << 20);
    return static_cast<Plain>(memory);
  } else {
    return Plain{};
  }
}

template <typename... Arguments> void play(void (*situation)(Arguments...)) {
  static Span all[mostSpans];
  // What is loaded late, or needs memory of the runtime, comes now.
  a<<<1, 32>>>();
  b<<<1, 32>>>();
  c<<<1, 32>>>();
  d<<<1, 32>>>();
  for (; variant != variants; ++variant) {
    const int longestNow = variant / 2;
    unsigned count = 0;
    std::tuple<std::decay_t<Arguments>...> arguments{
        argument<std::decay_t<Arguments>>()...};
    cudaMemcpyToSymbol(longest, &longestNow, sizeof longestNow);
    cudaMemcpyToSymbol(spanCount, &count, sizeof count);
    cudaDeviceSynchronize();
    std::printf("variant\n");
    std::apply(situation, arguments);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || (error = cudaGetLastError()) != cudaSuccess) {
      std::printf("error %s\n", cudaGetErrorName(error));
      return;
    }
    cudaMemcpyFromSymbol(&count, spanCount, sizeof count);
    cudaMemcpyFromSymbol(all, spans, sizeof all);
    for (unsigned i = 0; i < count && i < mostSpans; ++i)
      std::printf("span %d %llu %llu\n", all[i].kernel, all[i].begin,
                  all[i].end);
  }
}
