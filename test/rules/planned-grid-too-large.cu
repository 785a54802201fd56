// Grids of so many blocks for each SM, and how many an SM holds.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100,rtx4090 --level=note --rules=planned-grid-too-large \
// RUN:   --ptxas-log %S/Inputs/planned-grid-too-large.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100,rtx4090 --level=note --rules=planned-grid-too-large \
// RUN:   --ptxas-log %S/Inputs/planned-grid-too-large.log --fix-dry-run -- | FileCheck %s --check-prefix=FIX

#include <cuda_runtime.h>

// FIX: -__global__ void drain(
// FIX: +__global__ void __launch_bounds__(256, 4) drain(
__global__ void drain(const float *from, float *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

template <typename T> __global__ void stage(T *rows, int n) {
  __shared__ T tile[12288];
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    tile[threadIdx.x] = rows[i];
    __syncthreads();
    rows[i] = tile[0];
  }
}

constexpr int perSM = 4;

void byConstant(const float *from, float *to, int n, cudaStream_t s) {
  int SMs = 0;
  cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0);
  drain<<<SMs * perSM, 256, 0, s>>>(from, to, n);
  // CHECK: planned-grid-too-large.cu:[[#@LINE-1]]:3: note: the grid of 'drain' has 4 blocks for each SM on h100 and rtx4090, where 2 fit [planned-grid-too-large]
  // CHECK: note: h100: 528 blocks on 132 SMs, limited by registers; 264 of them start when others end
  // CHECK: note: rtx4090: 512 blocks on 128 SMs
  const int tiles = (n + 255) / 256, most = SMs * perSM;
  drain<<<tiles < most ? tiles : most, 256, 0, s>>>(from, to, n);
  // CHECK: planned-grid-too-large.cu:[[#@LINE-1]]:3: note: the grid of 'drain' has 4 blocks for each SM
  // CHECK: note: h100: up to 528 blocks on 132 SMs
  drain<<<SMs * 2, 256, 0, s>>>(from, to, n);
  // More than an SM could hold of any kernel with such blocks: not a plan for
  // how many there are at once.
  drain<<<SMs * 32, 256, 0, s>>>(from, to, n);
  drain<<<528, 256, 0, s>>>(from, to, n);
  drain<<<SMs * n, 256, 0, s>>>(from, to, n);
  drain<<<SMs * perSM + 1, 256, 0, s>>>(from, to, n);
}

// The call was asked about smaller blocks.
void byAnswer(const float *from, float *to, int n, cudaStream_t s) {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, drain, 128, 0);
  drain<<<blocks * device.multiProcessorCount, 128, 0, s>>>(from, to, n);
  drain<<<blocks * device.multiProcessorCount, 256, 0, s>>>(from, to, n);
  // CHECK: planned-grid-too-large.cu:[[#@LINE-1]]:3: note: the grid of 'drain' has 5 blocks for each SM on h100 and rtx4090, where 2 fit
}

void shared(float *rows, int n, cudaStream_t s) {
  int SMs = 0;
  cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0);
  stage<float><<<3 * SMs, 512, 0, s>>>(rows, n);
  // CHECK: planned-grid-too-large.cu:[[#@LINE-1]]:3: note: the grid of 'stage<float>' has 3 blocks for each SM on rtx4090, where 2 fit
  stage<float><<<3 * SMs, 512, 0, s>>>(rows, n); // coreside: allow planned-grid-too-large
}
// CHECK-NOT: {{(error|warning|note): .*[[]planned-grid-too-large}}
