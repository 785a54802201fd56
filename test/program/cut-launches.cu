// A trace that is cut loses no launch without a word: what it did not come to is
// read from the functions that it stands in, and what cannot be is named.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100 --explain 2>&1 | FileCheck %s --check-prefix=SAID

#include <cuda_runtime.h>

__global__ void work(float *data, int which) { data[which] = 0; }

// Calls that call twice what calls twice: 2^16 calls, of which one is half a
// trace's budget and more.
#define TWICE(one, other)                                                      \
  static int one(int n, cudaStream_t s) {                                      \
    return other(n, s) + other(n + 1, s);                                      \
  }
static int f16(int n, cudaStream_t s) { return s ? n : n + 1; }
TWICE(f15, f16)
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

static void late(float *data, int n) {
  if (n == 3)
    work<<<1, 32>>>(data, 1);
  work<<<2, 64>>>(data, 2);
}

static void other(float *data) { work<<<3, 32>>>(data, 3); }

void go(float *data, int n, cudaStream_t s) {
  const bool debug = false;
  if (debug)
    work<<<4, 32>>>(data, 4);
  // The first turn is taken back when the loop proves too dear to be unrolled.
  for (int i = 0; i < 2; ++i) {
    n += f0(n, s);
    work<<<5, 32>>>(data, 5);
  }
  n += f0(n, s);
  late(data, n);
  work<<<6, 32>>>(data, 6);
}

int main() {
  other(nullptr);
  return 0;
}

// What a trace decided before it was cut says nothing of what comes after.
// CHECK-NOT:  "untakenLaunches"
// CHECK:      "traces": [
// CHECK:        "function": "late",
// CHECK:            "place": "{{.*}}cut-launches.cu:37:5",
// CHECK:            "place": "{{.*}}cut-launches.cu:38:3",

// SAID-NOT: launch never made
// SAID:     launch not analysed: {{.*}}cut-launches.cu:46:5: not reached: more than 2 million expressions
// SAID:     launch not analysed: {{.*}}cut-launches.cu:50:5: not reached: more than 2 million expressions
// SAID:     launch not analysed: {{.*}}cut-launches.cu:54:3: not reached: more than 2 million expressions
// SAID-NOT: launch not analysed
