// Registers are handed out by warp, and a block's warps count in fours.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=too-many-registers,debug-build-too-many-registers \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s --implicit-check-not=debug-build
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=too-many-registers,debug-build-too-many-registers \
// RUN:   --ptxas-log %S/Inputs/launch.log -- -G | FileCheck %s --check-prefix=DEBUG

#include <cuda_runtime.h>

__global__ void heavy(float *p);
__global__ void light(float *p);
__global__ void missing(float *p);

void registers(float *p) {
  heavy<<<1, 384>>>(p);
  light<<<1, 1024>>>(p);
  heavy<<<1, dim3(8, 8, 8)>>>(p);
  // CHECK: too-many-registers.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: a block of 512 threads takes more registers than a block can have [too-many-registers]
  // CHECK: note: h100: 136 registers a thread are 4,352 a warp, rounded up to 256; 16 warps take 69,632, a block has at most 65,536; cudaErrorLaunchOutOfResources
  // DEBUG: too-many-registers.cu:[[#@LINE-3]]:3: error: launch of 'heavy' fails on h100: a block of 512 threads takes more registers than a block can have [debug-build-too-many-registers]
  // DEBUG: note: compiled for debugging (-G): a release build has other numbers and may launch
  heavy<<<1, 385>>>(p);
  // CHECK: too-many-registers.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: a block of 385 threads
  // CHECK: note: h100: {{.*}}; 13 warps, which count as 16, take 69,632
}

void open(float *p, unsigned n) {
  heavy<<<1, 64 + n % 500>>>(p);
  // CHECK: too-many-registers.cu:[[#@LINE-1]]:3: note: launch of 'heavy' fails on h100 once its block has more than 384 threads
  // CHECK: note: h100: {{.*}}; 20 warps take 87,040, a block has at most 65,536
  heavy<<<1, 400 + n % 100>>>(p);
  // CHECK: too-many-registers.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: a block of at least 400 threads
  heavy<<<1, n>>>(p);
  missing<<<1, 1024>>>(p);
}

void allowed(float *p) {
  // coreside: allow-next-line launch
  heavy<<<1, 512>>>(p);
}
// CHECK-NOT: {{(error|note): launch of}}
