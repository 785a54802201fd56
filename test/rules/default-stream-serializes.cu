// Work on the legacy default stream between two blocking streams.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/default-stream-serializes.log -- \
// RUN:   | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/default-stream-serializes.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/default-stream-serializes.log \
// RUN:   -- --default-stream per-thread | count 0

#include <cuda_runtime.h>

__global__ void head(float *p);
__global__ void torso(float *p);
__global__ void both(float *p, float *r);
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
  // CHECK: default-stream-serializes.cu:[[#@LINE-2]]:3: warning: 'torso' on the legacy default stream keeps 'tail' from running beside 'head', unless 's' or 't' is created with cudaStreamNonBlocking
}

// One of the two is on the default stream itself.
void forgotten(float *p, float *q, cudaStream_t s) {
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(q);
  // CHECK: default-stream-serializes.cu:[[#@LINE-1]]:3: warning: 'torso' on the legacy default stream and 'head' on stream 's' wait for each other, unless 's' is created with cudaStreamNonBlocking [default-stream-serializes]
  // CHECK: default-stream-serializes.cu:[[#@LINE-3]]:3: note: 'head' is launched here on the stream 's'
  // CHECK: note: on a stream of its own 'torso' would not wait, nor, where it names none, compiled with --default-stream per-thread
}

void forgottenFirst(float *p, float *q) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  torso<<<8, 64>>>(q);
  head<<<8, 64, 0, s>>>(p);
  // CHECK: default-stream-serializes.cu:[[#@LINE-2]]:3: warning: 'torso' on the legacy default stream and 'head' on stream 's' wait for each other [default-stream-serializes]
  // CHECK: note: 'head' is launched here on the blocking stream 's'
}

// What follows is in order, and meant to be.
// CHECK-NOT: warning:

void goesOn(float *p, float *q, cudaStream_t s) {
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(p);
}

// The work in between is about what both make.
void meant(float *p, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  head<<<8, 64, 0, s>>>(p);
  both<<<8, 64>>>(p, r);
  tail<<<8, 64, 0, t>>>(r);
  // NOTE: default-stream-serializes.cu:[[#@LINE-2]]:3: note: 'both' on the legacy default stream keeps 'tail' from running beside 'head' [default-stream-serializes]
  // NOTE: note: only a note: 'both' is about memory of both
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

void allowed(float *p, float *q, float *r) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  head<<<8, 64, 0, s>>>(p);
  torso<<<8, 64>>>(q); // coreside: allow default-stream-serializes
  tail<<<8, 64, 0, t>>>(r);
}
