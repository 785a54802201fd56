// As many blocks as the GPU holds, and a few fewer would leave room.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/grid-fills-gpu.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void persist(float *p);
__global__ void poll(float *p);

void everySM(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  persist<<<132, 512, 0, s>>>(p);
  poll<<<1, 32, 0, t>>>(q);
  // CHECK: grid-fills-gpu.cu:[[#@LINE-2]]:3: note: the 132 blocks of 'persist' leave no room: with 131 blocks on h100 'poll' would run beside it [grid-fills-gpu]
  // CHECK: grid-fills-gpu.cu:[[#@LINE-2]]:3: note: 'poll' is launched here on stream 't'
  // CHECK: grid-fills-gpu.cu:[[#@LINE-3]]:3: note: h100: 1 block of 'poll' then fits
}

void allButOne(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  persist<<<131, 512, 0, s>>>(p);
  poll<<<1, 32, 0, t>>>(q);
}
// CHECK-NOT: [grid-fills-gpu]

// Ten waves: another number of blocks is another kernel.
void manyWaves(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  persist<<<1320, 512, 0, s>>>(p);
  poll<<<1, 32, 0, t>>>(q);
}

void unknown(float *p, float *q, int SMs, cudaStream_t s, cudaStream_t t) {
  persist<<<SMs, 512, 0, s>>>(p);
  poll<<<1, 32, 0, t>>>(q);
}

void allowed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  persist<<<132, 512, 0, s>>>(p); // coreside: allow grid-fills-gpu
  poll<<<1, 32, 0, t>>>(q);
}
