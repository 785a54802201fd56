// The launch that waits, the one in its way, the arithmetic and a way out; and
// nothing where the two share, where the host orders them, or where a size that
// is not known could still let them share.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: %coreside check %s --cuda-path=none --gpu a100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | count 0

#include <cuda_runtime.h>

__global__ void smooth(float *image);
__global__ void sharpen(float *image);

// 528 blocks are one full wave of 4 blocks on each of 132 SMs.
void fullWaves(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
}
// CHECK: no-coresidency.cu:[[#@LINE-2]]:3: warning: 'sharpen' cannot run beside 'smooth' on h100: limited by registers [no-coresidency]
// CHECK-NEXT: sharpen<<<528, 256, 0, t>>>(q);
// CHECK-NEXT: ^
// CHECK-NEXT: no-coresidency.cu:[[#@LINE-6]]:3: note: 'smooth' is launched here on stream 's'; nothing orders the two
// CHECK: note: h100: a block of 'smooth' takes 8 warps x 2,048 registers (64 a thread, rounded up to 256 a warp) = 16,384; 4 blocks of 'smooth' hold 65,536 of 65,536 registers of an SM; a block of 'sharpen' needs 8 warps x 2,048 registers (58 a thread, rounded up to 256 a warp) = 16,384; 0 of 528 blocks of 'sharpen' fit beside 'smooth'
// CHECK-NEXT: note: the 528 blocks of 'smooth' take 1 wave on the 132 SMs of h100
// CHECK-NEXT: note: h100: they would share if
// CHECK-NOT: warning:

void halfWave(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<264, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
}

void ordered(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  smooth<<<528, 256, 0, s>>>(p);
  cudaStreamSynchronize(s);
  sharpen<<<528, 256, 0, t>>>(q);
}

void unknownGrid(float *p, float *q, int n, cudaStream_t s, cudaStream_t t) {
  smooth<<<(n + 255) / 256, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
  // NOTE: no-coresidency.cu:[[#@LINE-1]]:3: note: 'sharpen' has to wait for 'smooth' once that has 528 blocks on h100 [no-coresidency]
  // NOTE: no-coresidency.cu:[[#@LINE-3]]:3: note: 'smooth' has (n + 255) / 256 blocks
}

void unknownBlock(float *p, float *q, int n, cudaStream_t s, cudaStream_t t) {
  smooth<<<528, n, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
}

// Turns of one launch: work in chunks, not two things meant to run together.
void chunks(float *p) {
  cudaStream_t streams[4];
  for (int i = 0; i < 4; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 4; ++i)
    smooth<<<528, 256, 0, streams[i]>>>(p + i);
}

// Streams that carry copies are there to overlap those with kernels.
void copies(float *p, float *q, float *host) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMemcpyAsync(p, host, 4096, cudaMemcpyHostToDevice, s);
  smooth<<<528, 256, 0, s>>>(p);
  cudaMemcpyAsync(q, host, 4096, cudaMemcpyHostToDevice, t);
  sharpen<<<528, 256, 0, t>>>(q);
  // NOTE: no-coresidency.cu:[[#@LINE-1]]:3: note: 'sharpen' cannot run beside 'smooth' on h100: limited by registers [no-coresidency]
}
