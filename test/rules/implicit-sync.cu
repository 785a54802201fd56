// Host calls between two launches that make the device finish first.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/implicit-sync.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/implicit-sync.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --sync-model=documented --ptxas-log %S/Inputs/implicit-sync.log -- \
// RUN:   | FileCheck %s --check-prefix=DOCUMENTED

#include <cuda_runtime.h>

__global__ void left(float *p);
__global__ void right(float *p);
__global__ void flood(float *p);

void frees(float *p, float *q, float *scratch, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFree(scratch);
  right<<<8, 128, 0, t>>>(q);
  // CHECK: implicit-sync.cu:[[#@LINE-2]]:3: warning: 'cudaFree' waits for the device, which keeps 'right' from running beside 'left' [implicit-sync]
  // CHECK: implicit-sync.cu:[[#@LINE-4]]:3: note: 'left' is launched here on stream 's'
  // CHECK: implicit-sync.cu:[[#@LINE-3]]:3: note: 'right', launched here on stream 't', comes after the call
  // CHECK: implicit-sync.cu:[[#@LINE-5]]:3: note: free it after 'right', or in stream order with cudaFreeAsync
  // DOCUMENTED: implicit-sync.cu:[[#@LINE-6]]:3: warning: 'cudaFree' may wait for the device, which keeps 'right' from running beside 'left' [implicit-sync]
}

void allocates(float *p, cudaStream_t s, cudaStream_t t) {
  float *more;
  left<<<8, 128, 0, s>>>(p);
  cudaMalloc(&more, 1 << 20);
  right<<<8, 128, 0, t>>>(more);
  // NOTE: implicit-sync.cu:[[#@LINE-2]]:3: note: by NVIDIA's documents 'cudaMalloc' waits for the device, which would keep 'right' from running beside 'left' [implicit-sync]
  // NOTE: implicit-sync.cu:[[#@LINE-3]]:3: note: allocate before 'left', or in stream order with cudaMallocAsync
  // DOCUMENTED: implicit-sync.cu:[[#@LINE-4]]:3: warning: 'cudaMalloc' waits for the device, which keeps 'right' from running beside 'left' [implicit-sync]
}

void setsALimit(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaDeviceSetLimit(cudaLimitStackSize, 4096);
  right<<<8, 128, 0, t>>>(q);
  // CHECK: implicit-sync.cu:[[#@LINE-2]]:3: warning: 'cudaDeviceSetLimit' waits for the device, which keeps 'right' from running beside 'left' [implicit-sync]
  // CHECK: note: call it before 'left' or after 'right'
}

// Written down once, run for each stream.
void perChunk(float *p, float **scratch) {
  cudaStream_t streams[4];
  for (int i = 0; i < 4; ++i)
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
  for (int i = 0; i < 4; ++i) {
    left<<<8, 128, 0, streams[i]>>>(p);
    cudaFree(scratch[i]);
    // CHECK: implicit-sync.cu:[[#@LINE-1]]:5: warning: 'cudaFree' waits for the device, which keeps 'left' from running beside 'left'
  }
}
// CHECK-NOT: warning:

void inStreamOrder(float *p, float *q, float *scratch, cudaStream_t s,
                   cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFreeAsync(scratch, s);
  right<<<8, 128, 0, t>>>(q);
}

// The host waits as well, so it is meant.
void waits(float *p, float *q, float *scratch, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaStreamSynchronize(s);
  cudaFree(scratch);
  right<<<8, 128, 0, t>>>(q);
}

// They could not share anyway.
void noRoom(float *p, float *q, float *scratch, cudaStream_t s,
            cudaStream_t t) {
  flood<<<5280, 256, 0, s>>>(p);
  cudaFree(scratch);
  flood<<<5280, 256, 0, t>>>(q);
}

// The first stream is done with: another part of the program begins.
void nextPart(float *p, float *q, float *scratch) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  left<<<8, 128, 0, s>>>(p);
  cudaStreamDestroy(s);
  cudaFree(scratch);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  right<<<8, 128, 0, t>>>(q);
}

// It cannot be told which stream it is.
void unknown(float *p, float *q, float *scratch, cudaStream_t *some, int i,
             int j) {
  left<<<8, 128, 0, some[i]>>>(p);
  cudaFree(scratch);
  right<<<8, 128, 0, some[j]>>>(q);
}

void allowed(float *p, float *q, float *scratch, cudaStream_t s,
             cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFree(scratch); // coreside: allow implicit-sync
  right<<<8, 128, 0, t>>>(q);
}
