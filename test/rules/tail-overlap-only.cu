// A grid of many waves lets the next kernel in with its last one.
//
// RUN: not %coreside check %s --cuda-path=none --gpu a100 \
// RUN:   --ptxas-log %S/Inputs/tail-overlap-only.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void scale(float *v, int n);
__global__ void shift(float *v, int n);

int main() {
  const int n = 240000, threads = 8;
  float *p, *q;
  cudaMalloc(&p, n * sizeof(float));
  cudaMalloc(&q, n * sizeof(float));
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  scale<<<n / threads, threads, 0, s>>>(p, n);
  shift<<<n / threads, threads, 0, t>>>(q, n);
  // 30,000 blocks, 32 on each of 108 SMs at a time: 8.7 waves.
  // CHECK: tail-overlap-only.cu:[[#@LINE-2]]:3: warning: 'shift' can only start in the last wave of 'scale' on a100: limited by block slots [tail-overlap-only]
  // CHECK: note: 'scale' is launched here on stream 's'
  // CHECK: note: a100: 32 blocks of 'scale' hold 32 of 32 block slots of an SM; 0 of 30,000 blocks of 'shift' fit beside 'scale'
  // CHECK: note: the 30,000 blocks of 'scale' take 9 waves on the 108 SMs of a100
  // CHECK: note: a100: they would share if 'scale' has at most 3,348 blocks, not 30,000 (108 blocks of 'shift' then fit)
  // CHECK-NOT: warning:
  return cudaDeviceSynchronize();
}
