// Calls are followed, constant loops unrolled, checks of errors not followed.
//
// RUN: %coreside check --dump=program %s -- | FileCheck %s

#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK_CALL(call)                                                       \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s\n", cudaGetErrorString(error));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__global__ void step(float *p) {}

static void submit(float *p, cudaStream_t stream, int blocks) {
  step<<<blocks, 64, 0, stream>>>(p);
  CHECK_CALL(cudaGetLastError());
}

int main() {
  float *p;
  CHECK_CALL(cudaMalloc(&p, 1 << 20));
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i)
    CHECK_CALL(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  cudaEvent_t done;
  CHECK_CALL(cudaEventCreate(&done));
  for (int i = 0; i < 3; ++i)
    submit(p, streams[i % 2], 10 + i);
  CHECK_CALL(cudaEventRecord(done, streams[0]));
  CHECK_CALL(cudaStreamWaitEvent(streams[1], done, 0));
  CHECK_CALL(cudaDeviceSynchronize());
}

// CHECK:     "function": "main"
// CHECK-NOT: "guards"
// CHECK:     "kind": "allocation"
// CHECK:     "grid": [
// CHECK-NEXT:  10,
// CHECK:     "path": [
// CHECK-NEXT:  "submit from {{.*}}host-order.cu:34:5"
// CHECK:     "stream": "streams[0]"
// CHECK:     11,
// CHECK:     "stream": "streams[1]"
// CHECK:     12,
// CHECK:     "stream": "streams[0]"
// CHECK:     "kind": "event record"
// CHECK:     "event": "done"
// CHECK:     "kind": "stream wait"
// CHECK:     "stream": "streams[1]"
// CHECK:     "kind": "device synchronize"
// CHECK:     "blocking": "no"
