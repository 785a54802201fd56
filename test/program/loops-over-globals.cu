// A loop may have no turn: what it stores to a global, or to what a pointer
// points to, is there after it perhaps, also where the loop is the first to name
// it.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void step() {}

static int count = 5;
void put(int n) { count = n; }

struct Sizes {
  int blocks;
};

// CHECK-LABEL: "function": "global"
// CHECK:      "grid": [
// CHECK-NEXT:   "count",
void global(int n) {
  while (n != 0) {
    count = 4;
    put(count);
    n /= 2;
  }
  step<<<count, 32>>>();
}

// CHECK-LABEL: "function": "pointee"
// CHECK:      "grid": [
// CHECK-NEXT:   "sizes->blocks",
void pointee(Sizes *sizes, int n) {
  while (n != 0) {
    sizes->blocks = 4;
    n /= 2;
  }
  step<<<sizes->blocks, 32>>>();
}

// What was asked of it before says nothing in a later turn.
// CHECK-LABEL: "function": "asked"
// CHECK:      "blocks": "[0, 2147483647]"
void asked(int n) {
  if (count > 64)
    return;
  while (n != 0) {
    step<<<count, 32>>>();
    count = 100;
    n /= 2;
  }
}

// At the start of main it is what the file says.
// CHECK-LABEL: "function": "main"
// CHECK:      "[4, 5]",
int main(int n, char **) {
  while (n != 0) {
    count = 4;
    n /= 2;
  }
  step<<<count, 32>>>();
}
