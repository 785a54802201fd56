// What the fixes of pairs change in the source.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --fix-dry-run \
// RUN:   --rules=no-coresidency,tail-overlap-only \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void smooth(float *image) { *image = 1; }
__global__ void sharpen(float *image) { *image = 2; }

void both(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
}

// Seen before: one change of 'smooth' is enough for both, so nothing is left to
// change here.
void again(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
}
// CHECK: {{^}}-__global__ void smooth(float *image) { *image = 1; }
// CHECK-NEXT: {{^}}+__global__ void __launch_bounds__(256, 5) smooth(float *image) { *image = 1; }
// CHECK-NOT: {{^[-+]}}
