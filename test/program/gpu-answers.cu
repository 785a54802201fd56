// Grids made of what the GPU answers are known once it is: a cooperative grid
// that fills the SMs of each GPU is fine on each, one block per SM more is not.
//
// RUN: not %coreside check %s --cuda-path=none --gpu a100,h100 \
// RUN:   --ptxas-log %S/Inputs/gpu-answers.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --dump=program -- | FileCheck %s --check-prefix=TEXT

#include <cuda_runtime.h>

__global__ void whole(float *p) {}

void fits(float *p) {
  int perSM = 0, SMs = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, whole, 256, 0);
  cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0);
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(whole, dim3(SMs * perSM), dim3(256), arguments, 0,
                              0);
}
// TEXT: "multiProcessorCount * activeBlocks(whole, 256)"

void tooMany(float *p) {
  int perSM = 0;
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, whole, 256, 0);
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(whole, dim3(prop.multiProcessorCount * (perSM + 1)),
                              dim3(256), arguments, 0, 0);
  // CHECK-NOT: error:
  // CHECK: gpu-answers.cu:[[#@LINE-3]]:3: error: launch of 'whole' fails on a100: its cooperative grid of 972 blocks must be resident at once [cooperative-too-large]
  // CHECK: note: a100: 108 SMs hold 864 blocks, 972 were asked for
  // CHECK: gpu-answers.cu:[[#@LINE-5]]:3: error: launch of 'whole' fails on h100: its cooperative grid of 1,188 blocks must be resident at once [cooperative-too-large]
  // CHECK: note: h100: 132 SMs hold 1,056 blocks, 1,188 were asked for
}

void suggested(float *p) {
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, whole, 0, 0);
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(whole, dim3(grid), dim3(block), arguments, 0, 0);
  cudaLaunchCooperativeKernel(whole, dim3(grid + 1), dim3(block), arguments, 0,
                              0);
  // CHECK-NOT: error:
  // CHECK: gpu-answers.cu:[[#@LINE-3]]:3: error: launch of 'whole' fails on a100: its cooperative grid of 217 blocks must be resident at once [cooperative-too-large]
  // CHECK: gpu-answers.cu:[[#@LINE-4]]:3: error: launch of 'whole' fails on h100: its cooperative grid of 265 blocks must be resident at once [cooperative-too-large]
}
// CHECK-NOT: error:
