// A library's work on the default stream between a caller's two streams.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu t4,h100 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void upper(int *p) { atomicAdd(p, 1); }
__global__ void library(int *p) { atomicAdd(p, 2); }
__global__ void lower(int *p) { atomicAdd(p, 3); }

static void libraryCall(int *p) { library<<<2, 64>>>(p); }

void blocking(int *p, int *q, int *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreateWithPriority(&t, cudaStreamDefault, -1);
  upper<<<2, 64, 0, s>>>(p);
  libraryCall(q);
  lower<<<2, 64, 0, t>>>(r);
}
// CHECK: default-stream-between.cu:12:35: warning: 'library' on the legacy default stream keeps 'lower' from running beside 'upper' [default-stream-serializes]
// CHECK-NOT: warning:

void nonBlocking(int *p, int *q, int *r) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  upper<<<2, 64, 0, s>>>(p);
  libraryCall(q);
  lower<<<2, 64, 0, t>>>(r);
}
