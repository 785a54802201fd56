// Windows of L2 that are to persist: larger than what is set aside, and never
// given back.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --rules=l2-persisting --ptxas-log %S/Inputs/l2-persisting.log -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>

__global__ void reuse(float *v);

constexpr size_t mega = 1 << 20;

void window(cudaStream_t stream, float *v, size_t bytes,
            cudaAccessProperty property) {
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = v;
  value.accessPolicyWindow.num_bytes = bytes;
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = property;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  // CHECK: l2-persisting.cu:[[#@LINE-1]]:3: note: 24 MiB of L2 are to persist for the 2 windows in force, and 16 MiB are set aside: they push each other out [l2-persisting]
  // CHECK: note: they are set aside here
  // CHECK: note: 12 MiB for stream 's' to persist
  // CHECK: note: lines that persist in L2 are not given back in this function: what runs later has less of it [l2-persisting]
  // CHECK: note: cudaCtxResetPersistingL2Cache() gives them back, after the last kernel that uses them
}
// CHECK-NOT: [l2-persisting]

void tooMuch(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * mega);
  window(s, p, 12 * mega, cudaAccessPropertyPersisting);
  window(t, q, 12 * mega, cudaAccessPropertyPersisting);
  reuse<<<8, 64, 0, s>>>(p);
  reuse<<<8, 64, 0, t>>>(q);
  cudaCtxResetPersistingL2Cache();
}

void neverReset(float *p, cudaStream_t s) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * mega);
  window(s, p, 12 * mega, cudaAccessPropertyPersisting);
  reuse<<<8, 64, 0, s>>>(p);
}

void fits(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * mega);
  window(s, p, 8 * mega, cudaAccessPropertyPersisting);
  window(t, q, 8 * mega, cudaAccessPropertyPersisting);
  reuse<<<8, 64, 0, s>>>(p);
  reuse<<<8, 64, 0, t>>>(q);
  cudaCtxResetPersistingL2Cache();
}

void unknown(float *p, float *q, size_t n, cudaStream_t s, cudaStream_t t) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 * mega);
  window(s, p, n, cudaAccessPropertyPersisting);
  window(t, q, n, cudaAccessPropertyPersisting);
  reuse<<<8, 64, 0, s>>>(p);
  cudaCtxResetPersistingL2Cache();
}
