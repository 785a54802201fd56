// Without opting in, static and dynamic shared memory together have 48 KiB.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu v100,a100 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void wide(float *p) {
  extern __shared__ float data[];
  data[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = data[63 - threadIdx.x];
}
__global__ void tagged(float *p) {
  extern __shared__ float data[];
  __shared__ float tag[8];
  tag[threadIdx.x & 7] = p[threadIdx.x];
  data[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = data[63 - threadIdx.x] + tag[(threadIdx.x + 1) & 7];
}

void run(float *p, cudaStream_t s) {
  wide<<<3, 64, 80000, s>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: error: launch of 'wide' fails on v100 and a100: it takes 80,000 bytes of dynamic shared memory without opting in
  wide<<<3, 64, 49152, s>>>(p);
  tagged<<<3, 64, 49152, s>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: error: launch of 'tagged' fails on a100: it takes 49,152 bytes of dynamic shared memory without opting in
  // CHECK: note: a100: 49,120 bytes are left beside 32 static ones; with cudaFuncAttributeMaxDynamicSharedMemorySize up to 166,880
  // CHECK-NOT: error: launch
}

