// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two streams work on one camera frame: one blurs it, the other looks for
// edges; then both sum it up, one by rows and one by columns. The author meant
// each pair to run side by side. One pair does.
//
//   coreside check docs/examples/pipeline.cu --gpu a100,h100,rtx4090
//
// pipeline.log, for machines without a CUDA toolkit, is what nvcc 13.0 wrote:
//
//   nvcc -c -Xptxas -v -o pipeline.o pipeline.cu \
//     -gencode arch=compute_80,code=sm_80 \
//     -gencode arch=compute_89,code=sm_89 \
//     -gencode arch=compute_90,code=sm_90 2> pipeline.log

#include <cuda_runtime.h>

constexpr int Width = 3840;
constexpr int Height = 2160;

// Every thread makes a strip of pixels, so that what it has read serves several
// of them; that is what the registers are for.
constexpr int Strip = 8;

__device__ float pixel(const float *image, int x, int y) {
  x = min(max(x, 0), Width - 1);
  y = min(max(y, 0), Height - 1);
  return image[y * Width + x];
}

// 256 threads, four blocks per SM asked for: at most 64 registers.
__global__ void __launch_bounds__(256, 4)
    blur(float *out, const float *in, float a, float b, float c) {
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * Strip;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float weight[5] = {c, b, a, b, c};
  float sum[Strip] = {};
  for (int dy = -2; dy <= 2; ++dy) {
    float row[Strip + 4];
#pragma unroll
    for (int i = 0; i < Strip + 4; ++i)
      row[i] = pixel(in, x + i - 2, y + dy);
#pragma unroll
    for (int i = 0; i < Strip; ++i)
      for (int dx = 0; dx < 5; ++dx)
        sum[i] += weight[dx] * weight[dy + 2] * row[i + dx];
  }
  if (y < Height)
#pragma unroll
    for (int i = 0; i < Strip; ++i)
      if (x + i < Width)
        out[y * Width + x + i] = sum[i];
}

__global__ void __launch_bounds__(256, 4)
    edges(float *out, const float *in, float threshold) {
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * Strip;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // The Sobel operator of five rows and columns: smooth one way, differ the
  // other way.
  const float smooth[5] = {1, 4, 6, 4, 1};
  const float differ[5] = {-1, -2, 0, 2, 1};
  float across[Strip] = {};
  float down[Strip] = {};
#pragma unroll
  for (int dy = 0; dy < 5; ++dy) {
    float row[Strip + 4];
#pragma unroll
    for (int i = 0; i < Strip + 4; ++i)
      row[i] = pixel(in, x + i - 2, y + dy - 2);
#pragma unroll
    for (int i = 0; i < Strip; ++i)
#pragma unroll
      for (int dx = 0; dx < 5; ++dx) {
        across[i] += smooth[dy] * differ[dx] * row[i + dx];
        down[i] += differ[dy] * smooth[dx] * row[i + dx];
      }
  }
  if (y < Height)
#pragma unroll
    for (int i = 0; i < Strip; ++i) {
      float strength = sqrtf(across[i] * across[i] + down[i] * down[i]);
      if (x + i < Width)
        out[y * Width + x + i] = strength > threshold ? strength : 0;
    }
}

__global__ void sumRows(float *sums, const float *image) {
  for (int y = blockIdx.x; y < Height; y += gridDim.x) {
    float sum = 0;
    for (int x = threadIdx.x; x < Width; x += blockDim.x)
      sum += image[y * Width + x];
    atomicAdd(&sums[y], sum);
  }
}

__global__ void sumColumns(float *sums, const float *image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < Height; ++y)
    sum += image[y * Width + min(x, Width - 1)];
  if (x < Width)
    sums[x] = sum;
}

int main() {
  float *frame, *blurred, *edgeMap, *rows, *columns;
  cudaMalloc(&frame, Width * Height * sizeof(float));
  cudaMalloc(&blurred, Width * Height * sizeof(float));
  cudaMalloc(&edgeMap, Width * Height * sizeof(float));
  cudaMalloc(&rows, Height * sizeof(float));
  cudaMalloc(&columns, Width * sizeof(float));

  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);

  dim3 block(32, 8);
  dim3 grid((Width / Strip + block.x - 1) / block.x, Height / block.y);
  blur<<<grid, block, 0, left>>>(blurred, frame, 0.4f, 0.25f, 0.05f);
  edges<<<grid, block, 0, right>>>(edgeMap, frame, 0.1f);
  cudaDeviceSynchronize();

  sumRows<<<60, 256, 0, left>>>(rows, blurred);
  sumColumns<<<(Width + 255) / 256, 256, 0, right>>>(columns, edgeMap);
  cudaDeviceSynchronize();

  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
  cudaFree(frame);
  cudaFree(blurred);
  cudaFree(edgeMap);
  cudaFree(rows);
  cudaFree(columns);
}
