// Kernels that do the same with any grid, and some that only look it.
//
// RUN: %coreside check --dump=program %s -- | %python %S/Inputs/any-blocks.py | FileCheck %s

#include <cuda_runtime.h>

// CHECK: both: blocks threads
__global__ void both(const float *from, float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    to[i] = sqrtf(from[i]);
}

// CHECK-NEXT: named: blocks threads
__global__ void named(float *to, size_t n) {
  size_t start = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = (size_t)blockDim.x * gridDim.x;
  for (size_t i = start; i < n; i += stride)
    to[i] += 1;
}

// CHECK-NEXT: sum: blocks threads
__global__ void sum(const float *from, float *to, int n) {
  float all = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    all += from[i];
  atomicAdd(to, all);
}

// CHECK-NEXT: rows: blocks{{$}}
__global__ void rows(float *to, int n) {
  __shared__ float tile[256];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    tile[threadIdx.x] = to[row];
    __syncthreads();
    to[row] = tile[0];
    __syncthreads();
  }
}

// CHECK-NEXT: once:{{$}}
__global__ void once(float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 1;
}

// CHECK-NEXT: partial:{{$}}
__global__ void partial(const float *from, float *to, int n) {
  float all = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    all += from[i];
  to[blockIdx.x] = all;
}

// CHECK-NEXT: stops:{{$}}
__global__ void stops(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    if (to[i] < 0)
      return;
    to[i] = 1;
  }
}

// CHECK-NEXT: carries:{{$}}
__global__ void carries(float *to, int n) {
  float last[2] = {0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    to[i] = last[0];
    last[0] = to[i] + 1;
  }
}

// CHECK-NEXT: short_:{{$}}
__global__ void short_(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    to[i] = 1;
}

__device__ int where() { return blockIdx.x; }

// CHECK-NEXT: asks:{{$}}
__global__ void asks(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    to[i] = where();
}

// CHECK-NEXT: votes: blocks{{$}}
__global__ void votes(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    to[i] = __shfl_sync(~0u, to[i], 0);
}

void go(float *p, cudaStream_t s) { both<<<1, 32, 0, s>>>(p, p, 1); }
