// Each resource that can keep a kernel out, with its arithmetic, and a change of
// each kind.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-limiters.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void wide(float *p);
__global__ void small(float *p);
__global__ void tile(float *p);
__global__ void panel(float *p);
__global__ void plain(float *p);
__global__ void tiny(float *p);
__global__ void phased(float *p);
__global__ void paced(float *p);
__global__ void odd(float *p);
__global__ void heavy(float *p);
__global__ void most(float *p);

void warps(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  wide<<<264, 1024, 0, s>>>(p);
  small<<<132, 128, 0, t>>>(q);
}
// CHECK: warning: 'small' cannot run beside 'wide' on h100: limited by warps [no-coresidency]
// CHECK: note: 'wide' is launched here on stream 's'; nothing orders the two, taking it that 's' and 't' are different streams
// CHECK: note: h100: 2 blocks of 'wide' hold 64 of 64 warps of an SM; a block of 'small' needs 4; 0 of 132 blocks of 'small' fit beside 'wide'
// CHECK: note: the 264 blocks of 'wide' take 1 wave on the 132 SMs of h100
// CHECK: note: h100: they would share if {{.*}}'small' is launched first

// 112 KiB each and 1 KiB of the system's: 226 of 228 KiB.
void sharedMemory(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  tile<<<264, 256, 0, s>>>(p);
  panel<<<264, 256, 0, t>>>(q);
}
// CHECK: warning: 'panel' cannot run beside 'tile' on h100: limited by shared memory [no-coresidency]
// CHECK: note: h100: 2 blocks of 'tile' hold 226 KiB of 228 KiB of shared memory of an SM; a block of 'panel' needs 113 KiB, the system's 1 KiB for each block included; 0 of 264 blocks of 'panel' fit beside 'tile'
// CHECK: note: h100: they would share if {{.*}}'tile' uses at most {{[0-9]+}} KiB of shared memory a block, not 112 KiB
// CHECK-SAME: , or if '

// Neither has shared memory of its own: the split between L1 and shared memory
// keeps them apart.
void configuration(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  plain<<<132, 1024, 0, s>>>(p);
  tiny<<<264, 32, 0, t>>>(q);
}
// CHECK: warning: 'tiny' cannot run beside 'plain' on h100: limited by shared-memory configuration [carveout-mismatch]
// CHECK: note: h100: 'plain' sets an SM to 8 KiB of shared memory and the rest to L1, 'tiny' needs 32 KiB; an SM is set anew only when it is empty; 0 of 264 blocks of 'tiny' fit beside 'plain'
// CHECK: note: h100: they would share if {{.*}}' prefers a shared-memory carveout of {{[0-9]+}} per cent

void barriers(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  phased<<<528, 128, 0, s>>>(p);
  paced<<<528, 128, 0, t>>>(q);
}
// CHECK: warning: 'paced' cannot run beside 'phased' on h100: limited by barriers [no-coresidency]
// CHECK: note: h100: 4 blocks of 'phased' hold 64 of 64 barriers of an SM; a block of 'paced' needs 16; 0 of 528 blocks of 'paced' fit beside 'phased'
// CHECK: note: h100: they would share if {{.*}}'phased' has blocks of {{[0-9]+}} threads, not 128

// 4,096 registers are free and 4,096 are needed, but in one place.
void subPartitions(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  odd<<<528, 160, 0, s>>>(p);
  heavy<<<132, 32, 0, t>>>(q);
}
// CHECK: warning: 'heavy' cannot run beside 'odd' on h100: limited by registers of a sub-partition [no-coresidency]
// CHECK: note: h100: a block of 'odd' takes 5 warps x 3,072 registers (96 a thread, rounded up to 256 a warp) = 15,360; 4 blocks of 'odd' hold 61,440 of 65,536 registers of an SM; a block of 'heavy' needs 1 warp x 4,096 registers (128 a thread, rounded up to 256 a warp) = 4,096, spread over 4 sub-partitions of 16,384, none of which may overflow; 0 of 132 blocks of 'heavy' fit beside 'odd'
// CHECK: note: h100: they would share if {{.*}}'odd' uses at most {{[0-9]+}} registers a thread, not 96

// There is room, but the first kernel's own blocks are before it in the queue.
void queue(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  most<<<5280, 256, 0, s>>>(p);
  small<<<32, 64, 0, t>>>(q);
}
// CHECK: warning: 'small' can only start in the last wave of 'most' on h100: limited by dispatch order [tail-overlap-only]
// CHECK: note: h100: a block of 'small' would fit beside 4 blocks of 'most', but the blocks of 'most' that still wait for room go first; 0 of 32 blocks of 'small' fit beside 'most'
// CHECK: note: the 5,280 blocks of 'most' take 10 waves on the 132 SMs of h100
// CHECK: note: h100: they would share if {{.*}}'most' has at most 528 blocks, not 5,280
// CHECK-NOT: warning:
