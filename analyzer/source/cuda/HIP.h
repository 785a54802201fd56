// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HIP has beyond CUDA's functions under its own prefix: it is read after
// Declarations.h with "hip" for "cuda" in all names (Parse.cpp), where a source
// includes <hip/hip_runtime.h>.

#pragma once
#pragma clang system_header

#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define HIP_VERSION 60000000
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0

#define hipLaunchKernelGGL(kernel, grid, block, dynamicShared, stream, ...)    \
  kernel<<<(grid), (block), (dynamicShared), (stream)>>>(__VA_ARGS__)
#define hipExtLaunchKernelGGL(kernel, grid, block, dynamicShared, stream,      \
                              start, stop, flags, ...)                         \
  kernel<<<(grid), (block), (dynamicShared), (stream)>>>(__VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

typedef hipDeviceProp hipDeviceProp_t;
typedef hipFuncCache hipFuncCache_t;
typedef hipDeviceAttr hipDeviceAttribute_t;
typedef void *hipDeviceptr_t;
typedef hipFuncAttribute hipFuncAttribute_t;
typedef hipLimit hipLimit_t;
typedef struct CUmod_st *hipModule_t;
typedef struct CUfunc_st *hipFunction_t;
typedef struct CUctx_st *hipCtx_t;
typedef int hipDevice_t;

#define hipDeviceAttributeMultiprocessorCount hipDevAttrMultiProcessorCount
#define hipDeviceAttributeMaxThreadsPerBlock hipDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeWarpSize hipDevAttrWarpSize
#define hipDeviceAttributeMaxSharedMemoryPerBlock                              \
  hipDevAttrMaxSharedMemoryPerBlock
#define hipDeviceAttributeCooperativeLaunch hipDevAttrCooperativeLaunch
#define hipDeviceAttributeClockRate hipDevAttrClockRate
#define hipDeviceAttributeConcurrentManagedAccess                              \
  hipDevAttrConcurrentManagedAccess
#define hipDeviceAttributeManagedMemory hipDevAttrManagedMemory
#define hipDeviceAttributePageableMemoryAccess hipDevAttrPageableMemoryAccess
#define hipDeviceAttributeHostNativeAtomicSupported                            \
  hipDevAttrHostNativeAtomicSupported
#define hipDeviceAttributeMemoryPoolsSupported hipDevAttrMemoryPoolsSupported
#define hipDeviceAttributeUnifiedAddressing hipDevAttrUnifiedAddressing
#define hipDeviceAttributeL2CacheSize hipDevAttrL2CacheSize
#define hipDeviceAttributeMemoryClockRate hipDevAttrMemoryClockRate
#define hipDeviceAttributeMemoryBusWidth hipDevAttrGlobalMemoryBusWidth
#define hipDeviceAttributeComputeCapabilityMajor                               \
  hipDevAttrComputeCapabilityMajor
#define hipDeviceAttributeComputeCapabilityMinor                               \
  hipDevAttrComputeCapabilityMinor
#define hipDeviceAttributeMaxRegistersPerBlock hipDevAttrMaxRegistersPerBlock
#define hipDeviceAttributeMaxThreadsPerMultiProcessor                          \
  hipDevAttrMaxThreadsPerMultiProcessor
#define hipDeviceAttributeMaxSharedMemoryPerMultiprocessor                     \
  hipDevAttrMaxSharedMemoryPerMultiprocessor
#define hipDeviceAttributeMaxBlockDimX hipDevAttrMaxBlockDimX
#define hipDeviceAttributeMaxBlockDimY hipDevAttrMaxBlockDimY
#define hipDeviceAttributeMaxBlockDimZ hipDevAttrMaxBlockDimZ
#define hipDeviceAttributeMaxGridDimX hipDevAttrMaxGridDimX
#define hipDeviceAttributeMaxGridDimY hipDevAttrMaxGridDimY
#define hipDeviceAttributeMaxGridDimZ hipDevAttrMaxGridDimZ
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNonCoherent 0x80000000
#define hipHostMallocCoherent 0x40000000
#define hipErrorOutOfMemory hipErrorMemoryAllocation
#define hipErrorNotInitialized hipErrorInitializationError
#define hipErrorLaunchFailure hipErrorUnknown

extern "C" {
hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags = 0);
hipError_t hipHostFree(void *pointer);
hipError_t hipInit(unsigned flags);
hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned flags);
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes);
hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void *from, size_t bytes,
                              hipStream_t stream);
hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t bytes,
                              hipStream_t stream);
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count);
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count);
hipError_t hipModuleLoad(hipModule_t *module, const char *file);
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                const char *name);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX,
                                 unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY,
                                 unsigned blockZ, unsigned dynamicShared,
                                 hipStream_t stream, void **parameters,
                                 void **extra);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);
hipError_t hipCtxCreate(hipCtx_t *context, unsigned flags, hipDevice_t device);
hipError_t hipCtxSetCurrent(hipCtx_t context);
}
template <class T>
hipError_t hipHostMalloc(T **pointer, size_t bytes, unsigned flags = 0) {
  return hipHostMalloc((void **)pointer, bytes, flags);
}

// Bits of a number, from `offset` on.
__device__ unsigned __bitextract_u32(unsigned from, unsigned offset,
                                     unsigned width);
__device__ unsigned long long __bitextract_u64(unsigned long long from,
                                               unsigned long long offset,
                                               unsigned long long width);
__device__ unsigned __bitinsert_u32(unsigned to, unsigned from, unsigned offset,
                                    unsigned width);
__device__ unsigned __lane_id();

// Vectors are calculated with, which CUDA's are not. As templates, so that a
// program's own operators go before.
#define CORESIDE_EACH_1(a, b, sign) {a.x sign b.x}
#define CORESIDE_EACH_2(a, b, sign) {a.x sign b.x, a.y sign b.y}
#define CORESIDE_EACH_3(a, b, sign) {a.x sign b.x, a.y sign b.y, a.z sign b.z}
#define CORESIDE_EACH_4(a, b, sign)                                            \
  {a.x sign b.x, a.y sign b.y, a.z sign b.z, a.w sign b.w}
#define CORESIDE_OPERATOR(Vector, Number, Count, sign)                         \
  template <int = 0> constexpr Vector operator sign(Vector a, Vector b) {      \
    return CORESIDE_EACH_##Count(a, b, sign);                                  \
  }                                                                            \
  template <int = 0> constexpr Vector operator sign(Vector a, Number b) {      \
    struct {                                                                   \
      Number x, y, z, w;                                                       \
    } all = {b, b, b, b};                                                      \
    return CORESIDE_EACH_##Count(a, all, sign);                                \
  }                                                                            \
  template <int = 0> constexpr Vector operator sign(Number a, Vector b) {      \
    struct {                                                                   \
      Number x, y, z, w;                                                       \
    } all = {a, a, a, a};                                                      \
    return CORESIDE_EACH_##Count(all, b, sign);                                \
  }                                                                            \
  template <int = 0>                                                           \
  constexpr Vector &operator sign## = (Vector & a, Vector b) {                 \
    return a = a sign b;                                                       \
  }                                                                            \
  template <int = 0>                                                           \
  constexpr Vector &operator sign## = (Vector & a, Number b) {                 \
    return a = a sign b;                                                       \
  }
#define CORESIDE_OPERATORS(Vector, Number, Count)                              \
  CORESIDE_OPERATOR(Vector##Count, Number, Count, +)                           \
  CORESIDE_OPERATOR(Vector##Count, Number, Count, -)                           \
  CORESIDE_OPERATOR(Vector##Count, Number, Count, *)                           \
  CORESIDE_OPERATOR(Vector##Count, Number, Count, /)
#define CORESIDE_VECTORS(Vector, Number)                                       \
  CORESIDE_OPERATORS(Vector, Number, 1)                                        \
  CORESIDE_OPERATORS(Vector, Number, 2)                                        \
  CORESIDE_OPERATORS(Vector, Number, 3)                                        \
  CORESIDE_OPERATORS(Vector, Number, 4)
#pragma clang force_cuda_host_device begin
CORESIDE_VECTORS(float, float)
CORESIDE_VECTORS(double, double)
CORESIDE_VECTORS(int, int)
CORESIDE_VECTORS(uint, unsigned)
#pragma clang force_cuda_host_device end
#undef CORESIDE_VECTORS
#undef CORESIDE_OPERATORS
#undef CORESIDE_OPERATOR
#undef CORESIDE_EACH_1
#undef CORESIDE_EACH_2
#undef CORESIDE_EACH_3
#undef CORESIDE_EACH_4

// Before CUDA had masks.
template <class T> __device__ T __shfl(T value, int lane, int width = warpSize);
template <class T>
__device__ T __shfl_up(T value, unsigned delta, int width = warpSize);
template <class T>
__device__ T __shfl_down(T value, unsigned delta, int width = warpSize);
template <class T>
__device__ T __shfl_xor(T value, int lanes, int width = warpSize);
__device__ unsigned long long __ballot(int predicate);
__device__ int __any(int predicate);
__device__ int __all(int predicate);
