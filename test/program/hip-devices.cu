// What HIP programs use beside launches: numbers of 16 bits, groups, vectors
// that are calculated with, memory pools, textures.
//
// RUN: %coreside check --dump=program --cuda-path=none %s -- | FileCheck %s

#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

namespace groups = cooperative_groups;

__constant__ float table[64];

template <class T> __global__ void scale(T *data, float by) {
  groups::thread_block block = groups::this_thread_block();
  data[block.thread_rank()] = T(float(data[block.thread_rank()]) * by);
  block.sync();
}
__global__ void halves(__half *data, __hip_bfloat16 *other) {
  __half2 two = __float2half2_rn(2.0f);
  data[0] += __float2half(1.0f) * __low2half(two);
  other[0] = __float2bfloat16(__half2float(data[0]));
}
// A program's own goes before HIP's.
__device__ void operator+=(float3 &to, const float3 &what) { to.x += what.x; }

__device__ float sum(groups::thread_block_tile<32> tile, float value) {
  return value + tile.shfl_down(value, 1);
}
__global__ void tiles(float3 *data) {
  auto tile = groups::tiled_partition<32>(groups::this_thread_block());
  data[0] += data[1];
  data[0].x = sum(tile, data[1].x);
}
__global__ void vectors(float4 *data, unsigned bits) {
  data[0] += 2.0f * data[1] / data[2];
  data[1].x = __bitextract_u32(bits, 4, 8) + __clzll(bits) +
              __longlong_as_double(__double_as_longlong(data[0].y));
}

void run(int device) {
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, device);
  int pools = 0;
  hipDeviceGetAttribute(&pools, hipDeviceAttributeMemoryPoolsSupported, device);
  hipMemPool_t pool;
  hipDeviceGetDefaultMemPool(&pool, device);
  size_t bytes = 0;
  hipGetSymbolSize(&bytes, table);
  hipTextureObject_t texture = 0;
  hipTextureDesc description = {};
  description.filterMode = hipFilterModeLinear;
  hipCreateTextureObject(&texture, nullptr, &description, nullptr);
  scale<__half><<<1, 64>>>(nullptr, 2);
  scale<__hip_bfloat16><<<2, 64>>>(nullptr, 2);
  halves<<<3, 64>>>(nullptr, nullptr);
  tiles<<<5, 64>>>(nullptr);
  hipLaunchKernelGGL(vectors, dim3(4), dim3(64), 0, 0, nullptr, 1u);
}

// CHECK-DAG:  "kernel": "scale<__half>"
// CHECK-DAG:  "kernel": "scale<__hip_bfloat16>"
// CHECK-DAG:  "kernel": "halves"
// CHECK-DAG:  "kernel": "tiles"
// CHECK-DAG:  "kernel": "vectors"
// CHECK-NOT:  "unread"
