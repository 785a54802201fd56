// A launch by cudaLaunchKernel of one of two kernels: each is handed what its
// own parameters say.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

#include <cuda_runtime.h>

__global__ void copy(float *out, float *in) { out[0] = in[0]; }
__global__ void clear(float *out) { out[0] = 0; }

void go(bool whole, bool second) {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 2048);
  const void *kernel = whole ? (const void *)clear : (const void *)copy;
  void *from = second ? (void *)&out : (void *)&in;
  void *arguments[] = {&out, from};
  cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, 0);
}

// CHECK:      "arguments": [
// CHECK-NEXT:   "0: 1 out"
// CHECK-NEXT: ],
// CHECK:      "kernel": "clear",
// CHECK:      "arguments": [
// CHECK-NEXT:   "0: 1 out",
// CHECK-NEXT:   "1:{{.*}}"
// CHECK-NEXT: ],
// CHECK:      "kernel": "copy",
