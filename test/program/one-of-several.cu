// A store by way of a pointer or a reference to one of several places: none of
// them keeps the number that it had, and none is called known.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void work(int) {}

struct Plan {
  int threads;
  void halve() { threads /= 2; }
};

void pointers(int n) {
  int a = 1, b = 2;
  int *one = n > 3 ? &a : &b;
  *one = 9;
  work<<<a, b>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "b",
  // CHECK: "grid": [
  // CHECK-NEXT: "a",

  int c = 3, d = 4, *later = &c;
  if (n > 5)
    later = &d;
  *later += 3;
  work<<<c, d>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "d",
  // CHECK: "grid": [
  // CHECK-NEXT: "c",

  // Somewhere in an array.
  int sizes[3] = {1, 2, 3}, others[3] = {4, 5, 6};
  int *some = sizes + n;
  *some = 7;
  work<<<sizes[0], others[0]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 4,
  // CHECK: "grid": [
  // CHECK-NEXT: "sizes[0]",

  Plan small{64}, large{256};
  Plan *plan = n > 7 ? &small : &large;
  plan->halve();
  work<<<4, small.threads, large.threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "small.threads",
  // CHECK: "dynamicShared": "large.threads"
  // CHECK: "grid": [
  // CHECK-NEXT: 4,
}

static int &elementOf(int *all, int i) { return all[i]; }

void returned(int n) {
  int all[3] = {1, 2, 3};
  elementOf(all, n) = 9;
  work<<<all[1], 32>>>(0);
  // CHECK: "grid": [
  // CHECK-NEXT: "all[1]",
}

void references(int n) {
  int e = 5, f = 6;
  (n > 2 ? e : f) = 5;
  work<<<e, f>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "f",
  // CHECK: "grid": [
  // CHECK-NEXT: "e",

  // The reference is what was stored last, until one of both is stored to.
  int g = 7, h = 8;
  int &either = n > 4 ? g : h;
  either = 12;
  work<<<either, g>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "g",
  // CHECK: "grid": [
  // CHECK-NEXT: 12,
  h = 3;
  work<<<either, h>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 3,
  // CHECK: "grid": [
  // CHECK-NEXT: "either",

  Plan plans[2] = {{64}, {128}};
  Plan &own = plans[n];
  own.threads = 32;
  work<<<plans[1].threads, own.threads>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 32,
  // CHECK: "grid": [
  // CHECK-NEXT: "plans[1].threads",
}
