// The legacy default stream: it waits for every blocking stream, and they for
// it.
//
// RUN: %python %S/check.py %coreside %s
// RUN: %python %S/check.py %coreside %s --prefix=THREAD -- \
// RUN:   --default-stream per-thread
// RUN: %python %S/check.py %coreside %s --prefix=THREAD -- \
// RUN:   -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1

#include "Inputs/kernels.h"

struct Streams {
  cudaStream_t s, t;
  explicit Streams(unsigned flags) {
    cudaStreamCreateWithFlags(&s, flags);
    cudaStreamCreateWithFlags(&t, flags);
  }
};

// EXPECT a b: ordered "legacy default stream in between", byDefaultStream
// EXPECT a c: ordered "'two.s' and the legacy default stream wait"
// EXPECT c b: ordered "'two.t' and the legacy default stream wait"
// THREAD a b: may overlap
// THREAD a c: may overlap
// THREAD c b: may overlap
void betweenBlockingStreams() {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  c<<<1, 32>>>();
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: may overlap
// EXPECT c b: may overlap
// THREAD a b: may overlap
void betweenNonBlockingStreams() {
  Streams two(cudaStreamNonBlocking);
  a<<<1, 32, 0, two.s>>>();
  c<<<1, 32>>>();
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a c: ordered
// EXPECT c b: may overlap
// EXPECT a b: may overlap
void oneOfTheTwoBlocks() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  a<<<1, 32, 0, s>>>();
  c<<<1, 32>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered "both on stream 'default stream'"
// THREAD a b: ordered "both on stream 'per-thread default stream'"
void bothOnIt() {
  a<<<1, 32>>>();
  b<<<1, 32, 0, 0>>>();
}

// EXPECT a b: ordered "both on stream"
// THREAD a b: ordered "legacy default stream"
void explicitHandle(cudaStream_t s) {
  a<<<1, 32, 0, cudaStreamLegacy>>>();
  b<<<1, 32, 0, nullptr>>>();
  c<<<1, 32, 0, s>>>();
}

// EXPECT a b: ordered, byDefaultStream
// THREAD a b: ordered, byDefaultStream
void explicitHandleBetween() {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  c<<<1, 32, 0, cudaStreamLegacy>>>();
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: may overlap
void perThreadHandleBetween() {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  c<<<1, 32, 0, cudaStreamPerThread>>>();
  b<<<1, 32, 0, two.t>>>();
}

// The per-thread default stream is a blocking one.
// EXPECT a b: ordered
void perThreadAndLegacy() {
  a<<<1, 32, 0, cudaStreamPerThread>>>();
  b<<<1, 32, 0, cudaStreamLegacy>>>();
}

// EXPECT a b: ordered "cudaMemcpy on the legacy default stream", byDefaultStream
void copyBetween(float *to, float *from) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  cudaMemcpy(to, from, 4, cudaMemcpyDeviceToDevice);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
void copyBetweenNonBlocking(float *to, float *from) {
  Streams two(cudaStreamNonBlocking);
  a<<<1, 32, 0, two.s>>>();
  cudaMemcpy(to, from, 4, cudaMemcpyHostToDevice);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, byDefaultStream
void setBetween(float *p) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  cudaMemset(p, 0, 4);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, byDefaultStream
// THREAD a b: may overlap
void asynchronousSetBetween(float *p) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  cudaMemsetAsync(p, 0, 4);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, byDefaultStream
// THREAD a b: may overlap
void asynchronousCopyBetween(float *to, float *from) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToDevice);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
void copyOnTheirOwnStream(float *to, float *from) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToDevice, two.t);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, byDefaultStream
void recordBetween() {
  Streams two(cudaStreamDefault);
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, two.s>>>();
  cudaEventRecord(e);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, no byDefaultStream
void anEventOrdersThemAnyway() {
  Streams two(cudaStreamDefault);
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, two.s>>>();
  cudaEventRecord(e, two.s);
  c<<<1, 32>>>();
  cudaStreamWaitEvent(two.t, e);
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
void defaultStreamBefore() {
  Streams two(cudaStreamDefault);
  c<<<1, 32>>>();
  a<<<1, 32, 0, two.s>>>();
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
void defaultStreamAfter() {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  b<<<1, 32, 0, two.t>>>();
  c<<<1, 32>>>();
}

// It depends on what kind of streams they are.
// EXPECT a b: unknown "perhaps ordered", byDefaultStream
// EXPECT a c: unknown, byDefaultStream
// THREAD a b: may overlap
void betweenParameters(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  c<<<1, 32>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: unknown
void flagsNotKnown(unsigned flags) {
  Streams two(flags);
  a<<<1, 32, 0, two.s>>>();
  c<<<1, 32>>>();
  b<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: may overlap
void onlyOnOneArm(bool flag) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  if (flag)
    d<<<1, 32>>>();
  b<<<1, 32, 0, two.t>>>();
  c<<<1, 32, 0, two.t>>>();
}

// EXPECT a b: ordered, byDefaultStream
void onTheArmOfOne(bool flag) {
  Streams two(cudaStreamDefault);
  a<<<1, 32, 0, two.s>>>();
  if (flag) {
    d<<<1, 32>>>();
    b<<<1, 32, 0, two.t>>>();
  }
}
