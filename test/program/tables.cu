// Where an index is not known, an element of an array that never changes is one
// of those that it may be: the range of all of them.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

struct Setup {
  int threads, bytes;
};

__global__ void step(int *) {}

static const int sizes[] = {64, 128, 256};
static const int filled[4] = {32, 64};
static const Setup setups[] = {{32, 100}, {64, 200}};
const dim3 shapes[2] = {dim3(8, 8), dim3(16, 16)};
static int changed[2] = {32, 64};
extern const int elsewhere[2];

// CHECK-LABEL: "function": "constants"
void constants(int i, int j, bool isWide, int *p) {
  step<<<1, sizes[i]>>>(p);
  // CHECK: "block": [
  // CHECK-NEXT: "sizes[i]"
  // CHECK: "threads": "[64, 256]"
  step<<<1, filled[i] + 1>>>(p);
  // CHECK: "threads": "[1, 65]"
  // Only the elements that the index may be.
  step<<<1, sizes[isWide]>>>(p);
  // CHECK: "threads": "[64, 128]"
  if (i < 2)
    step<<<1, sizes[i]>>>(p);
  // CHECK: "threads": "[64, 128]"
  static const int table[2][2] = {{1, 2}, {3, 4}};
  step<<<1, table[i][j]>>>(p);
  // CHECK: "threads": "[1, 4]"
  step<<<1, table[1][j]>>>(p);
  // CHECK: "threads": "[3, 4]"
  step<<<1, table[i][1]>>>(p);
  // CHECK: "threads": "[2, 4]"
}

// CHECK-LABEL: "function": "structures"
void structures(int i, int *p) {
  step<<<1, shapes[i]>>>(p);
  // CHECK: "threads": "[64, 256]"
  step<<<1, setups[i].threads, setups[i].bytes>>>(p);
  // CHECK: "sharedBytes": "[100, 200]"
  // CHECK: "threads": "[32, 64]"
  const Setup &byReference = setups[i];
  step<<<1, byReference.threads>>>(p);
  // CHECK: "threads": "[32, 64]"
  Setup copy = setups[i];
  step<<<1, copy.threads>>>(p);
  // CHECK: "threads": "[32, 64]"
  const Setup *pointer = &setups[i];
  step<<<1, pointer->threads>>>(p);
  // CHECK: "threads": "[32, 64]"
  step<<<1, pointer[1].threads>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
}

static int choose(int i) {
  const int list[] = {1, 2, 3};
  return list[i];
}

// CHECK-LABEL: "function": "inLoop"
void inLoop(int n, int *p) {
  for (int i = 0; i < n; ++i)
    step<<<1, sizes[i % 3]>>>(p);
  // CHECK: "threads": "[64, 256]"
  step<<<1, choose(n)>>>(p);
  // CHECK: "threads": "[1, 3]"
}

void use(int *);

// An array that changes may do so by a reference or a pointer to any element.
// CHECK-LABEL: "function": "variables"
void variables(int i, int n, int *p) {
  int own[3] = {1, 2, 3};
  step<<<1, own[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  int seen[2] = {32, 64};
  const int(&view)[2] = seen;
  const int &one = view[i];
  seen[0] = seen[1] = 1024;
  step<<<1, one>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  step<<<1, view[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  const int given[2] = {32, n};
  step<<<1, given[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  const int most[2] = {32, n & 127};
  step<<<1, most[i]>>>(p);
  // CHECK: "threads": "[0, 127]"
}

static int never[2] = {16, 48};
static int aliased[2] = {16, 48};
static int handed[2] = {16, 48};
void use(int *);
// CHECK-LABEL: "function": "fileWide"
void fileWide(int i, int n, int *p) {
  step<<<1, never[i]>>>(p);
  // CHECK: "threads": "[16, 48]"
  int &element = aliased[i];
  element = n;
  step<<<1, aliased[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  use(handed);
  step<<<1, handed[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
}

// CHECK-LABEL: "function": "unknown"
void unknown(int i, int *p) {
  step<<<1, changed[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  step<<<1, elsewhere[i]>>>(p);
  // CHECK: "threads": "[0, 2147483647]"
  changed[1] = i;
}
