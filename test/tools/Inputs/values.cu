#include <cuda_runtime.h>

__global__ void k(float *p) {}
int input();

void known(float *p) { k<<<4, 128>>>(p); }

void formulas(float *p, int n) {
  k<<<(n + 127) / 128, 128, n>>>(p);
  if (n <= 512)
    k<<<1, n>>>(p);
}

void unknown(float *p) { k<<<input(), input(), input()>>>(p); }
