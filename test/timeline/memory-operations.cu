// Streams that wait for memory to have a value: somebody sets it, nobody knows
// who.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

#include <cuda.h>

// EXPECT a b: unknown "stream 't' waits in 'cuStreamWaitValue32'"
void waitsForAValue(cudaStream_t s, cudaStream_t t, CUdeviceptr flag) {
  a<<<1, 32, 0, s>>>();
  cuStreamWriteValue32(s, flag, 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  cuStreamWaitValue32(t, flag, 1, CU_STREAM_WAIT_VALUE_EQ);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void onlyWrites(cudaStream_t s, cudaStream_t t, CUdeviceptr flag) {
  a<<<1, 32, 0, s>>>();
  cuStreamWriteValue32(t, flag, 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void anotherStreamWaits(cudaStream_t s, cudaStream_t t, cudaStream_t u,
                        CUdeviceptr flag) {
  a<<<1, 32, 0, s>>>();
  cuStreamWaitValue64(u, flag, 1, CU_STREAM_WAIT_VALUE_GEQ);
  b<<<1, 32, 0, t>>>();
}
