// A kernel that a condition chose: each that it may be is launched, as arms of
// one condition, so that no two of them run.
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s --implicit-check-not='"kind": "launch"'
// RUN: %coreside check %s --cuda-path=none --dump=timeline | FileCheck %s --check-prefix=ORDER
#include <cuda_runtime.h>

template <int N> __global__ void step(int) {}

using Kernel = void (*)(int);

template <class F> void run(F kernel, int n) { kernel<<<n, 32>>>(n); }

void byIf(float cap) {
  Kernel kernel;
  if (cap == 0.0f)
    kernel = step<1>;
  else
    kernel = step<2>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  run(kernel, 4);
}
// CHECK: "function": "byIf"
// CHECK: "kernel": "step<1>"
// CHECK: "kind": "function attribute"
// CHECK: "kernel": "step<2>"
// CHECK: "kind": "function attribute"
// CHECK: "guards": [
// CHECK-NEXT: "[[#ARM:]].0"
// CHECK: "kernel": "step<1>"
// CHECK: "kind": "launch"
// CHECK: "guards": [
// CHECK-NEXT: "[[#ARM]].1"
// CHECK: "kernel": "step<2>"
// CHECK: "kind": "launch"

void bySwitch(int type, void **arguments) {
  const void *kernel = nullptr;
  switch (type) {
  case 0:
    kernel = (const void *)&step<3>;
    break;
  case 1:
    kernel = (const void *)step<4>;
    break;
  case 2:
    kernel = (const void *)step<5>;
  }
  cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr);
}
// CHECK: "function": "bySwitch"
// CHECK: "kernel": "step<3>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<4>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<5>"
// CHECK: "kind": "launch"

void wide(int n) { step<6><<<n, 64>>>(n); }
void narrow(int n) { step<7><<<n, 32>>>(n); }

// Both are called through the pointer, so neither is on its own.
void byFunction(bool isWide, int n) {
  auto launch = isWide ? wide : narrow;
  launch(n);
  (isWide ? step<8> : step<9>)<<<n, 32>>>(n);
}
// CHECK-NOT: "function": "wide"
// CHECK-NOT: "function": "narrow"
// CHECK: "function": "byFunction"
// CHECK: "kernel": "step<6>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<7>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<8>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<9>"
// CHECK: "kind": "launch"

// ORDER: "relation": "exclusive"
