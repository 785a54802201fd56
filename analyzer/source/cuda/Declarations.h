// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CUDA that host code commonly uses, declared for parsing only: it
// stands in for CUDA's headers where no toolkit is installed. Names and
// signatures are those of NVIDIA's documentation; nothing here has a body that
// matters.

#pragma once
// Also where an option includes it: what its functions do is known by name.
#pragma clang system_header

#define CORESIDE_DECLARATIONS 1

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define CUDART_CB
#define CUDARTAPI
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

// Device code calls functions of the C and C++ libraries; where these are the
// host's only, the parser's objection is left out (Parse.cpp).
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <stdio.h>
#include <string.h>
#pragma clang force_cuda_host_device end
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <utility>
#endif

#pragma clang force_cuda_host_device begin
#define CORESIDE_VECTOR(Name, Type)                                            \
  struct Name##1 { Type x; };                                                  \
  struct Name##2 { Type x, y; };                                               \
  struct Name##3 { Type x, y, z; };                                            \
  struct Name##4 { Type x, y, z, w; };                                         \
  static inline constexpr Name##1 make_##Name##1(Type x) { return {x}; }       \
  static inline constexpr Name##2 make_##Name##2(Type x, Type y) {             \
    return {x, y};                                                             \
  }                                                                            \
  static inline constexpr Name##3 make_##Name##3(Type x, Type y, Type z) {     \
    return {x, y, z};                                                          \
  }                                                                            \
  static inline constexpr Name##4 make_##Name##4(Type x, Type y, Type z,       \
                                                 Type w) {                     \
    return {x, y, z, w};                                                       \
  }
CORESIDE_VECTOR(char, signed char)
CORESIDE_VECTOR(uchar, unsigned char)
CORESIDE_VECTOR(short, short)
CORESIDE_VECTOR(ushort, unsigned short)
CORESIDE_VECTOR(int, int)
CORESIDE_VECTOR(uint, unsigned)
CORESIDE_VECTOR(long, long)
CORESIDE_VECTOR(ulong, unsigned long)
CORESIDE_VECTOR(longlong, long long)
CORESIDE_VECTOR(ulonglong, unsigned long long)
CORESIDE_VECTOR(float, float)
CORESIDE_VECTOR(double, double)
#undef CORESIDE_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
#pragma clang force_cuda_host_device end

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
  cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount,
  cudaLimitMaxL2FetchGranularity,
  cudaLimitPersistingL2CacheSize
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrHostNativeAtomicSupported = 86,
  cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMemoryPoolsSupported = 115
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseSetAccessedBy = 5
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
struct cudaArray;
typedef cudaArray *cudaArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventWaitDefault 0x00
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost 0x08
#define cudaOccupancyDefault 0x00
#define cudaCpuDeviceId (-1)

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor, clockRate, multiProcessorCount, concurrentKernels;
  int asyncEngineCount, memoryClockRate, memoryBusWidth, l2CacheSize;
  int maxThreadsPerMultiProcessor, regsPerMultiprocessor;
  int maxBlocksPerMultiProcessor, cooperativeLaunch, managedMemory, integrated;
  int canMapHostMemory, unifiedAddressing, concurrentManagedAccess;
  int persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
  size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaPointerAttributes {
  int type, device;
  void *devicePointer, *hostPointer;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaChannelFormatDesc {
  int x, y, z, w, f;
};
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
};
struct cudaResourceViewDesc;
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies,
  cudaMemPoolAttrReleaseThreshold,
  cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrReservedMemHigh,
  cudaMemPoolAttrUsedMemCurrent,
  cudaMemPoolAttrUsedMemHigh
};
struct cudaMemLocation {
  int type, id;
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributeMemSyncDomainMap = 9,
  cudaLaunchAttributeMemSyncDomain = 10,
  cudaLaunchAttributePreferredClusterDimension = 11,
  cudaLaunchAttributeLaunchCompletionEvent = 12,
  cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
enum cudaAccessProperty {
  cudaAccessPropertyNormal,
  cudaAccessPropertyStreaming,
  cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaLaunchMemSyncDomain {
  cudaLaunchMemSyncDomainDefault,
  cudaLaunchMemSyncDomainRemote
};
struct cudaLaunchMemSyncDomainMap {
  unsigned char default_, remote;
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  int syncPolicy;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  cudaLaunchMemSyncDomainMap memSyncDomainMap;
  cudaLaunchMemSyncDomain memSyncDomain;
  struct {
    unsigned x, y, z;
  } preferredClusterDim;
  struct {
    cudaEvent_t event;
    int flags;
  } launchCompletionEvent;
  unsigned sharedMemCarveout;
};
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
typedef cudaLaunchAttributeID cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow                                  \
  cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy                               \
  cudaLaunchAttributeSynchronizationPolicy
#define cudaKernelNodeAttributeAccessPolicyWindow                              \
  cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type;
};
enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel,
  cudaGraphNodeTypeMemcpy,
  cudaGraphNodeTypeMemset,
  cudaGraphNodeTypeHost,
  cudaGraphNodeTypeGraph,
  cudaGraphNodeTypeEmpty,
  cudaGraphNodeTypeConditional = 13
};
struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void *userData;
};
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
};
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf,
  cudaGraphCondTypeWhile,
  cudaGraphCondTypeSwitch
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  union {
    cudaKernelNodeParams kernel;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
    cudaChildGraphNodeParams graph;
    cudaConditionalNodeParams conditional;
  };
};
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess };
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaLaunchParams {
  void *func;
  dim3 gridDim, blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
};
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUfunc_st *cudaFunction_t;
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                     size_t dynamicShared = 0,
                                     struct CUstream_st *stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t dynamicShared = 0,
                              cudaStream_t stream = 0);
// What clang makes of a launch in device code.
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters,
                                        dim3 grid, dim3 block,
                                        unsigned dynamicShared,
                                        cudaStream_t stream);
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                             void **arguments, size_t dynamicShared,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid,
                                        dim3 block, void **arguments,
                                        size_t dynamicShared,
                                        cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *list,
                                                   unsigned count,
                                                   unsigned flags = 0);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *kernel, void **arguments);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                               void *data);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int device);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback, void *data,
                                  unsigned flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                     size_t bytes = 0,
                                     unsigned flags = cudaMemAttachHost);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(
    cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
    const cudaGraphEdgeData *edges, size_t count, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaKernelNodeParams *parameters);
cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                cudaKernelNodeAttrID attribute,
                                const cudaKernelNodeAttrValue *value);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after,
                                       size_t count, cudaGraph_t child);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t
cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                             const cudaKernelNodeParams *parameters);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable,
                                 cudaGraphNode_t node,
                                 const cudaKernelNodeParams *parameters);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                             cudaGraph_t graph,
                                             unsigned initial = 0,
                                             unsigned flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from,
                                 cudaEvent_t to);
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned flags = 0);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes,
                              unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
                            size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent);
cudaError_t cudaMallocArray(cudaArray_t *array,
                            const cudaChannelFormatDesc *format, size_t width,
                            size_t height = 0, unsigned flags = 0);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from,
                           int fromDevice, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from,
                                int fromDevice, size_t bytes,
                                cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                         size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                              size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(
    const void *symbol, const void *from, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(
    void *to, const void *symbol, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0);
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description,
                                    const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                            cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                         size_t height);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream = 0);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes,
                          cudaMemoryAdvise advice, int device);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *pointer);
cudaError_t cudaFuncSetAttribute(const void *kernel,
                                 cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *kernel,
                                                          int blockSize,
                                                          size_t dynamicShared);
}

// Of the driver: launches, modules, contexts, and what has no counterpart in
// the runtime.
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;
typedef unsigned cuuint32_t;
typedef unsigned long cuuint64_t;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
enum CUresult { CUDA_SUCCESS = 0 };
enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
};
enum CUlaunchAttributeID {
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
};
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  cudaLaunchAttributeValue value;
};
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};
#define CU_STREAM_DEFAULT 0x0
#define CU_STREAM_NON_BLOCKING 0x1
#define CU_STREAM_WAIT_VALUE_GEQ 0x0
#define CU_STREAM_WAIT_VALUE_EQ 0x1
#define CU_STREAM_WRITE_VALUE_DEFAULT 0x0
extern "C" {
CUresult cuInit(unsigned flags);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxSynchronize();
CUresult cuModuleLoad(CUmodule *module, const char *file);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library,
                            const char *name);
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value);
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned dynamicShared,
                        CUstream stream, void **parameters, void **extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX,
                                   unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned dynamicShared,
                                   CUstream stream, void **parameters);
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **parameters, void **extra);
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemAllocHost(void **pointer, size_t bytes);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                           CUstream stream);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes,
                           CUstream stream);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address,
                             cuuint32_t value, unsigned flags);
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address,
                             cuuint64_t value, unsigned flags);
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address,
                              cuuint32_t value, unsigned flags);
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address,
                              cuuint64_t value, unsigned flags);
}

// As of CUDA 13; before, without data about the edges.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges,
                                     size_t count);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *after, size_t count,
                             cudaGraphNodeParams *parameters);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             cudaGraphNodeParams *parameters);
template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return cudaMalloc((void **)pointer, bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned flags = 0) {
  return cudaMallocHost((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                              unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width,
                            size_t height) {
  return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                               size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset,
                                 kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(
    void *to, const T &symbol, size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset,
                                   kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T>
cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t dynamicShared = 0,
                             cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments,
                          dynamicShared, stream);
}
template <class T>
cudaError_t
cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                            size_t dynamicShared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block,
                                     arguments, dynamicShared, stream);
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                               void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  return cudaLaunchKernelExC(config, (const void *)kernel, 0);
}
template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute,
                                 int value) {
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                          int blockSize,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, (const void *)kernel, blockSize, shared);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel,
                                               size_t shared = 0,
                                               int limit = 0);
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height,
                                         size_t depth) {
  return {width, height, depth};
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
static inline cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}

// Device code. The C library has functions of some of these names.
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __powf(x, y) powf(x, y)
__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldlu(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ void __stwb(T *, T);
template <class T> __device__ void __stcg(T *, T);
template <class T> __device__ void __stcs(T *, T);
template <class T> __device__ void __stwt(T *, T);
__device__ void __nanosleep(unsigned);
__device__ void __trap();
__device__ void cudaGridDependencySynchronize();
__device__ void cudaTriggerProgrammaticLaunchCompletion();
__device__ long long clock64();
__device__ int clock();
__device__ long long globaltimer();
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
template <class T>
__device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                            int width = 32);
template <class T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                              int width = 32);
template <class T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
template <class T> __device__ T __reduce_add_sync(unsigned mask, T value);
template <class T> __device__ T __ldg(const T *pointer);
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T tex1D(cudaTextureObject_t, float);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __device__ T __ldcs(const T *pointer);
template <class T> __device__ void __stcs(T *pointer, T value);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __ffs(int);
__device__ unsigned __brev(unsigned);
__device__ int __clzll(long long);
__device__ int __ffsll(long long);
__device__ unsigned long long __brevll(unsigned long long);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned selector);
__device__ int __dp4a(int, int, int);
__device__ unsigned __dp4a(unsigned, unsigned, unsigned);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ int __mulhi(int, int);
__device__ unsigned long long __umul64hi(unsigned long long,
                                         unsigned long long);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned __sad(int, int, unsigned);
__device__ unsigned __usad(unsigned, unsigned, unsigned);
__device__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by);
__device__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by);
template <class T> __device__ unsigned __match_any_sync(unsigned mask, T value);
template <class T>
__device__ unsigned __match_all_sync(unsigned mask, T value, int *same);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ int __reduce_max_sync(unsigned mask, int value);
__device__ unsigned __reduce_max_sync(unsigned mask, unsigned value);
__device__ int __reduce_min_sync(unsigned mask, int value);
__device__ unsigned __reduce_min_sync(unsigned mask, unsigned value);
__device__ int __mul24(int, int);
__device__ unsigned __umul24(unsigned, unsigned);
// The mathematics of device code, in double and float, by C's and C++'s names.
#define CORESIDE_MATH_1(name)                                                  \
  __device__ double name(double);                                              \
  __device__ float name(float);                                                \
  __device__ float name##f(float);
#define CORESIDE_MATH_2(name)                                                  \
  __device__ double name(double, double);                                      \
  __device__ float name(float, float);                                         \
  __device__ float name##f(float, float);
CORESIDE_MATH_1(sqrt)
CORESIDE_MATH_1(cbrt)
CORESIDE_MATH_1(exp)
CORESIDE_MATH_1(exp2)
CORESIDE_MATH_1(expm1)
CORESIDE_MATH_1(log)
CORESIDE_MATH_1(log2)
CORESIDE_MATH_1(log10)
CORESIDE_MATH_1(log1p)
CORESIDE_MATH_1(sin)
CORESIDE_MATH_1(cos)
CORESIDE_MATH_1(tan)
CORESIDE_MATH_1(asin)
CORESIDE_MATH_1(acos)
CORESIDE_MATH_1(atan)
CORESIDE_MATH_1(sinh)
CORESIDE_MATH_1(cosh)
CORESIDE_MATH_1(tanh)
CORESIDE_MATH_1(asinh)
CORESIDE_MATH_1(acosh)
CORESIDE_MATH_1(atanh)
CORESIDE_MATH_1(ceil)
CORESIDE_MATH_1(floor)
CORESIDE_MATH_1(round)
CORESIDE_MATH_1(rint)
CORESIDE_MATH_1(trunc)
CORESIDE_MATH_1(nearbyint)
CORESIDE_MATH_1(fabs)
CORESIDE_MATH_1(erf)
CORESIDE_MATH_1(erfc)
CORESIDE_MATH_1(tgamma)
CORESIDE_MATH_1(lgamma)
CORESIDE_MATH_2(pow)
CORESIDE_MATH_2(atan2)
CORESIDE_MATH_2(fmod)
CORESIDE_MATH_2(fmin)
CORESIDE_MATH_2(fmax)
CORESIDE_MATH_2(hypot)
CORESIDE_MATH_2(copysign)
CORESIDE_MATH_2(fdim)
CORESIDE_MATH_2(remainder)
#undef CORESIDE_MATH_1
#undef CORESIDE_MATH_2
__device__ double fma(double, double, double);
__device__ float fmaf(float, float, float);
__device__ int abs(int);
__device__ float abs(float);
__device__ double abs(double);
__device__ float __fdividef(float, float);
__device__ float __int_as_float(int);
__device__ int __float_as_int(float);
__device__ float __uint_as_float(unsigned);
__device__ unsigned __float_as_uint(float);
__device__ double __longlong_as_double(long long);
__device__ long long __double_as_longlong(double);
__device__ double __hiloint2double(int high, int low);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
// Rounded to the nearest, towards zero, up and down.
#define CORESIDE_ROUNDED(declaration, name, arguments)                         \
  __device__ declaration name##_rn arguments;                                  \
  __device__ declaration name##_rz arguments;                                  \
  __device__ declaration name##_ru arguments;                                  \
  __device__ declaration name##_rd arguments;
CORESIDE_ROUNDED(float, __fadd, (float, float))
CORESIDE_ROUNDED(float, __fsub, (float, float))
CORESIDE_ROUNDED(float, __fmul, (float, float))
CORESIDE_ROUNDED(float, __fdiv, (float, float))
CORESIDE_ROUNDED(float, __fmaf, (float, float, float))
CORESIDE_ROUNDED(float, __frcp, (float))
CORESIDE_ROUNDED(float, __fsqrt, (float))
CORESIDE_ROUNDED(double, __dadd, (double, double))
CORESIDE_ROUNDED(double, __dsub, (double, double))
CORESIDE_ROUNDED(double, __dmul, (double, double))
CORESIDE_ROUNDED(double, __ddiv, (double, double))
CORESIDE_ROUNDED(double, __fma, (double, double, double))
CORESIDE_ROUNDED(double, __drcp, (double))
CORESIDE_ROUNDED(double, __dsqrt, (double))
CORESIDE_ROUNDED(int, __float2int, (float))
CORESIDE_ROUNDED(unsigned, __float2uint, (float))
CORESIDE_ROUNDED(long long, __float2ll, (float))
CORESIDE_ROUNDED(unsigned long long, __float2ull, (float))
CORESIDE_ROUNDED(int, __double2int, (double))
CORESIDE_ROUNDED(unsigned, __double2uint, (double))
CORESIDE_ROUNDED(long long, __double2ll, (double))
CORESIDE_ROUNDED(unsigned long long, __double2ull, (double))
CORESIDE_ROUNDED(float, __double2float, (double))
CORESIDE_ROUNDED(float, __int2float, (int))
CORESIDE_ROUNDED(float, __uint2float, (unsigned))
CORESIDE_ROUNDED(float, __ll2float, (long long))
CORESIDE_ROUNDED(float, __ull2float, (unsigned long long))
CORESIDE_ROUNDED(double, __ll2double, (long long))
CORESIDE_ROUNDED(double, __ull2double, (unsigned long long))
#undef CORESIDE_ROUNDED
__device__ double __int2double_rn(int);
__device__ double __uint2double_rn(unsigned);
__device__ float __frsqrt_rn(float);
__device__ void __sincosf(float, float *, float *);
__host__ __device__ float rsqrtf(float);
__host__ __device__ double rsqrt(double);
__device__ float __saturatef(float);

template <class T, class U> __device__ T atomicAdd(T *pointer, U value);
template <class T, class U> __device__ T atomicAdd_block(T *pointer, U value);
template <class T, class U> __device__ T atomicAdd_system(T *pointer, U value);
template <class T, class U> __device__ T atomicSub(T *pointer, U value);
template <class T, class U> __device__ T atomicSub_block(T *pointer, U value);
template <class T, class U> __device__ T atomicSub_system(T *pointer, U value);
template <class T, class U> __device__ T atomicExch(T *pointer, U value);
template <class T, class U> __device__ T atomicExch_block(T *pointer, U value);
template <class T, class U> __device__ T atomicExch_system(T *pointer, U value);
template <class T, class U> __device__ T atomicMin(T *pointer, U value);
template <class T, class U> __device__ T atomicMin_block(T *pointer, U value);
template <class T, class U> __device__ T atomicMin_system(T *pointer, U value);
template <class T, class U> __device__ T atomicMax(T *pointer, U value);
template <class T, class U> __device__ T atomicMax_block(T *pointer, U value);
template <class T, class U> __device__ T atomicMax_system(T *pointer, U value);
template <class T, class U> __device__ T atomicAnd(T *pointer, U value);
template <class T, class U> __device__ T atomicAnd_block(T *pointer, U value);
template <class T, class U> __device__ T atomicAnd_system(T *pointer, U value);
template <class T, class U> __device__ T atomicOr(T *pointer, U value);
template <class T, class U> __device__ T atomicOr_block(T *pointer, U value);
template <class T, class U> __device__ T atomicOr_system(T *pointer, U value);
template <class T, class U> __device__ T atomicXor(T *pointer, U value);
template <class T, class U> __device__ T atomicXor_block(T *pointer, U value);
template <class T, class U> __device__ T atomicXor_system(T *pointer, U value);
template <class T, class U, class V>
__device__ T atomicCAS(T *pointer, U compare, V value);
__device__ unsigned atomicInc(unsigned *pointer, unsigned limit);
__device__ unsigned atomicDec(unsigned *pointer, unsigned limit);
