// What a call that could not be parsed is handed may be stored to: no value that
// it had is known after.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void step(int) {}

int main() {
  int blocks = 1, shown = 2, threads = 32;
  const int kept = 4;
  fill(&blocks);
  show(shown, kept);
  step<<<kept, threads>>>(0);
  if (blocks == 5)
    step<<<blocks, threads>>>(1);
  step<<<shown, threads>>>(2);
}

// CHECK:      "grid": [
// CHECK-NEXT:   4,
// CHECK:      "grid": [
// CHECK-NEXT:   5,
// CHECK:      "grid": [
// CHECK-NEXT:   "shown",
// CHECK-NOT:  "untakenLaunches"
