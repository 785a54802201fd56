// With -rdc=true the linker may raise registers. Where shared memory alone
// decides, that does not matter; where registers do, nothing is said.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu rtx4090 -- -rdc=true 2>/dev/null | FileCheck %s

#include <cuda_runtime.h>

extern __device__ float elsewhere(float);

__global__ void gather(float *p) {
  extern __shared__ float cells[];
  cells[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = elsewhere(cells[threadIdx.x ^ 1]);
}
__global__ void scatter(float *p) {
  extern __shared__ float cells[];
  cells[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x ^ 2] = elsewhere(cells[threadIdx.x]);
}

void bySharedMemory(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(gather, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       60000);
  cudaFuncSetAttribute(scatter, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       60000);
  gather<<<128, 64, 60000, s>>>(p);
  scatter<<<128, 64, 60000, t>>>(q);
}
// CHECK: registers-not-final.cu:[[#@LINE-2]]:3: warning: 'scatter' cannot run beside 'gather' on rtx4090: limited by shared memory [no-coresidency]
// CHECK: note: rtx4090: 'gather' is not linked yet; this holds for {{[0-9]+}} to 255 registers a thread
// CHECK: note: rtx4090: 'scatter' is not linked yet; this holds for {{[0-9]+}} to 255 registers a thread
// CHECK-NOT: warning:

// At the fewest registers a block of either fits beside the other.
void byRegisters(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  gather<<<128, 512, 4096, s>>>(p);
  scatter<<<128, 512, 4096, t>>>(q);
}
