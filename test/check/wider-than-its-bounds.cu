// The threads of all axes count against __launch_bounds__, whatever the
// registers.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu a100,rtx4090 -- 2>&1 | FileCheck %s

#include <cuda_runtime.h>

enum { Lanes = 96 };
template <int Threads, typename T>
__global__ void __launch_bounds__(Threads) permute(T *p) {
  p[threadIdx.y * blockDim.x + threadIdx.x] += T(1);
}

void run(float *p, int *q) {
  permute<192><<<8, dim3(Lanes, 4)>>>(p);
  // CHECK: wider-than-its-bounds.cu:[[#@LINE-1]]:3: error: launch of 'permute<192, float>' fails on a100 and rtx4090: its block has 384 threads, more than the 192 of its __launch_bounds__ [block-exceeds-launch-bounds]
  permute<192><<<8, dim3(Lanes, 2)>>>(q);
  permute<Lanes * 4><<<8, dim3(Lanes, 4)>>>(q);
  // CHECK-NOT: error:
}
