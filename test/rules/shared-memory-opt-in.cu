// 48 KiB are for static and dynamic shared memory together; the last opt-in
// counts, also where it takes back an earlier one.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=shared-memory-opt-in \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void heavy(float *p);
__global__ void light(float *p);
__global__ void plain(float *p);
__global__ void tuned(float *p);
template <int N> __global__ void wide(float *p) { *p = N; }

void without(float *p) {
  light<<<1, 32, 48 * 1024 - 64>>>(p);
  light<<<1, 32, 48 * 1024>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: it takes 49,152 bytes of dynamic shared memory without opting in [shared-memory-opt-in]
  // CHECK: note: h100: 49,088 bytes are left beside 64 static ones; with cudaFuncAttributeMaxDynamicSharedMemorySize up to 232,384; cudaErrorInvalidValue
  plain<<<1, 32, 48 * 1024>>>(p);
  wide<4><<<1, 32, 100000>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: error: launch of 'wide<4>' fails on h100: it takes 100,000 bytes of dynamic shared memory without opting in
  // CHECK: note: h100: 49,152 bytes are left; with cudaFuncAttributeMaxDynamicSharedMemorySize up to 232,448
}

void lowered(float *p) {
  cudaFuncSetAttribute(heavy, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  heavy<<<1, 32, 65536>>>(p);
  cudaFuncSetAttribute(heavy, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       4096);
  heavy<<<1, 32, 65536>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: it takes 65,536 bytes of dynamic shared memory, the last opt-in allows 4,096
  // CHECK: note: h100: cudaFuncAttributeMaxDynamicSharedMemorySize was last set to 4,096; up to 232,448 are possible
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-8]]:3: note: 65,536 bytes are allowed here
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-6]]:3: note: the last call before the launch is here; its value holds for all streams and threads
}

// A call in another function may or may not come before.
void elsewhere(float *p) { tuned<<<1, 32, 65536>>>(p); }
void optIn() {
  cudaFuncSetAttribute(tuned, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
}

void open(float *p, unsigned n) {
  plain<<<1, 32, (n % 100) * 1024>>>(p);
  // CHECK: shared-memory-opt-in.cu:[[#@LINE-1]]:3: note: launch of 'plain' fails on h100 once it takes more than the 49,152 bytes of dynamic shared memory that need no opting in
  // CHECK: note: the source leaves open: bytes of dynamic shared memory 0 to 101,376
  plain<<<1, 32, n * sizeof(float)>>>(p);
}

void allowed(float *p) {
  plain<<<1, 32, 65536>>>(p); // coreside: allow shared-memory-opt-in
}
// CHECK-NOT: {{(error|note): launch of}}
