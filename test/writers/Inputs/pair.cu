// Two kernels that cannot run together on h100, one that only the tail of
// another lets in, and a launch that fails.
#include <cuda_runtime.h>

__global__ void blur(float *image);
__global__ void edges(float *image);

void second(float *image, cudaStream_t t) {
  /* größer 𝒳 */ edges<<<528, 256, 0, t>>>(image);
}

void frame(float *left, float *right, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(left);
  second(right, t);
}

void frames(float *left, float *right, cudaStream_t s, cudaStream_t t) {
  blur<<<4050, 256, 0, s>>>(left);
  edges<<<132, 256, 0, t>>>(right);
}

void wide(float *image, cudaStream_t s) {
  blur<<<528, 2048, 0, s>>>(image);
}
