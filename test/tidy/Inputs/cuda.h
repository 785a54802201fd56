// What clang needs to parse launches without a CUDA toolkit. coreside has
// declarations of its own, which come first.
#ifndef CORESIDE_DECLARATIONS
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
typedef unsigned long size_t;
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
};
typedef struct CUstream_st *cudaStream_t;
extern "C" int __cudaPushCallConfiguration(dim3, dim3, size_t = 0,
                                           cudaStream_t = 0);
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" int cudaStreamCreate(cudaStream_t *);
extern "C" int cudaFree(void *);
#endif
