// Work of libraries: it orders like a kernel of unknown size.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

typedef struct cublasContext *cublasHandle_t;
extern "C" {
int cublasCreate_v2(cublasHandle_t *handle);
int cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
int cublasSgemm_v2(cublasHandle_t handle, int n, float *c);
}
void elsewhere(int n);

struct Streams {
  cudaStream_t s, t;
  Streams() {
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
  }
};

// On the legacy default stream it orders what is on blocking streams.
// EXPECT a b: ordered "cublasSgemm on the legacy default stream"
void onTheDefaultStream(float *c) {
  Streams on;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  a<<<1, 32, 0, on.s>>>();
  cublasSgemm_v2(handle, 4, c);
  b<<<1, 32, 0, on.t>>>();
}

// EXPECT a b: may overlap
void onAStream(float *c) {
  Streams on;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, on.s);
  a<<<1, 32, 0, on.s>>>();
  cublasSgemm_v2(handle, 4, c);
  b<<<1, 32, 0, on.t>>>();
}

// EXPECT a b: may overlap, assuming "'elsewhere' does not wait for the device"
void somethingElsewhere(float *c) {
  Streams on;
  a<<<1, 32, 0, on.s>>>();
  elsewhere(3);
  b<<<1, 32, 0, on.t>>>();
}
