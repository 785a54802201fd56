// A number from outside to which one arm stores: what was asked of it before
// says nothing about it after, and the other arm left what it was.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void step(int) {}

// CHECK-LABEL: "function": "replaced"
// CHECK:      "blocks": "[0, 2147483647]"
// CHECK:      "grid": [
// CHECK-NEXT:   "b > 8 ? b : a",
void replaced(int a, int b) {
  if (a < 128)
    return;
  if (b > 8)
    a = b;
  step<<<a, 32>>>(0);
}

// CHECK-LABEL: "function": "capped"
// CHECK:      "blocks": "[0, 64]"
// CHECK:      "grid": [
// CHECK-NEXT:   "min(n, 64)",
void capped(int n) {
  if (n > 64)
    n = 64;
  step<<<n, 32>>>(1);
}

struct Sizes {
  int blocks, threads;
};

// The other members are what they were.
// CHECK-LABEL: "function": "member"
// CHECK:      "block": [
// CHECK-NEXT:   32,
// CHECK:      "blocks": "[1, 64]"
void member(Sizes &sizes) {
  if (sizes.threads != 32 || sizes.blocks < 1)
    return;
  if (sizes.blocks > 64)
    sizes.blocks = 64;
  step<<<sizes.blocks, sizes.threads>>>(2);
}
