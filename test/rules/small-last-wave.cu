// One block more than the GPU holds at once takes a wave of its own.
//
// RUN: %coreside check %s --cuda-path=none --gpu a100,h100 --level=note --rules=small-last-wave \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void even(float *p);

void run(float *p, int n) {
  even<<<133, 1024>>>(p);
  // CHECK: small-last-wave.cu:[[#@LINE-1]]:3: note: the last of 2 waves of 'even' on h100 has 1 block [small-last-wave]
  // CHECK: note: h100: 132 blocks run at once on 132 SMs; 133 were asked for
  even<<<132, 1024>>>(p);
  // A quarter of the last wave is not small, and after many a small one is.
  even<<<132 + 33, 1024>>>(p);
  even<<<132 * 9 + 1, 1024>>>(p);
  even<<<n, 1024>>>(p);
  even<<<133, 1024>>>(p); // coreside: allow small-last-wave
}
// CHECK-NOT: {{(error|warning|note): .*[[]small-last-wave}}
