// Blocks of a few threads fill the block slots while threads, registers and
// shared memory stand empty.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu t4,a100,rtx3090,rtx4090,h100,rtx5090 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void negate(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = -v[i];
}
__global__ void invert(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = 1.f / v[i];
}

int main() {
  const int n = 180000;
  const int width = 6;
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  negate<<<n / width, width, 0, one>>>(a, n);
  invert<<<n / width, width, 0, two>>>(b, n);
  // CHECK: tiny-blocks.cu:[[#@LINE-1]]:3: warning: 'invert' can only start in the last wave of 'negate' on t4, a100, rtx3090, rtx4090, h100 and rtx5090: limited by block slots [tail-overlap-only]
  // CHECK: note: t4 and rtx3090: 16 blocks of 'negate' hold 16 of 16 block slots of an SM; 0 of 30,000 blocks
  // CHECK: note: a100 and h100: 32 blocks of 'negate' hold 32 of 32 block slots
  // CHECK: note: rtx4090 and rtx5090: 24 blocks of 'negate' hold 24 of 24 block slots
  // CHECK-NOT: warning:
  return cudaDeviceSynchronize();
}
