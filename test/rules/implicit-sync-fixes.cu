// A free moves behind the launch that it keeps from running beside another.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --fix-dry-run \
// RUN:   --rules=implicit-sync \
// RUN:   --ptxas-log %S/Inputs/implicit-sync.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void left(float *p);
__global__ void right(float *p);

void frees(float *p, float *q, float *scratch, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFree(scratch);
  right<<<8, 128, 0, t>>>(q);
}
// CHECK: {{^}}-  cudaFree(scratch);
// CHECK: {{^}} {{ *}}right<<<8, 128, 0, t>>>(q);
// CHECK-NEXT: {{^}}+  cudaFree(scratch);

// What is freed leads elsewhere by then: nothing is moved.
void anew(float *p, float *scratch, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFree(scratch);
  cudaMalloc(&scratch, 4096);
  right<<<8, 128, 0, t>>>(scratch);
}
// CHECK-NOT: {{^[-+] }}
