// A register over a step, and further away.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=register-step \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void over(float *p) { *p = 0; }
__global__ void fare(float *p) { *p = 0; }
__global__ void even(float *p) { *p = 0; }

void run(float *p, int n) {
  over<<<4000, 256>>>(p);
  // CHECK: register-step.cu:[[#@LINE-1]]:3: note: 'over' takes 65 registers a thread on h100, with 64 an SM would hold 4 blocks, not 3 [register-step]
  // CHECK: note: h100: 3 x 256 threads run on an SM, it could be 4 x 256
  // Eight more are no near miss, one less gives nothing.
  fare<<<4000, 256>>>(p);
  even<<<4000, 256>>>(p);
  // All blocks of a small grid run at once anyway.
  over<<<200, 256>>>(p);
  over<<<n, 256>>>(p);
  over<<<4000, n>>>(p);
  over<<<4000, 256>>>(p); // coreside: allow register-step
}
// CHECK-NOT: {{(error|warning|note): .*[[]register-step}}
