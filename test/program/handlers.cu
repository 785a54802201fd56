// What a handler stores may hold after it, whether or not it asks anything of
// the device; one that leaves the function changes nothing that follows.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

#include <cuda_runtime.h>

__global__ void work(float *data) { data[0] = 0; }

int risky(int n);

void stores(float *data) {
  int n = 256;
  try {
    risky(1);
  } catch (...) {
    n = 128;
  }
  work<<<1, n>>>(data);
}
// CHECK:      "function": "stores",
// CHECK:          "block": [
// CHECK-NEXT:       "[128, 256]{{.*}}",

void leaves(float *data) {
  int n = 256;
  try {
    risky(2);
  } catch (...) {
    n = 128;
    return;
  }
  work<<<1, n>>>(data);
}
// CHECK:      "function": "leaves",
// CHECK:          "block": [
// CHECK-NEXT:       256,

void interrupted(float *data) {
  int n = 256;
  try {
    n = 512;
    risky(3);
    n = 1024;
  } catch (...) {
  }
  work<<<1, n>>>(data);
}
// CHECK:      "function": "interrupted",
// CHECK:          "block": [
// CHECK-NEXT:       "n",

// Nothing in the block throws.
void quiet(float *data) {
  int n = 256;
  try {
    cudaMalloc(&data, 1024);
    n += n;
  } catch (...) {
    n = 128;
  }
  work<<<1, n>>>(data);
}
// CHECK:      "function": "quiet",
// CHECK:          "block": [
// CHECK-NEXT:       512,

// What follows is there after a certain throw, too.
void always(float *data) {
  try {
    throw 1;
  } catch (int) {
  }
  work<<<1, 32>>>(data);
}
// CHECK:      "function": "always",
// CHECK:          "block": [
// CHECK-NEXT:       32,

// The second launch is a fallback, made when the first was not or failed.
void falls(float *data) {
  try {
    risky(4);
    work<<<1, 64>>>(data);
    return;
  } catch (...) {
  }
  work<<<1, 96>>>(data);
}
// CHECK:      "function": "falls",
// CHECK:          "block": [
// CHECK-NEXT:       64,
// CHECK:          "block": [
// CHECK-NEXT:       96,
// CHECK:          "guards": [

// What is stored on a way that throws is there in the handler, too.
void storesAndThrows(float *data, int n) {
  int blocks = 1;
  try {
    if (n > 4) {
      blocks = 2;
      throw n;
    }
  } catch (int) {
  }
  work<<<blocks, 64, 8>>>(data);
}
// CHECK:      "function": "storesAndThrows",
// CHECK:          "dynamicShared": 8,
// CHECK-NEXT:     "grid": [
// CHECK-NEXT:       "blocks",

struct Waits {
  ~Waits() { cudaDeviceSynchronize(); }
};

// What stands between the `throw` and its handler ends before the handler runs,
// on the way that throws; what is outside ends after it.
void unwinds(float *data, int n) {
  Waits outer;
  try {
    Waits inner;
    if (n > 4)
      throw n;
    work<<<1, 64, 9>>>(data);
  } catch (int) {
    work<<<1, 64, 11>>>(data);
  }
}
// CHECK:      "function": "unwinds",
// CHECK:          "function": "cudaDeviceSynchronize",
// CHECK-NEXT:     "guards": [
// CHECK-NEXT:       "0.0"
// CHECK-NEXT:     ],
// CHECK:          "dynamicShared": 9,
// CHECK:          "guards": [
// CHECK-NEXT:       "0.1"
// CHECK-NEXT:     ],
// CHECK:          "dynamicShared": 11,
// CHECK:          "guards": [
// CHECK-NEXT:       "1.1"
// CHECK-NEXT:     ],
// CHECK:          "function": "cudaDeviceSynchronize",
// CHECK-NEXT:     "kind": "device synchronize",
