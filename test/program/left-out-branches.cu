// Launches in a branch that `if constexpr` leaves out are named, once each.
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s
#include <cuda_runtime.h>

template <int N> __global__ void step() {}

template <bool Wide> struct Work {
  void run() {
    if constexpr (Wide)
      step<1><<<1, 64>>>();
    else
      step<2><<<1, 32>>>();
  }
};
template <class T> void other(T) {
  if constexpr (sizeof(T) == 1)
    step<3><<<1, 64>>>();
  step<4><<<1, 64>>>();
}

void all() {
  Work<true>().run();
  other(1);
  other(2.0);
}

// CHECK: "lostLaunches": [
// CHECK-NEXT: {
// CHECK-NEXT: "place": "{{.*}}left-out-branches.cu:12:7",
// CHECK-NEXT: "why": "no instance of 'run' in this file takes the branch it is in"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "place": "{{.*}}left-out-branches.cu:17:5",
// CHECK-NEXT: "why": "no instance of 'other' in this file takes the branch it is in"
// CHECK-NEXT: }
// CHECK-NEXT: ]
// CHECK: "kernel": "step<1>"
// CHECK: "kernel": "step<4>"
