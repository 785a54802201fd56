// Programmatic dependent launch: a launch on the same stream that need not wait
// for the end of the kernel before it.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

__global__ void lets() { cudaTriggerProgrammaticLaunchCompletion(); }
__device__ void signal() { cudaTriggerProgrammaticLaunchCompletion(); }
__global__ void letsInACall() { signal(); }
__global__ void next() { cudaGridDependencySynchronize(); }

static cudaError_t launchNext(cudaStream_t stream, int allowed = 1) {
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = allowed;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, next);
}

// EXPECT lets next: may overlap, programmatic
void afterATrigger(cudaStream_t s) {
  lets<<<1, 32, 0, s>>>();
  launchNext(s);
}

// EXPECT letsInACall next: may overlap, programmatic
void afterATriggerInACall(cudaStream_t s) {
  letsInACall<<<1, 32, 0, s>>>();
  launchNext(s);
}

// Without a trigger it starts after the first one's end (order.txt).
// EXPECT a next: ordered "both on stream 's'"
void withoutATrigger(cudaStream_t s) {
  a<<<1, 32, 0, s>>>();
  launchNext(s);
}

// EXPECT lets next: ordered
void notAllowed(cudaStream_t s) {
  lets<<<1, 32, 0, s>>>();
  launchNext(s, 0);
}

// EXPECT lets next: ordered
void aCopyInBetween(cudaStream_t s, float *to, float *from) {
  lets<<<1, 32, 0, s>>>();
  cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToDevice, s);
  launchNext(s);
}

// EXPECT lets next: ordered "the host waits"
void theHostWaitsInBetween(cudaStream_t s) {
  lets<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(s);
  launchNext(s);
}

// Only the kernel just before it may still run.
// EXPECT a next: ordered
// EXPECT lets next: may overlap, programmatic
void onlyTheOneBefore(cudaStream_t s) {
  a<<<1, 32, 0, s>>>();
  lets<<<1, 32, 0, s>>>();
  launchNext(s);
}

// EXPECT next b: ordered
// EXPECT lets b: ordered
void whatFollowsWaits(cudaStream_t s) {
  lets<<<1, 32, 0, s>>>();
  launchNext(s);
  b<<<1, 32, 0, s>>>();
}

// What waits for a programmatic event waits for what is before the launch, and
// not for its end.
// EXPECT a lets: ordered
// EXPECT a b: ordered "event 'e'"
// EXPECT lets b: may overlap
void programmaticEvent(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticEvent;
  attribute[0].val.programmaticEvent.event = e;
  cudaLaunchConfig_t config = {1, 32, 0, s, attribute, 1};
  cudaLaunchKernelEx(&config, lets);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}
