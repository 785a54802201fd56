// Fixes of grids and blocks, where the kernel's loops do all the work whatever
// the grid: what is fixed is no longer found.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/sizes.cu
// RUN: not %coreside check %t/sizes.cu --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-sizes.log --fix-dry-run -- | FileCheck %s
// RUN: not %coreside check %t/sizes.cu --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-sizes.log --fix -- > %t.out
// RUN: not %coreside check %t/sizes.cu --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-sizes.log -- | FileCheck %s --check-prefix=AFTER \
// RUN:   --implicit-check-not=warning: --implicit-check-not=error:

#include <cuda_runtime.h>

__global__ void blur(float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    to[i] = i;
}

// It keeps what the last turn found: another grid gives something else.
__global__ void carries(float *to, int n) {
  float last = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    to[i] = last;
    last = to[i];
  }
}

__global__ void edges(float *to) { to[threadIdx.x] = 1; }

// CHECK: -  blur<<<528, 256, 0, s>>>(left, n);
// CHECK: +  blur<<<[[BLOCKS:[0-9]+]], 256, 0, s>>>(left, n);
void known(float *left, float *right, int n, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(left, n);

  edges<<<132, 256, 0, t>>>(right);
}

// CHECK: -  blur<<<((n % 512 + 1) * 256 + 135167) / 256, 256, 0, s>>>(left, n);
// CHECK: +  blur<<<min(int(((n % 512 + 1) * 256 + 135167) / 256), [[BLOCKS]]), 256, 0, s>>>(left, n);
void formula(float *left, float *right, unsigned n, cudaStream_t s,
             cudaStream_t t) {
  blur<<<((n % 512 + 1) * 256 + 135167) / 256, 256, 0, s>>>(left, n);

  edges<<<132, 256, 0, t>>>(right);
}

// CHECK-NOT: +  carries
// AFTER: sizes.cu:[[#@LINE+5]]:3: warning: 'edges' cannot run beside 'carries'
// AFTER: sizes.cu:[[#@LINE+10]]:3: error: launch of 'carries' fails
void kept(float *left, float *right, int n, cudaStream_t s, cudaStream_t t) {
  carries<<<528, 256, 0, s>>>(left, n);

  edges<<<132, 256, 0, t>>>(right);
}

// CHECK: -  blur<<<64, 1100, 0, s>>>(left, n);
// CHECK: +  blur<<<64, 1024, 0, s>>>(left, n);
void wide(float *left, int n, cudaStream_t s) {
  carries<<<64, 1100, 0, s>>>(left, n);
  blur<<<64, 1100, 0, s>>>(left, n);
}
