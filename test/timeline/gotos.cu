// What a goto skips orders nothing on the way that skips it.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

// EXPECT a c: may overlap
void aWaitThatIsSkipped(cudaStream_t s, cudaStream_t t, bool failed) {
  a<<<1, 32, 0, s>>>();
  if (failed)
    goto end;
  cudaDeviceSynchronize();
end:
  c<<<1, 32, 0, t>>>();
}

// EXPECT a c: ordered
void aWaitBehindTheLabel(cudaStream_t s, cudaStream_t t, bool failed) {
  a<<<1, 32, 0, s>>>();
  if (failed)
    goto end;
  b<<<1, 32, 0, s>>>();
end:
  cudaDeviceSynchronize();
  c<<<1, 32, 0, t>>>();
}

// EXPECT a#1 a#2: ordered
// EXPECT a#1 c: may overlap
void backwards(cudaStream_t s, cudaStream_t t, int n) {
again:
  a<<<1, 32, 0, s>>>();
  if (--n > 0)
    goto again;
  c<<<1, 32, 0, t>>>();
}
