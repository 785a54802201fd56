// A formatter that does not know CUDA takes the brackets of launches apart;
// nvcc reads them all the same. No place moves.
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s
#include <cuda_runtime.h>

template <class T> struct Box {};
template <int N> __global__ void step(int *p) {}

void all(int *p, int n, cudaStream_t stream) {
  step<1> << <n, 64 >> > (p);
  step<2> <<< (n + 31) / 32, 32, 0, stream >> >(p);
  step<3> << < n << 1, 96>>> (p); step<4><<<1, 32>>>(p);
  Box<Box<int>> box; Box<Box<Box<int>> > other; int m = n << 2 >> 1;
}

// CHECK-NOT: unread
// CHECK: "grid": [
// CHECK-NEXT: "n",
// CHECK: "kernel": "step<1>"
// CHECK: "place": "{{.*}}split-chevrons.cu:10:3"
// CHECK: "block": [
// CHECK-NEXT: 32,
// CHECK: "kernel": "step<2>"
// CHECK: "stream": "stream"
// CHECK: "block": [
// CHECK-NEXT: 96,
// CHECK: "kernel": "step<3>"
// CHECK: "kernel": "step<4>"
// CHECK: "place": "{{.*}}split-chevrons.cu:12:35"
// CHECK-NOT: unread
