// Where the host waits, and what it then knows to be done.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

// EXPECT a b: ordered "the host waits for stream 's'"
void waitsForItsStream(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void waitsForAnotherStream(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  a<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(u);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered "the host waits for the device"
// EXPECT b c: ordered
void waitsForTheDevice(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
  cudaDeviceSynchronize();
  c<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void waitsAfterBoth(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
  cudaStreamSynchronize(s);
  cudaStreamSynchronize(t);
}

// What s waited for is done when s is.
// EXPECT b c: ordered
void waitsThroughAnEvent(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  b<<<1, 32, 0, t>>>();
  cudaEventRecord(e, t);
  cudaStreamWaitEvent(s, e);
  a<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(s);
  c<<<1, 32, 0, u>>>();
}

// EXPECT a b: ordered
void asksUntilDone(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void asksUntilSuccess(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  while (cudaStreamQuery(s) != cudaSuccess)
    ;
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void asksAnEvent(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  do {
  } while (cudaEventQuery(e) == cudaErrorNotReady);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void asksOnce(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaStreamQuery(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void asksAnotherStream(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  while (cudaStreamQuery(t) == cudaErrorNotReady) {
  }
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// EXPECT a c: may overlap
void launchesIfDone(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  if (cudaStreamQuery(s) == cudaSuccess)
    b<<<1, 32, 0, t>>>();
  else
    c<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void givesUpAsking(cudaStream_t s, cudaStream_t t, int patience) {
  a<<<1, 32, 0, s>>>();
  while (cudaStreamQuery(s) == cudaErrorNotReady)
    if (patience-- == 0)
      break;
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void copiesAndWaits(cudaStream_t s, cudaStream_t t, float *to, float *from) {
  a<<<1, 32, 0, s>>>();
  cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void copiesWithoutWaiting(cudaStream_t s, cudaStream_t t, float *to,
                          float *from) {
  a<<<1, 32, 0, s>>>();
  cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToHost, s);
  b<<<1, 32, 0, t>>>();
}

void callback(void *) {}
void oldCallback(cudaStream_t, cudaError_t, void *) {}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void hostFunctions(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaLaunchHostFunc(s, callback, nullptr);
  cudaStreamAddCallback(s, oldCallback, nullptr, 0);
  b<<<1, 32, 0, t>>>();
  c<<<1, 32, 0, s>>>();
}

// EXPECT a c: ordered
void hostFunctionThenEvent(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaLaunchHostFunc(s, callback, nullptr);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  c<<<1, 32, 0, t>>>();
}

// EXPECT a b: unknown "perhaps ordered"
void waitsForWho(cudaStream_t s, cudaStream_t t, cudaStream_t *streams, int i) {
  a<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(streams[i]);
  b<<<1, 32, 0, t>>>();
}

void helper(cudaStream_t s);

// EXPECT a b: may overlap, assuming "'helper' does not wait"
void callsAnotherFile(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  helper(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void streamOrderedMemory(cudaStream_t s, cudaStream_t t) {
  float *p;
  a<<<1, 32, 0, s>>>();
  cudaMallocAsync(&p, 1024, t);
  b<<<1, 32, 0, t>>>();
  cudaFreeAsync(p, t);
}

// In its own stream an allocation is work like any other.
// EXPECT a b: ordered
// EXPECT a c: ordered
void streamOrderedMemoryBetween(cudaStream_t s, cudaStream_t t) {
  float *p;
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaMallocAsync(&p, 1024, s);
  cudaEventRecord(e, s);
  b<<<1, 32, 0, s>>>();
  cudaStreamWaitEvent(t, e);
  c<<<1, 32, 0, t>>>();
}
