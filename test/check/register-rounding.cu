// Registers are handed out by warp and warps count in fours: 65,536 / 134 is
// 489 threads, but 416 fail already.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu t4,a100,h100,rtx5090 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

template <int Count> __device__ __forceinline__ float stir(const float *in, int turns) {
  float value[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    value[i] = in[threadIdx.x + i * 64];
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < Count; ++i)
      value[i] = value[i] * value[(i + 5) % Count] + value[(i + 17) % Count];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Count; ++i)
    sum += value[i];
  return sum;
}

// A little over 128 registers, so 136 a thread are given, on every architecture.
__global__ void solve(const float *in, float *out, int turns) {
  out[threadIdx.x] = stir<129>(in, turns);
}

void launches(const float *in, float *out) {
  solve<<<1, dim3(16, 8, 4)>>>(in, out, 10);
  // CHECK: register-rounding.cu:[[#@LINE-1]]:3: error: launch of 'solve' fails on t4, a100, h100 and rtx5090: a block of 512 threads takes more registers than a block can have [too-many-registers]
  // CHECK: note: {{.*}}h100{{.*}}: {{13[0-6]}} registers a thread are 4,352 a warp, rounded up to 256; 16 warps take 69,632, a block has at most 65,536; cudaErrorLaunchOutOfResources
  solve<<<1, 416>>>(in, out, 10);
  // CHECK: register-rounding.cu:[[#@LINE-1]]:3: error: launch of 'solve' fails on t4, a100, h100 and rtx5090: a block of 416 threads takes more registers than a block can have [too-many-registers]
  // CHECK: note: {{.*}}h100{{.*}}: {{13[0-6]}} registers a thread are 4,352 a warp, rounded up to 256; 13 warps, which count as 16, take 69,632, a block has at most 65,536; cudaErrorLaunchOutOfResources
  solve<<<1, 384>>>(in, out, 10);
  // CHECK-NOT: error:
}
