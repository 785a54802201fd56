// Read by like-nvcc.cu.
#ifdef CUDA_VERSION
#error nvcc does not define it
#endif
#ifdef DRIVER
#include "cuda.h"
#include <cuda.h>
#if __has_include(<cuda/std/cassert>)
#include <cuda/std/cassert>
#endif
#if CUDA_VERSION < 11000
#error cuda.h says it
#endif
void run(CUfunction kernel, CUtensorMap map) {
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
}
#else
typedef struct __align__(64) {
  unsigned long long opaque[16];
} CUtensorMap;
#endif

__global__ void nvccs() {}
__global__ void clangs() {}

void launch() {
#if defined(__clang__) && defined(__CUDA__)
  clangs<<<1, 32>>>();
#else
  nvccs<<<1, 32>>>();
#endif
}
