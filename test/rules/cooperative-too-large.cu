// A cooperative grid must be resident as a whole: it depends on the product.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100,l4 --level=note --rules=launch \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void whole(float *p);
__global__ void heavy(float *p);

// Two blocks of 1,024 threads on each of 132 SMs of h100, one on 58 of l4.
void cooperative(float *p) {
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(whole, dim3(58), dim3(1024), arguments, 0, 0);
  cudaLaunchCooperativeKernel(whole, dim3(264), dim3(1024), arguments, 0, 0);
  // CHECK: cooperative-too-large.cu:[[#@LINE-1]]:3: error: launch of 'whole' fails on l4: its cooperative grid of 264 blocks must be resident at once [cooperative-too-large]
  // CHECK: note: l4: 58 SMs hold 58 blocks, 264 were asked for; it takes 264 SMs; cudaErrorCooperativeLaunchTooLarge
  cudaLaunchCooperativeKernel(whole, dim3(5, 53), dim3(1024), arguments, 0, 0);
  // CHECK: cooperative-too-large.cu:[[#@LINE-1]]:3: error: launch of 'whole' fails on h100 and l4: its cooperative grid of 265 blocks must be resident at once
  // CHECK: note: h100: 132 SMs hold 264 blocks, 265 were asked for; it takes 133 SMs
  whole<<<dim3(5, 53), 1024>>>(p);
}

// Not even one block can be launched: that is said, not what follows from it.
void consequence(float *p) {
  void *arguments[] = {&p};
  cudaLaunchCooperativeKernel(heavy, dim3(4), dim3(512), arguments, 0, 0);
  // CHECK: cooperative-too-large.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100 and l4: a block of 512 threads takes more registers
}

void open(float *p, int n) {
  void *arguments[] = {&p};
  unsigned blocks = 1 + (unsigned)n % 100;
  cudaLaunchCooperativeKernel(whole, dim3(blocks), dim3(1024), arguments, 0, 0);
  // CHECK: cooperative-too-large.cu:[[#@LINE-1]]:3: note: launch of 'whole' fails on l4 once its cooperative grid has more than 58 blocks
  cudaLaunchCooperativeKernel(whole, dim3(n), dim3(1024), arguments, 0, 0);
}

void allowed(float *p) {
  void *arguments[] = {&p};
  // coreside: allow-next-line cooperative-too-large: only run on larger ones
  cudaLaunchCooperativeKernel(whole, dim3(265), dim3(1024), arguments, 0, 0);
}
// CHECK-NOT: {{(error|note): launch of}}
