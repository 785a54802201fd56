// Work on the legacy default stream between two blocking streams.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/default-stream-serializes.log -- \
// RUN:   | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/default-stream-serializes.log \
// RUN:   -- --default-stream per-thread | count 0

#include <cuda_runtime.h>

__global__ void head(float *p);
__global__ void torso(float *p);
__global__ void tail(float *p);

void blocking(float *p, float *q, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(q);
  tail<<<8, 64, 0, t>>>(r);
  // CHECK: default-stream-serializes.cu:[[#@LINE-2]]:3: warning: 'torso' on the legacy default stream keeps 'tail' from running beside 'head' [default-stream-serializes]
  // CHECK: default-stream-serializes.cu:[[#@LINE-4]]:3: note: it waits for 'head', launched here on the blocking stream 's'
  // CHECK: default-stream-serializes.cu:[[#@LINE-3]]:3: note: 'tail', launched here on the blocking stream 't', waits for it
  // CHECK: note: streams created with cudaStreamNonBlocking do not take part in this; neither would 'torso' on a stream of its own
}

void asynchronousSet(float *p, float *q, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  head<<<8, 64, 0, s>>>(p);
  cudaMemsetAsync(q, 0, 4096);
  tail<<<8, 64, 0, t>>>(r);
  // CHECK: default-stream-serializes.cu:[[#@LINE-2]]:3: warning: 'cudaMemsetAsync' on the legacy default stream keeps 'tail' from running beside 'head'
  // CHECK-NOT: warning:
}

void nonBlocking(float *p, float *q, float *r) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(q);
  tail<<<8, 64, 0, t>>>(r);
}

// Of streams that come from a caller it is not known whether they block.
void fromCaller(float *p, float *q, float *r, cudaStream_t s, cudaStream_t t) {
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(q);
  tail<<<8, 64, 0, t>>>(r);
}

// The host waits for this copy, and so knows that it orders.
void copyBack(float *p, float *host, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  head<<<8, 64, 0, s>>>(p);
  cudaMemcpy(host, p, 4096, cudaMemcpyDeviceToHost);
  tail<<<8, 64, 0, t>>>(r);
}

// Timing by events of the default stream: the host waits on purpose.
void timed(float *p, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t stop;
  cudaEventCreate(&stop);
  head<<<8, 64, 0, s>>>(p);
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  tail<<<8, 64, 0, t>>>(r);
}
