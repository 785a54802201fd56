// A grid that the source leaves open: no warning, and a note on request that
// says from how many blocks on the second kernel waits.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-several.log -- | count 0
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-several.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void first(float *p);
__global__ void second(float *p);
int asked();

void formula(float *p, float *q, int n, cudaStream_t s, cudaStream_t t) {
  first<<<(n + 255) / 256, 256, 0, s>>>(p);
  second<<<528, 256, 0, t>>>(q);
  // CHECK: no-coresidency-growing.cu:[[#@LINE-1]]:3: note: 'second' has to wait for 'first' once that has 528 blocks on h100 [no-coresidency]
  // CHECK: no-coresidency-growing.cu:[[#@LINE-3]]:3: note: 'first' has (n + 255) / 256 blocks, so that is from n = 134,913 on h100
}

void call(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  first<<<asked(), 256, 0, s>>>(p);
  second<<<528, 256, 0, t>>>(q);
  // CHECK: no-coresidency-growing.cu:[[#@LINE-1]]:3: note: 'second' has to wait for 'first' once that has 528 blocks on h100 [no-coresidency]
  // CHECK: no-coresidency-growing.cu:[[#@LINE-3]]:3: note: how many 'first' has is not known
}
