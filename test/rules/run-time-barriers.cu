// All 16 barriers of a block, where they cost blocks and where they do not.
//
// RUN: %coreside check %s --cuda-path=none --gpu a100,h100 --level=note --rules=run-time-barriers \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu a100,h100 --level=note --rules=run-time-barriers \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- -G | FileCheck %s --check-prefix=DEBUG --allow-empty
// DEBUG-NOT: run-time-barriers

#include <cuda_runtime.h>

__global__ void named(float *p, int group) {
  asm volatile("bar.sync %0, 128;" ::"r"(group));
  *p = 0;
}
__global__ void solo(float *p);

void run(float *p, int n) {
  named<<<540, 384>>>(p, n);
  // CHECK: run-time-barriers.cu:[[#@LINE-1]]:3: note: 'named' takes all 16 barriers of a block: 4 blocks per SM on {{.*}}h100, not 5 [run-time-barriers]
  // CHECK: note: {{.*}}h100: an SM has 64 barriers; ptxas reserves all 16 of a block where the number of one is known only at run time
  // CHECK: run-time-barriers.cu:12:3: note: the number of this barrier is computed
  named<<<540, 1024>>>(p, n);
  solo<<<540, 384>>>(p);
  named<<<540, n>>>(p, n);
  named<<<540, 384>>>(p, n); // coreside: allow run-time-barriers
}
// CHECK-NOT: {{(error|warning|note): .*[[]run-time-barriers}}
