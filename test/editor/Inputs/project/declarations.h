// What clangd needs to know of CUDA where there is no toolkit; coreside has its
// own.
#ifndef __global__
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
typedef struct CUstream_st *cudaStream_t;
extern "C" int cudaFree(void *memory);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                           unsigned long bytes = 0,
                                           cudaStream_t stream = 0);
extern "C" int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                                void **arguments, unsigned long bytes,
                                cudaStream_t stream);
#endif
