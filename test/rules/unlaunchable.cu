// Every fault that needs no other kernel, and its neighbour that launches.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/unlaunchable.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void heavy(float *p);
__global__ void light(float *p);
template <int Most>
__global__ void __launch_bounds__(Most) bounded(float *p) {
  *p = 0;
}

void registers(float *p) {
  heavy<<<1, 384>>>(p);
  heavy<<<1, dim3(8, 8, 8)>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: a block of 512 threads takes more registers than a block can have [unlaunchable]
  // CHECK: note: h100: 136 registers a thread are 4,352 a warp, rounded up to 256; 16 warps take 69,632, a block has at most 65,536; cudaErrorLaunchOutOfResources
}

void dimensions(float *p, int n) {
  light<<<0, 32>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: a dimension of its grid or block is 0
  // CHECK: note: h100: each must be at least 1
  light<<<1, 1025>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: its block has 1,025 threads
  light<<<1, dim3(2, 2, 65)>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: its block has 65 threads in z
  light<<<dim3(1, 65536), 32>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: its grid has 65,536 blocks in y
  light<<<n, n>>>(p);
}

// Its registers would be too many as well, but it does not come to that.
void tooManyThreads(float *p) {
  heavy<<<4, 2048>>>(p);
  // CHECK-NOT: registers
  // CHECK: unlaunchable.cu:[[#@LINE-2]]:3: error: launch of 'heavy' fails on h100: its block has 2,048 threads
}

void bounds(float *p) {
  bounded<128><<<4, dim3(16, 8)>>>(p);
  bounded<128><<<4, dim3(64, 4)>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'bounded<128>' fails on h100: its block has 256 threads, more than the 128 of its __launch_bounds__
  // CHECK: note: h100: launch at most 128 threads, or raise the bound
}

void shared(float *p) {
  light<<<1, 32, 48 * 1024 - 64>>>(p);
  light<<<1, 32, 48 * 1024>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'light' fails on h100: it takes 49,152 bytes of dynamic shared memory without opting in
  // CHECK: note: h100: 49,088 bytes are left beside 64 static ones; with cudaFuncAttributeMaxDynamicSharedMemorySize up to 232,384
  heavy<<<1, 32, 300000>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: it takes 300,000 bytes of shared memory a block
  // CHECK: note: h100: 300,000 asked, at most 232,448
}

// The last opt-in counts, also where it takes back an earlier one.
void optedIn(float *p) {
  cudaFuncSetAttribute(heavy, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  heavy<<<1, 32, 65536>>>(p);
  cudaFuncSetAttribute(heavy, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       4096);
  heavy<<<1, 32, 65536>>>(p);
  // CHECK: unlaunchable.cu:[[#@LINE-1]]:3: error: launch of 'heavy' fails on h100: it takes 65,536 bytes of dynamic shared memory, the last opt-in allows 4,096
  // CHECK: note: h100: cudaFuncAttributeMaxDynamicSharedMemorySize was last set to 4,096; up to 232,448 are possible
}
// CHECK-NOT: error:
