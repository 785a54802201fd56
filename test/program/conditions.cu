// Launches under conditions that cannot both hold never run together; a check
// before a launch bounds it.
//
// RUN: %coreside check --dump=timeline --cuda-path=none %s -- | FileCheck %s
// RUN: %coreside check --dump=program --cuda-path=none %s -- | FileCheck %s --check-prefix=RANGE

#include <cuda_runtime.h>

__global__ void large(float *p) {}
__global__ void small(float *p) {}

void choose(float *p, int n, cudaStream_t one, cudaStream_t two) {
  if (n > 1 << 20)
    return;
  if (n > 4096)
    large<<<n / 1024, 1024, 0, one>>>(p);
  if (n <= 1024)
    small<<<1, n, 0, two>>>(p);
}

// CHECK: "relation": "exclusive"

// RANGE: "blocks": "[4, 1024]"
// RANGE: "threads": "[0, 1024]"
