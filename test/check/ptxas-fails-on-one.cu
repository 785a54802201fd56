// A kernel that ptxas refuses does not hide what it says of the others.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu h100 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void greedy(float *p) {
  __shared__ float cells[20000];
  cells[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = cells[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(1024) first(float *p) {
  p[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(1024) second(float *p) {
  p[threadIdx.x] = 2;
}

void run(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  greedy<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  first<<<264, 1024, 0, s>>>(p);
  second<<<264, 1024, 0, t>>>(q);
}
// CHECK-DAG: coreside: warning: {{.*}}greedy{{.*}}shared
// CHECK-DAG: ptxas-fails-on-one.cu:[[#@LINE-3]]:3: warning: 'second' cannot run beside 'first' on h100: limited by warps [no-coresidency]
