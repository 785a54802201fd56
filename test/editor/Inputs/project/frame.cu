__global__ void left(float *p) { *p = 1; }
__global__ void right(float *p) { *p = 2; }

void frees(float *p, float *q, float *scratch, cudaStream_t s, cudaStream_t t) {
  left<<<8, 128, 0, s>>>(p);
  cudaFree(scratch);
  right<<<8, 128, 0, t>>>(q);
}

#ifdef RENAMED
float *renamed = scratch;
#endif
