// Blocks whose last warp is not full.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100,l4 --level=note --rules=partial-warp \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void slot(float *p);

void run(float *p, int n) {
  slot<<<n, 100>>>(p);
  // CHECK: partial-warp.cu:[[#@LINE-1]]:3: note: blocks of 100 threads of 'slot' leave 28 of 128 lanes idle on h100 and l4 [partial-warp]
  // CHECK: note: h100 and l4: threads run in warps of 32; 100 take 4 warps
  slot<<<4, dim3(10, 10)>>>(p);
  // CHECK: partial-warp.cu:[[#@LINE-1]]:3: note: blocks of 100 threads
  slot<<<4, dim3(10, 16)>>>(p);
  // One thread for a small thing is meant so, thousands of them are not.
  slot<<<1, 1>>>(p);
  slot<<<n, 8>>>(p);
  slot<<<4096, 16>>>(p);
  // CHECK: partial-warp.cu:[[#@LINE-1]]:3: note: blocks of 16 threads of 'slot' leave 16 of 32 lanes idle
  slot<<<4096, n>>>(p);
  slot<<<4, 100>>>(p); // coreside: allow partial-warp
}
// CHECK-NOT: {{(error|warning|note): .*[[]partial-warp}}
