// Host calls that make the device finish first without saying so: as seen on
// hardware, and as documented.
//
// RUN: %python %S/check.py %coreside %s
// RUN: %python %S/check.py %coreside %s --prefix=DOCUMENTED \
// RUN:   --sync-model=documented

#include "Inputs/kernels.h"

// EXPECT a b: ordered "'cudaFree' in between", byHostCall, hostCalls
// DOCUMENTED a b: unknown "perhaps ordered: 'cudaFree' in between", byHostCall, hostCalls
void frees(cudaStream_t s, cudaStream_t t, float *p) {
  a<<<1, 32, 0, s>>>();
  cudaFree(p);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// DOCUMENTED a b: unknown
void freesHostMemory(cudaStream_t s, cudaStream_t t, float *p) {
  a<<<1, 32, 0, s>>>();
  cudaFreeHost(p);
  b<<<1, 32, 0, t>>>();
}

// It only wakes the runtime up.
// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void freesNothing(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaFree(0);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void freesInStreamOrder(cudaStream_t s, cudaStream_t t, float *p) {
  a<<<1, 32, 0, s>>>();
  cudaFreeAsync(p, t);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, otherwiseOrderedBy, hostCalls
// DOCUMENTED a b: ordered "'cudaMalloc' in between", byHostCall, hostCalls
void allocates(cudaStream_t s, cudaStream_t t) {
  float *p;
  a<<<1, 32, 0, s>>>();
  cudaMalloc(&p, 1 << 20);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: ordered
void allocatesPinned(cudaStream_t s, cudaStream_t t) {
  float *p;
  a<<<1, 32, 0, s>>>();
  cudaMallocHost(&p, 1 << 20);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: ordered
void allocatesManaged(cudaStream_t s, cudaStream_t t) {
  float *p;
  a<<<1, 32, 0, s>>>();
  cudaMallocManaged(&p, 1 << 20);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: ordered
void registersMemory(cudaStream_t s, cudaStream_t t, float *p) {
  a<<<1, 32, 0, s>>>();
  cudaHostRegister(p, 1 << 20, cudaHostRegisterDefault);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, no otherwiseOrderedBy
// DOCUMENTED a b: may overlap
void allocatesInStreamOrder(cudaStream_t s, cudaStream_t t) {
  float *p;
  a<<<1, 32, 0, s>>>();
  cudaMallocAsync(&p, 1 << 20, t);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// DOCUMENTED a b: may overlap, otherwiseOrderedBy
void setsTheStackLimit(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaDeviceSetLimit(cudaLimitStackSize, 4096);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// DOCUMENTED a b: may overlap
void setsThePersistingLimit(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void setsTheHeapLimit(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// DOCUMENTED a b: may overlap
void resetsPersistingLines(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaCtxResetPersistingL2Cache();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// DOCUMENTED a b: ordered
void resetsTheDevice(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaDeviceReset();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: ordered
void setsACacheConfiguration(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaFuncSetCacheConfig(b, cudaFuncCachePreferL1);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: ordered
void setsTheDeviceCacheConfiguration(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void asksThings(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  size_t used, all;
  cudaMemGetInfo(&used, &all);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, b);
  cudaGetLastError();
  cudaPeekAtLastError();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void makesAndDestroysThings(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaStream_t u;
  cudaEvent_t e;
  cudaStreamCreate(&u);
  cudaStreamDestroy(u);
  cudaEventCreate(&e);
  cudaEventDestroy(e);
  cudaFuncSetAttribute(b, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// DOCUMENTED a b: may overlap
void allocatesBefore(cudaStream_t s, cudaStream_t t) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
  cudaFree(p);
}

// What waits by its own word orders them anyway.
// EXPECT a b: ordered, no byHostCall, no hostCalls
void freesAndWaits(cudaStream_t s, cudaStream_t t, float *p) {
  a<<<1, 32, 0, s>>>();
  cudaFree(p);
  cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}
