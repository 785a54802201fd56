// More than the chip has, opted in or not; that differs from chip to chip.
//
// RUN: not %coreside check %s --cuda-path=none --gpu t4,a100,h100 --level=note --rules=launch \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void light(float *p);
__global__ void plain(float *p);

void sizes(float *p) {
  cudaFuncSetAttribute(light, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448);
  light<<<1, 32, 65472>>>(p);
  light<<<1, 32, 65536>>>(p);
  // CHECK: shared-memory-too-large.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on t4: it takes 65,600 bytes of shared memory a block [shared-memory-too-large]
  // CHECK: note: t4: 65,600 asked (64 of them static), at most 65,536; cudaErrorInvalidValue
  plain<<<1, 32, 300000>>>(p);
  // CHECK: shared-memory-too-large.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on t4, a100 and h100: it takes 300,000 bytes of shared memory a block
  // CHECK: note: t4: 300,000 asked, at most 65,536
  // CHECK: note: a100: 300,000 asked, at most 166,912
  // CHECK: note: h100: 300,000 asked, at most 232,448
}

void open(float *p, unsigned n) {
  light<<<1, 32, 1024 * (n % 200)>>>(p);
  // CHECK: shared-memory-too-large.cu:[[#@LINE-1]]:3: note: launch of 'light' fails on a100 once it takes more than 166,912 bytes of shared memory a block
  // CHECK: shared-memory-too-large.cu:[[#@LINE-2]]:3: note: launch of 'light' fails on t4 once it takes more than 65,536 bytes of shared memory a block
  light<<<1, 32, n>>>(p);
}

void allowed(float *p) {
  plain<<<1, 32, 300000>>>(p); // coreside: allow shared-memory-too-large
}
// CHECK-NOT: error: launch
