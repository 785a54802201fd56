// Clusters that are too large, do not divide the grid, or find no room.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --rules=cluster-impossible \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu l4 --rules=cluster-impossible \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s --check-prefix=L4
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --sms=8 --rules=cluster-impossible \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s --check-prefix=SLICE

#include <cuda_runtime.h>

__global__ void __cluster_dims__(4, 2) four(float *p);
__global__ void __cluster_dims__(16) many(float *p);
__global__ void __cluster_dims__(16) others(float *p);

void clusters(float *p) {
  four<<<dim3(8, 2), 64>>>(p);
  // L4: cluster-impossible.cu:[[#@LINE-1]]:3: error: launch of 'four' fails on l4: its clusters have 8 blocks [cluster-impossible]
  // L4: note: l4: sm_89 has no clusters; cudaErrorInvalidClusterSize
  four<<<dim3(8, 3), 64>>>(p);
  // CHECK: cluster-impossible.cu:[[#@LINE-1]]:3: error: launch of 'four' fails on h100: its grid is not a multiple of its clusters in y [cluster-impossible]
  // CHECK: note: h100: 3 is not a multiple of 2; cudaErrorInvalidClusterSize
  others<<<64, 64>>>(p);
  // CHECK: cluster-impossible.cu:[[#@LINE-1]]:3: error: launch of 'others' fails on h100: its clusters have 16 blocks
  // CHECK: note: h100: at most 8, or 16 with cudaFuncAttributeNonPortableClusterSizeAllowed
}

void allowedToBeLarge(float *p) {
  cudaFuncSetAttribute(many, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  many<<<64, 64>>>(p);
  // SLICE: cluster-impossible.cu:[[#@LINE-1]]:3: error: launch of 'many' fails on h100 with 8 SMs: its clusters have 16 blocks
  // SLICE: note: h100 with 8 SMs: no 16 SMs of one group have room for them
}

void unknown(float *p, int n) { four<<<dim3(n, 2), 64>>>(p); }

void allowed(float *p) {
  // coreside: allow-next-line cluster-impossible
  four<<<9, 64>>>(p);
}
// CHECK-NOT: error:
