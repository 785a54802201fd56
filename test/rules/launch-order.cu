// The small kernel waits behind the large one, and would not in front of it.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/launch-order.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void fill(float *p);
__global__ void probe(float *p);
__global__ void flood(float *p);

void smallOneLast(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  fill<<<5280, 256, 0, s>>>(p);
  probe<<<8, 64, 0, t>>>(q);
  // CHECK: launch-order.cu:[[#@LINE-1]]:3: note: 'probe' would run beside 'fill' on h100 if it were launched before it [launch-order]
  // CHECK: launch-order.cu:[[#@LINE-3]]:3: note: 'fill' is launched here on stream 's'; nothing orders the two
  // CHECK: note: h100: all 8 blocks of 'probe' then run at once, and {{[0-9]+}} blocks of 'fill' beside them
}

void smallOneFirst(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  probe<<<8, 64, 0, s>>>(q);
  fill<<<5280, 256, 0, t>>>(p);
}
// CHECK-NOT: [launch-order]

// Neither order helps.
void bothLarge(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  fill<<<5280, 256, 0, s>>>(p);
  flood<<<5280, 256, 0, t>>>(q);
}

void unknown(float *p, float *q, int n, cudaStream_t s, cudaStream_t t) {
  fill<<<n, 256, 0, s>>>(p);
  probe<<<8, 64, 0, t>>>(q);
}

void allowed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  fill<<<5280, 256, 0, s>>>(p);
  probe<<<8, 64, 0, t>>>(q); // coreside: allow launch-order
}
