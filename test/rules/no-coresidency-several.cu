// One finding for all target GPUs: where it waits, where only the tail overlaps
// and where the two share.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100,a100,b200 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-several.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void first(float *p);
__global__ void second(float *p);

// Two full waves on 132 SMs, two and a half on 108. For sm_100
// ptxas made do with half the registers, and 148 SMs hold 1,184 blocks.
void go(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  first<<<1056, 256, 0, s>>>(p);
  second<<<528, 256, 0, t>>>(q);
}
// CHECK: no-coresidency-several.cu:[[#@LINE-2]]:3: warning: 'second' cannot run beside 'first' on h100, and can only start in its last wave on a100: limited by registers [no-coresidency]
// CHECK: note: the 1,056 blocks of 'first' take 2 waves on the 132 SMs of h100 and 3 waves on the 108 SMs of a100
// CHECK: note: a100: they would share if 'first' has at most 324 blocks, not 1,056
// CHECK: note: b200: they share, 128 of 528 blocks of 'second' fit beside 'first'
// CHECK-NOT: warning:
