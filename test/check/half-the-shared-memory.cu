// Two kernels of half an SM's shared memory each do not share it: 1 KiB per
// block is the system's. One KiB less each, and they do.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu rtx3090,rtx4090,rtx5090 -- 2>&1 | FileCheck %s
// RUN: %coreside check %s --gpu a100,h100 -- 2>&1 | count 0

#include <cuda_runtime.h>

__global__ void rowPass(float *p) {
  extern __shared__ float line[];
  line[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
__global__ void columnPass(float *p) {
  extern __shared__ float line[];
  line[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = line[threadIdx.x ^ 3];
}

void half(float *p, float *q, cudaStream_t a, cudaStream_t b) {
  constexpr int bytes = 51200;
  cudaFuncSetAttribute(rowPass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  cudaFuncSetAttribute(columnPass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  rowPass<<<200, 96, bytes, a>>>(p);
  columnPass<<<200, 96, bytes, b>>>(q);
  // CHECK: half-the-shared-memory.cu:[[#@LINE-1]]:3: warning: 'columnPass' {{.*}} 'rowPass' on rtx3090, rtx4090 and rtx5090: limited by shared memory
  // CHECK: note: rtx3090, rtx4090 and rtx5090: 1 block of 'rowPass' holds 51 KiB of 100 KiB of shared memory of an SM; a block of 'columnPass' needs 51 KiB, the system's 1 KiB for each block included; 0 of 200 blocks
  // CHECK-NOT: warning:
}

void oneLess(float *p, float *q, cudaStream_t a, cudaStream_t b) {
  constexpr int bytes = 50176;
  cudaFuncSetAttribute(rowPass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  cudaFuncSetAttribute(columnPass, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  rowPass<<<80, 96, bytes, a>>>(p);
  columnPass<<<80, 96, bytes, b>>>(q);
}
