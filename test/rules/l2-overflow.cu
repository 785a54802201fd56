// Buffers of two launches that run side by side, against what L2 holds.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --rules=l2-overflow \
// RUN:   --ptxas-log %S/Inputs/l2-overflow.log -- | count 0
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --rules=l2-overflow --ptxas-log %S/Inputs/l2-overflow.log -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>

__global__ void grow(float *v, float *w);
__global__ void shrink(float *v);

constexpr size_t mega = 1 << 20;

struct Streams {
  cudaStream_t s, t;
  Streams() {
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  }
};

void togetherTooMuch() {
  float *a, *b, *c;
  cudaMalloc(&a, 10 * mega);
  cudaMalloc(&b, 20 * mega);
  cudaMalloc(&c, 40 * mega);
  Streams two;
  grow<<<8, 64, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(c);
  // CHECK: l2-overflow.cu:[[#@LINE-1]]:3: note: the buffers of 'grow', 30 MiB, and of 'shrink', 40 MiB, fit into L2 alone and not together: 50 MiB of h100 [l2-overflow]
  // CHECK: l2-overflow.cu:[[#@LINE-3]]:3: note: 'grow' is launched here on stream 'two.s'
  // CHECK: l2-overflow.cu:[[#@LINE-8]]:3: note: 'a' has 10 MiB
}

void eachTooMuch() {
  float *a, *b, *c;
  cudaMalloc(&a, 100 * mega);
  cudaMalloc(&b, 100 * mega);
  cudaMalloc(&c, 300 * mega);
  Streams two;
  grow<<<8, 64, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(c);
  // CHECK: l2-overflow.cu:[[#@LINE-1]]:3: note: 'grow' and 'shrink' run side by side, and each has more in its buffers, 200 MiB and 300 MiB, than L2 holds, 50 MiB of h100: they share the bandwidth of memory [l2-overflow]
}
// CHECK-NOT: [l2-overflow]

// What both read counts once.
void inCommon() {
  float *a, *b;
  cudaMalloc(&a, 30 * mega);
  cudaMalloc(&b, 10 * mega);
  Streams two;
  grow<<<8, 64, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(a);
}

// One after the other.
void noRoom() {
  float *a, *b, *c;
  cudaMalloc(&a, 10 * mega);
  cudaMalloc(&b, 20 * mega);
  cudaMalloc(&c, 40 * mega);
  Streams two;
  grow<<<52800, 1024, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(c);
}

void unknown(float *a, float *b, int n) {
  float *c;
  cudaMalloc(&c, n * mega);
  Streams two;
  grow<<<8, 64, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(c);
}

void allowed() {
  float *a, *b, *c;
  cudaMalloc(&a, 10 * mega);
  cudaMalloc(&b, 20 * mega);
  cudaMalloc(&c, 40 * mega);
  Streams two;
  grow<<<8, 64, 0, two.s>>>(a, b);
  shrink<<<8, 64, 0, two.t>>>(c); // coreside: allow l2-overflow
}
