// Contracts between kernels, in comments and in attributes.
//
// RUN: not %coreside check %s --cuda-path=none --gpu l4,h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/not-together.log --rules=not-together -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>

__global__ void front(float *v) { v[threadIdx.x] += 1; }
namespace ns {
template <int N> __global__ void back(float *v) { v[threadIdx.x] *= N; }
} // namespace ns
// CHECK: not-together.cu:[[#@LINE+1]]:16: error: 'front' and 'side' are not together: 'side' starts only when 'front' is done [not-together]
__attribute__((annotate("coreside::together(front, side)"))) __global__ void
side(float *v) {
  v[0] = 1;
}

// coreside: together(front, ns::back<2>)
// CHECK: not-together.cu:[[#@LINE-1]]:1: error: 'front' and 'ns::back<2>' are not together on l4 [not-together]
// CHECK: note: l4: 0 of 58 blocks of 'ns::back<2>' run together with the others: limited by warps
void find(float *a, float *b) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  front<<<58, 1024, 0, s>>>(a);
  ns::back<2><<<58, 1024, 0, t>>>(b);
}

void ordered(float *a, float *b) {
  front<<<1, 32>>>(a);
  side<<<1, 32>>>(b);
}

/* coreside: together(side, ns::back<3>) */
// CHECK: not-together.cu:[[#@LINE-1]]:1: note: whether 'side' and 'ns::back<3>' are together on l4 and h100 is not known
// CHECK: note: {{.*}}of 'side' it is not known: grid: n
void unknown(float *a, float *b, int n) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  side<<<n, 32, 0, s>>>(a);
  ns::back<3><<<1, 32, 0, t>>>(b);
}

// coreside: together(front, bakc)
// CHECK: not-together.cu:[[#@LINE-1]]:1: warning: no kernel of this file is called 'bakc' [not-together]

const char *words = "// coreside: together(front, nothing)";

// coreside: together(side, back<4>)
void quiet(float *a, float *b) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  side<<<1, 32, 0, s>>>(a);
  ns::back<4><<<1, 32, 0, t>>>(b);
}

// coreside: allow-next-line not-together
// coreside: together(front, ns::back<5>)
void allowed(float *a, float *b) {
  front<<<58, 1024>>>(a);
  ns::back<5><<<58, 1024>>>(b);
}
// CHECK-NOT: [not-together]
