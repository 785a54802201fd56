// Numbers of few bits: bit-fields, chars and shorts; 64 bits without a sign;
// and what a formula reads like.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void work(int) {}

typedef unsigned long long Large;

struct Bits {
  unsigned low : 3;
  int middle : 5;
  unsigned high : 9 = 515;
};

static int both(int &n) {
  n += 100;
  return 1;
}

void numbers(int n, Large hash, int a, int b) {
  Bits bits{9, 17};
  work<<<bits.low, bits.middle + 32, bits.high>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 17,
  // CHECK: "dynamicShared": 3
  // CHECK: "grid": [
  // CHECK-NEXT: 1,
  bits.low = 6;
  bits.low += 3;
  bits.high = n;
  work<<<bits.low, 32, bits.high>>>(0);
  // CHECK: "dynamicShared": "[0, 511]"
  // CHECK: "grid": [
  // CHECK-NEXT: 1,
  signed char wraps = n > 3 ? 126 : 127;
  ++wraps;
  work<<<4, wraps + 256>>>(0);
  // CHECK: "threads": "[128, 383]"
  unsigned char cut = n + 3;
  work<<<cut, 32>>>(0);
  // CHECK: "blocks": "[0, 255]"
  // CHECK: "grid": [
  // CHECK-NEXT: "(uint8_t)(n + 3)",

  // The right side is evaluated first.
  int sum = 1;
  sum += both(sum);
  work<<<sum, 32>>>(0);
  // CHECK: "grid": [
  // CHECK-NEXT: 102,

  // The largest of 64 bits is 2^64 - 1.
  work<<<4, hash >> 58>>>(0);
  // CHECK: "threads": "[0, 63]"

  work<<<(a | b) & n, 32>>>(0);
  // CHECK: "grid": [
  // CHECK-NEXT: "(a | b) & n",
  work<<<a & b | n, 32>>>(0);
  // CHECK: "grid": [
  // CHECK-NEXT: "a & b | n",
}
