// However small kernels are, a GPU keeps only so many resident.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100,gtx1080 --level=note \
// RUN:   --rules=resident-grids \
// RUN:   --ptxas-log %S/Inputs/resident-grids.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void tick(float *p);

void forty(float *p) {
  cudaStream_t all[40];
  for (cudaStream_t &one : all)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (cudaStream_t one : all)
    tick<<<1, 32, 0, one>>>(p);
  // CHECK: resident-grids.cu:[[#@LINE-1]]:5: note: 'tick' is the 33rd kernel that may run at once; 32 can be resident on gtx1080 [resident-grids]
  // CHECK: note: the first of 40 is launched here
}

void hundredAndForty(float *p) {
  cudaStream_t all[140];
  for (cudaStream_t &one : all)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (cudaStream_t one : all)
    tick<<<1, 32, 0, one>>>(p);
  // CHECK: note: 'tick' is the 129th kernel that may run at once; 128 can be resident on h100 [resident-grids]
  // CHECK: note: the first of 140 is launched here
  // CHECK: note: 'tick' is the 33rd kernel that may run at once; 32 can be resident on gtx1080 [resident-grids]
}
// CHECK-NOT: [resident-grids]

// Many launches, but on each stream one after the other.
void twoStreams(float *p, cudaStream_t s, cudaStream_t t) {
  for (int i = 0; i < 40; ++i) {
    tick<<<1, 32, 0, s>>>(p);
    tick<<<1, 32, 0, t>>>(p);
  }
}

void unknown(float *p, cudaStream_t *all, int n) {
  for (int i = 0; i < n; ++i)
    tick<<<1, 32, 0, all[i]>>>(p);
}

void allowed(float *p) {
  cudaStream_t all[40];
  for (cudaStream_t &one : all)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (cudaStream_t one : all)
    tick<<<1, 32, 0, one>>>(p); // coreside: allow resident-grids
}
