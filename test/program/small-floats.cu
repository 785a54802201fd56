// Numbers of 16 bits without a toolkit.
//
// RUN: %coreside check --dump=program --cuda-path=none %s -- | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void add(T *data, T what) {
  data[threadIdx.x] += what;
}
__global__ void pairs(__half2 *data, __nv_bfloat162 *other) {
  float2 two = __half22float2(__hadd2(data[0], data[1]));
  other[0] = __floats2bfloat162_rn(__fadd_rn(two.x, two.y), 1);
}

void run(half *data, nv_bfloat16 *other) {
  add<<<1, sizeof(half) * 32>>>(data, __float2half(1.0f));
  add<<<2, 64>>>(other, __nv_bfloat16(1.5));
  pairs<<<3, sizeof(half2) * 32>>>(nullptr, nullptr);
}

// CHECK:      "block": [
// CHECK-NEXT:   64,
// CHECK:      "kernel": "add<__half>"
// CHECK:      "kernel": "add<__nv_bfloat16>"
// CHECK:      "block": [
// CHECK-NEXT:   128,
// CHECK:      "kernel": "pairs"
// CHECK-NOT:  "unread"
