// A HIP source that has HIP's header from another header, with and without a
// toolkit; ROCm is not there.
//
// RUN: %coreside check --dump=program %s -- | FileCheck %s
// RUN: %coreside check --dump=program --cuda-path=none %s -- | FileCheck %s

#include "Inputs/hip-common.h"

__global__ void scale(float *p) { p[hipThreadIdx_x] *= 2; }

void run(float *h, int n) {
  float *d;
  hipStream_t s;
  hipStreamCreateWithFlags(&s, hipStreamNonBlocking);
  hipMalloc(&d, n * sizeof(float));
  hipMemcpyAsync(d, h, n * sizeof(float), hipMemcpyHostToDevice, s);
  hipLaunchKernelGGL(scale, dim3(n / 64), dim3(64), 0, s, d);
}

// CHECK:      "bytes": "n * 4"
// CHECK:      "kind": "device"
// CHECK-NEXT: "name": "d"
// CHECK:      "direction": "host to device"
// CHECK:      "0: 0 d"
// CHECK:      "grid": [
// CHECK-NEXT:   "n / 64"
// CHECK:      "kernel": "scale"
// CHECK-NEXT: "kind": "launch"
// CHECK:      "stream": "s"
