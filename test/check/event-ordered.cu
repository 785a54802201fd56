// Kernels that an event orders were never meant to overlap; the one beside
// them that nothing orders was.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu a100 -- 2>&1 | FileCheck %s
// RUN: %coreside check %s --gpu a100 -- -DORDERED_ONLY 2>&1 | count 0

#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024) produce(float *p) {
  p[blockIdx.x * 1024 + threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(1024) consume(float *p) {
  p[blockIdx.x * 1024 + threadIdx.x] *= 2;
}
__global__ void bystander(float *p) { p[threadIdx.x] = 0; }

void run(float *p, float *q, cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t made;
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  produce<<<8192, 1024, 0, s>>>(p);
  cudaEventRecord(made, s);
  cudaStreamWaitEvent(t, made, 0);
  consume<<<8192, 1024, 0, t>>>(p);
#ifndef ORDERED_ONLY
  bystander<<<50, 512, 0, u>>>(q);
  // CHECK: event-ordered.cu:[[#@LINE-1]]:3: warning: 'bystander' can only start in the last wave of 'produce' on a100: limited by warps
  // CHECK-NOT: warning:
#endif
}
