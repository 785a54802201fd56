// A switch without braces (GoogleTest's macros begin with one), labels of a
// range, and labels inside of a loop.
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s --implicit-check-not='"kind": "launch"'
#include <cuda_runtime.h>

template <int N> __global__ void step() {}

struct Result {
  template <class T> explicit Result(const T &it) : it(it) {}
  operator bool() const { return it; }
  bool it;
};
bool run() {
  step<1><<<1, 32>>>();
  return true;
}
void report();

#define EXPECT(it)                                                             \
  switch (0)                                                                   \
  case 0:                                                                      \
  default:                                                                     \
    if (const Result result = Result(it))                                      \
      ;                                                                        \
    else                                                                       \
      report()

void test() { EXPECT(run()); }
// CHECK: "function": "test"
// CHECK: "kernel": "step<1>"
// CHECK: "kind": "launch"

void range(int n) {
  switch (n) {
  case 2 ... 4:
    step<2><<<1, n>>>();
  }
  switch (3) {
  case 1 ... 2:
    step<3><<<1, 32>>>();
    break;
  case 3 ... 9:
    step<4><<<1, 32>>>();
  }
}
// CHECK: "function": "range"
// CHECK: "kernel": "step<2>"
// CHECK: "kind": "launch"
// CHECK: "threads": "[2, 4]"
// CHECK: "kernel": "step<4>"
// CHECK: "kind": "launch"

void inside() {
  switch (1) {
  case 0:
    do {
      step<5><<<1, 32>>>();
    case 1:
      step<6><<<1, 32>>>();
    } while (0);
  }
}
// CHECK: "function": "inside"
// CHECK: "kernel": "step<5>"
// CHECK: "kind": "launch"
// CHECK: "kernel": "step<6>"
// CHECK: "kind": "launch"
