// What nvcc accepts and clang by itself does not: macros with nvcc's values and
// the host's mathematics without a header.
// RUN: %coreside check %s --cuda-path=none --dump=program 2>&1 | FileCheck %s
#if __CUDACC__
#define BLOCK 96
#else
#define BLOCK 1
#endif
#ifndef __NVCC__
#include <hip/hip_runtime.h>
#endif

__global__ void step(int *data) {}

int main() {
  int *data = nullptr;
  if (isfinite(1.0f))
    step<<<4, BLOCK>>>(data);
}

// CHECK-NOT: error:
// CHECK: 96,
// CHECK-NOT: "unread"
