#include "kernels.cuh"

void frame(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  blur<<<blurBlocks, 256, 0, s>>>(p);
  edge<<<4050, 256, 0, t>>>(q);
}
