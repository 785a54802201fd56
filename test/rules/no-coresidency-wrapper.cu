// Two calls of one function that launches are two launches; two turns of one
// loop are one.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void smooth(float *image);

static void run(cudaStream_t stream, float *image) {
  smooth<<<528, 256, 0, stream>>>(image);
}

void twoCalls(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  run(s, p);
  run(t, q);
}
// CHECK: no-coresidency-wrapper.cu:[[#@LINE-2]]:3: note: 'smooth:20' cannot run beside 'smooth:19' on h100: limited by registers [no-coresidency]
// CHECK: no-coresidency-wrapper.cu:[[#@LINE-4]]:3: note: 'smooth:19' is launched here on stream 's'; nothing orders the two
// CHECK-NOT: cannot run beside

void oneLoop(float *p, int n) {
  cudaStream_t s[4];
  for (int i = 0; i < 4; i++)
    cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
  for (int i = 0; i < n; i++)
    run(s[i % 4], p);
}
