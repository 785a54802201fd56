// A member that is a reference is what it refers to, and a destructor that
// stores is run, though it asks nothing of the device.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void work(int) {}

struct Scaled {
  int &target;
  Scaled(int &target) : target(target) { target = 64; }
  void set(int n) { target = n; }
};

struct Restored {
  int &target;
  int old;
  Restored(int &target, int now) : target(target), old(target) {
    this->target = now;
  }
  ~Restored() { target = old; }
};

struct View {
  int &threads;
  int *blocks;
};

void members(int n) {
  int threads = 32, blocks = 2;
  Scaled scaled(threads);
  work<<<1, threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 64,
  scaled.set(n);
  work<<<2, threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "n",
  View view{threads, &blocks};
  view.threads = 96;
  View copy = view;
  *copy.blocks = 3;
  work<<<blocks, threads, copy.threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 96,
  // CHECK: "dynamicShared": 96
  // CHECK: "grid": [
  // CHECK-NEXT: 3,
  {
    Restored restored(threads, 128);
    work<<<4, threads>>>(0);
    // CHECK: "block": [
    // CHECK-NEXT: 128,
  }
  work<<<5, threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 96,
}
