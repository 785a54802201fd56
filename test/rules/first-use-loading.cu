// The first launch of a kernel loads its code, and that waits.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/first-use-loading.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void spin(float *p);
__global__ void poke(float *p);

void cold(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  spin<<<1, 32, 0, s>>>(p);
  poke<<<1, 32, 0, t>>>(q);
  // CHECK: first-use-loading.cu:[[#@LINE-1]]:3: note: the first launch of 'poke' may wait for 'spin': its code is loaded only then [first-use-loading]
  // CHECK: first-use-loading.cu:[[#@LINE-3]]:3: note: 'spin' is launched here on stream 's'; nothing orders the two
  // CHECK: first-use-loading.cu:[[#@LINE-3]]:3: note: load it before, with cudaFuncGetAttributes or a launch, or run with CUDA_MODULE_LOADING=EAGER
}
// CHECK-NOT: [first-use-loading]

void warmed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, poke);
  spin<<<1, 32, 0, s>>>(p);
  poke<<<1, 32, 0, t>>>(q);
}

void again(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  poke<<<1, 32, 0, t>>>(q);
  cudaDeviceSynchronize();
  spin<<<1, 32, 0, s>>>(p);
  poke<<<1, 32, 0, t>>>(q);
}

void unknown(float *p, float *q, cudaStream_t *some, int i) {
  spin<<<1, 32, 0, some[i]>>>(p);
  poke<<<1, 32, 0, some[i + 1]>>>(q);
}

void allowed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  spin<<<1, 32, 0, s>>>(p);
  poke<<<1, 32, 0, t>>>(q); // coreside: allow first-use-loading
}
