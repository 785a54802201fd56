// A loop of a few turns over the elements of a small array is run as it is, also
// where much was calculated before: what a copy of three sizes holds is known.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

#include <cuda_runtime.h>

__global__ void work(float *data) { data[0] = 0; }

struct Shape {
  int sizes[3];
  Shape(const int (&of)[3]) {
    for (int i = 0; i < 3; ++i)
      sizes[i] = of[i];
  }
  Shape(const Shape &other) {
    for (int i = 0; i < 3; ++i)
      sizes[i] = other.sizes[i];
  }
};

static Shape make(int x, int y, int z) {
  int sizes[3] = {x, y, z};
  return Shape(sizes);
}

// Calls that call twice what calls twice.
#define TWICE(one, other)                                                      \
  static int one(int n) { return other(n) + other(n + 1); }
static int f15(int n) { return n + 1; }
TWICE(f14, f15)
TWICE(f13, f14)
TWICE(f12, f13)
TWICE(f11, f12)
TWICE(f10, f11)
TWICE(f9, f10)
TWICE(f8, f9)
TWICE(f7, f8)
TWICE(f6, f7)
TWICE(f5, f6)
TWICE(f4, f5)
TWICE(f3, f4)
TWICE(f2, f3)
TWICE(f1, f2)
TWICE(f0, f1)

void go(float *data, int n) {
  n = f0(n);
  Shape shape(make(8, 96, 2));
  work<<<n, shape.sizes[1]>>>(data);
}

// CHECK:      "block": [
// CHECK-NEXT:   96,
