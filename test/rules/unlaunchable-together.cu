// Blocks that have to start together: clusters and cooperative grids.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/unlaunchable-together.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void __cluster_dims__(4) four(float *p);
__global__ void __cluster_dims__(32) many(float *p);
__global__ void whole(float *p);

void clusters(float *p) {
  four<<<8, 64>>>(p);
  four<<<10, 64>>>(p);
  // CHECK: unlaunchable-together.cu:[[#@LINE-1]]:3: error: launch of 'four' fails on h100: its grid is not a multiple of its clusters in x [unlaunchable]
  // CHECK: note: h100: 10 is not a multiple of 4; cudaErrorInvalidClusterSize
  many<<<64, 64>>>(p);
  // CHECK: unlaunchable-together.cu:[[#@LINE-1]]:3: error: launch of 'many' fails on h100: its clusters have 32 blocks [unlaunchable]
  // CHECK: note: h100: 32 asked, at most 8; cudaErrorInvalidClusterSize
}

// Two blocks of 1,024 threads on each of 132 SMs.
void cooperative(float *p) {
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(whole, dim3(264), dim3(1024), arguments, 0, 0);
  cudaLaunchCooperativeKernel(whole, dim3(265), dim3(1024), arguments, 0, 0);
  // CHECK: unlaunchable-together.cu:[[#@LINE-1]]:3: error: launch of 'whole' fails on h100: its cooperative grid of 265 blocks must be resident at once [unlaunchable]
  // CHECK: note: h100: 132 SMs hold 264 blocks, 265 were asked for; cudaErrorCooperativeLaunchTooLarge
}
// CHECK-NOT: error:
