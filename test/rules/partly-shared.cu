// Some blocks of the second find room, and all would if it were alone.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/partly-shared.log -- | count 0
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/partly-shared.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void smooth(float *image);
__global__ void sharpen(float *image);

// 132 SMs hold 528 blocks of 64 registers by 256 threads: 487 leave 41.
void someFit(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<487, 256, 0, s>>>(p);
  sharpen<<<49, 256, 0, t>>>(q);
  // CHECK: partly-shared.cu:[[#@LINE-1]]:3: note: 'sharpen' runs beside 'smooth' only in part, 41 of 49 blocks on h100: limited by registers [partly-shared]
  // CHECK: partly-shared.cu:[[#@LINE-3]]:3: note: 'smooth' is launched here on stream 's'; nothing orders the two
  // CHECK: note: h100: a block of 'smooth' takes 8 warps x 2,048 registers (64 a thread, rounded up to 256 a warp) = 16,384; 4 blocks of 'smooth' hold 65,536 of 65,536 registers of an SM; a block of 'sharpen' needs 8 warps x 2,048 registers
}

void allFit(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<400, 256, 0, s>>>(p);
  sharpen<<<49, 256, 0, t>>>(q);
}
// CHECK-NOT: [partly-shared]

// A second that takes several waves whatever runs beside it.
void moreThanAWave(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<487, 256, 0, s>>>(p);
  sharpen<<<5280, 256, 0, t>>>(q);
}

void unknownGrid(float *p, float *q, int n, cudaStream_t s, cudaStream_t t) {
  smooth<<<487, 256, 0, s>>>(p);
  sharpen<<<n, 256, 0, t>>>(q);
}

void allowed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<487, 256, 0, s>>>(p);
  sharpen<<<49, 256, 0, t>>>(q); // coreside: allow partly-shared
}
