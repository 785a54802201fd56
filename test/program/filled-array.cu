// The elements of an array that its initialiser leaves out: one is made and
// stands for the others, unless making one does something.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

#include <cuda_runtime.h>

__global__ void work(float *data) { data[0] = 0; }

struct Slot {
  float *data = nullptr;
  int size = 96;
  int more[2] = {3, 4};
};

struct Counted {
  int number;
  Counted();
};

static int made = 0;
Counted::Counted() : number(++made) {}

struct Self {
  int first = 5;
  int second = first + 1;
};

struct Pool {
  Slot slots[256] = {};
};

int main() {
  Pool pool;
  pool.slots[7].size = 128;
  // Each is its own: what is stored to one is not in the others.
  work<<<pool.slots[6].size, pool.slots[7].size>>>(nullptr);
  work<<<pool.slots[255].more[1], pool.slots[8].size>>>(nullptr);
  Counted counted[4] = {};
  work<<<counted[3].number, counted[0].number>>>(nullptr);
  Self selves[3] = {{7, 8}};
  work<<<selves[2].second, selves[0].second>>>(nullptr);
  int plain[5] = {9};
  work<<<plain[0], plain[4] + 1>>>(nullptr);
}

// CHECK:      "block": [
// CHECK-NEXT:   128,
// CHECK:      "grid": [
// CHECK-NEXT:   96,
// CHECK:      "block": [
// CHECK-NEXT:   96,
// CHECK:      "grid": [
// CHECK-NEXT:   4,
// CHECK:      "block": [
// CHECK-NEXT:   1,
// CHECK:      "grid": [
// CHECK-NEXT:   4,
// CHECK:      "block": [
// CHECK-NEXT:   8,
// CHECK:      "grid": [
// CHECK-NEXT:   6,
// CHECK:      "block": [
// CHECK-NEXT:   1,
// CHECK:      "grid": [
// CHECK-NEXT:   9,
