// Braces among the arguments of <<<>>> are a dim3, as nvcc reads them: in plain
// code, in a macro, a template, a lambda and a member function, whose tokens
// clang keeps for later. Lines and columns stay.
// RUN: %coreside check %s --cuda-path=none --dump=program 2>&1 | FileCheck %s
#include <cuda_runtime.h>

#define RUN(kernel, width, stream)                                             \
  kernel<<<{width, 2}, /* threads */                                           \
           {32, width, 1}, 0, stream>>>()

template <int N> __global__ void step() {}

struct Work {
  void run(unsigned n) { step<4><<<{n}, {}, {}, {}>>>(); }
};

template <class T> void twice(T n) { step<5><<<n, {n, 2u}>>>(); }

void all(cudaStream_t stream, int n) {
  step<1><<<dim3(4), {32, 8, 1}, 0, stream>>>();
  step<2><<<{(n + 255) / 256, 1u}, 256>>>(); step<3><<<1, 1>>>();
  RUN(step<6>, 7, stream);
  auto later = [=] { step<7><<<n, // threads
                      {64}>>>(); };
  later();
  Work().run(3);
  twice(9u);
  int bits[] = {1 << 3, 2};
}

// CHECK-NOT: unread
// CHECK: "block": [
// CHECK-NEXT: 32,
// CHECK-NEXT: 8,
// CHECK-NEXT: 1
// CHECK: "kernel": "step<1>"
// CHECK: "block": [
// CHECK-NEXT: 256,
// CHECK: "grid": [
// CHECK-NEXT: "(n + 255) / 256",
// CHECK: "kernel": "step<2>"
// CHECK: "kernel": "step<3>"
// CHECK: "place": "{{.*}}braced-launch.cu:21:46"
// CHECK: "block": [
// CHECK-NEXT: 32,
// CHECK-NEXT: 7,
// CHECK-NEXT: 1
// CHECK: "grid": [
// CHECK-NEXT: 7,
// CHECK-NEXT: 2,
// CHECK-NEXT: 1
// CHECK: "kernel": "step<6>"
// CHECK: "block": [
// CHECK-NEXT: 64,
// CHECK: "kernel": "step<7>"
// CHECK: "block": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK: "grid": [
// CHECK-NEXT: 3,
// CHECK: "kernel": "step<4>"
// CHECK: "block": [
// CHECK-NEXT: 9,
// CHECK-NEXT: 2,
// CHECK: "kernel": "step<5>"
// CHECK-NOT: unread
