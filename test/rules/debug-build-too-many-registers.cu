// Without optimisation nothing is said of registers that a release build has.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --ptxas-log %S/Inputs/launch.log -- -G | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --ptxas-log %S/Inputs/launch.log -- | FileCheck %s --check-prefix=RELEASE

#include <cuda_runtime.h>

__global__ void heavy(float *p);

void run(float *p, int n) {
  heavy<<<1, 448>>>(p);
  // CHECK: debug-build-too-many-registers.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: a block of 448 threads takes more registers than a block can have [debug-build-too-many-registers]
  // CHECK: note: h100: 136 registers a thread
  // CHECK: note: compiled for debugging (-G): a release build has other numbers and may launch
  // RELEASE: error: launch of 'heavy' {{.*}} [too-many-registers]
  heavy<<<1, 384>>>(p);
  heavy<<<1, n>>>(p);
  heavy<<<1, 512>>>(p); // coreside: allow debug-build-too-many-registers, too-many-registers
}
// CHECK-NOT: error:
// RELEASE-NOT: error:
