// Registers were held down for blocks that shared memory does not let in.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=min-blocks-not-reached \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void __launch_bounds__(256, 4) fold(float *p) { *p = 0; }

void run(float *p, int n) {
  cudaFuncSetAttribute(fold, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       100000);
  fold<<<1000, 256, 40000>>>(p);
  fold<<<1000, 256, 100000>>>(p);
  // CHECK: min-blocks-not-reached.cu:[[#@LINE-1]]:3: note: an SM of h100 holds 2 blocks of 'fold', not the 4 that its __launch_bounds__ ask for: limited by shared memory [min-blocks-not-reached]
  // CHECK: note: h100: for 4 blocks a thread may take 64 registers, for 2 it may take 128
  fold<<<1000, 256, n>>>(p);
  fold<<<1000, 256, 100000>>>(p); // coreside: allow min-blocks-not-reached
}
// CHECK-NOT: {{(error|warning|note): .*[[]min-blocks-not-reached}}
