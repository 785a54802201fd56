// The first launch of a kernel loads it, which waits for what runs (unless
// CUDA_MODULE_LOADING is EAGER).
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

// EXPECT a b: may overlap, firstUse
void neverLaunchedBefore(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b#2: may overlap, no firstUse
void launchedBefore(cudaStream_t s, cudaStream_t t) {
  b<<<1, 32, 0, t>>>();
  cudaDeviceSynchronize();
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a#1 a#2: may overlap, no firstUse
void theSameKernel(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  a<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, no firstUse
void askedBefore(cudaStream_t s, cudaStream_t t) {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, b);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, no firstUse
void attributeSetBefore(cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(b, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b#2: may overlap, firstUse
void perhapsLaunchedBefore(cudaStream_t s, cudaStream_t t, bool warm) {
  if (warm) {
    b<<<1, 32, 0, t>>>();
    cudaDeviceSynchronize();
  }
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// In the next turn it is loaded.
// EXPECT a#1 b#1: may overlap, firstUse
// EXPECT a#2 b#2: may overlap, no firstUse
void launchedInTheTurnBefore(cudaStream_t s, cudaStream_t t, int count) {
  for (int i = 0; i < count; ++i) {
    a<<<1, 32, 0, s>>>();
    b<<<1, 32, 0, t>>>();
  }
}
