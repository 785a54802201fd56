// Two launches of one kernel are told apart by their lines; of how many blocks
// none fits is said only where the code says it.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void smooth(float *image);
__global__ void sharpen(float *image);

void twice(float *left, float *right) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  smooth<<<528, 256, 0, first>>>(left);
  smooth<<<264, 256, 0, second>>>(right);
  // CHECK: [[#@LINE-1]]:3: warning: 'smooth:[[#@LINE-1]]' cannot run beside 'smooth:[[#@LINE-2]]' on h100: limited by registers [no-coresidency]
  // CHECK: [[#@LINE-3]]:3: note: 'smooth:[[#@LINE-3]]' is launched here on stream 'first'; nothing orders the two
  // CHECK: 0 of 264 blocks of 'smooth:[[#@LINE-3]]' fit beside 'smooth:[[#@LINE-4]]'
}

void anySecond(float *left, float *right, unsigned n) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  smooth<<<528, 256, 0, first>>>(left);
  sharpen<<<n, 256, 0, second>>>(right);
  // CHECK: [[#@LINE-1]]:3: warning: 'sharpen' cannot run beside 'smooth' on h100
  // CHECK: ; no block of 'sharpen' fits beside 'smooth'{{$}}
  // CHECK: has at most 396 blocks, not 528 (at most 132 blocks of 'sharpen' then fit){{$}}
}

void rangeFirst(float *left, float *right, unsigned n) {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  smooth<<<40000 + n % 10000, 256, 0, first>>>(left);
  sharpen<<<264, 256, 0, second>>>(right);
  // CHECK: [[#@LINE-1]]:3: warning: 'sharpen' can only start in the last wave of 'smooth' on h100
  // CHECK: note: the blocks of 'smooth', 49,999 at most, take 95 waves on the 132 SMs of h100
}
