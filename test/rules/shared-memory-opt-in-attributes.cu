// The opt-in that holds for a launch: the last one on any path to it, for this
// very kernel, wherever it was set.
//
// RUN: not %coreside check %s --cuda-path=none --gpu a100 \
// RUN:   --ptxas-log %S/Inputs/shared-memory-opt-in-attributes.log -- \
// RUN:   | FileCheck %s --implicit-check-not="error: launch"

#include <cuda_runtime.h>

template <int N> __global__ void scan(float *p) {
  extern __shared__ float data[];
  data[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = data[N - threadIdx.x];
}
using Kernel = void (*)(float *);

template <class K> static void allow(K kernel, int bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
}
static void allowThroughAPointer(Kernel kernel, int bytes) {
  cudaFuncSetAttribute((const void *)kernel,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

void lastWriteWins(float *p) {
  allow(scan<1>, 65536);
  scan<1><<<1, 32, 65536>>>(p);
  allow(scan<1>, 4096);
  scan<1><<<1, 32, 4096>>>(p);
  scan<1><<<1, 32, 65536>>>(p);
  // CHECK: shared-memory-opt-in-attributes.cu:[[#@LINE-1]]:3: error: launch of 'scan<1>' fails on a100: it takes 65,536 bytes of dynamic shared memory, the last opt-in allows 4,096
}

void throughAPointer(float *p) {
  Kernel kernel = scan<2>;
  allowThroughAPointer(kernel, 65536);
  kernel<<<1, 32, 65536>>>(p);
}

// What is set for one instantiation says nothing of another.
void ofAnother(float *p) {
  allow(scan<3>, 65536);
  scan<4><<<1, 32, 65536>>>(p);
  // CHECK: shared-memory-opt-in-attributes.cu:[[#@LINE-1]]:3: error: launch of 'scan<4>' fails on a100: it takes 65,536 bytes of dynamic shared memory without opting in
}

// It may have been raised again.
void perhapsRaised(float *p, bool large) {
  allow(scan<5>, 4096);
  if (large)
    allow(scan<5>, 65536);
  scan<5><<<1, 32, 65536>>>(p);
}

// A size that is no size is too large, not unknown.
void huge(float *p) {
  scan<6><<<1, 32, (size_t)-1>>>(p);
  // CHECK: shared-memory-opt-in-attributes.cu:[[#@LINE-1]]:3: error: launch of 'scan<6>' fails on a100: it takes 18,446,744,073,709,551,615 bytes of shared memory a block
}
