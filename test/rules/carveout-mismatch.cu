// Kernels that fit on one SM by all they take, and that no SM takes together
// because of how it is set up: by preference, and by what the driver chooses.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100,a100 \
// RUN:   --ptxas-log %S/Inputs/carveout-mismatch.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu a100 --level=note \
// RUN:   --ptxas-log %S/Inputs/carveout-mismatch.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE

#include <cuda_runtime.h>

__global__ void wall(float *p);
__global__ void clock(float *p);
__global__ void busy(float *p);
__global__ void bulk(float *p);
__global__ void crumbs(float *p);
__global__ void early(float *p);
__global__ void late(float *p);

void preferences(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(wall, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  cudaFuncSetAttribute(clock, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxL1);
  wall<<<66, 256, 0, s>>>(p);
  clock<<<40, 128, 0, t>>>(q);
  // CHECK: carveout-mismatch.cu:[[#@LINE-1]]:3: warning: 'clock' never shares an SM with 'wall' on h100 and a100: their shared-memory carveouts differ [carveout-mismatch]
  // CHECK: carveout-mismatch.cu:[[#@LINE-3]]:3: note: 'wall' is launched here on stream 's'; nothing orders the two
  // CHECK: note: h100: 'wall' prefers a carveout of 100 per cent and sets an SM to 228 KiB of shared memory; 'clock' prefers a carveout of 0 per cent and joins SMs with 8 to 32 KiB; 40 of 40 blocks of 'clock' find other SMs
  // CHECK: note: h100 and a100: they would share SMs if both kernels prefer a carveout of 100 per cent
}

// No SM is idle here.
void preferencesOnAllSMs(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(wall, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
  cudaFuncSetAttribute(clock, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
  wall<<<132, 256, 0, s>>>(p);
  clock<<<40, 128, 0, t>>>(q);
  // CHECK: carveout-mismatch.cu:[[#@LINE-1]]:3: warning: 'clock' cannot run beside 'wall' on h100 and a100: limited by shared-memory configuration [carveout-mismatch]
  // CHECK: note: h100: 'wall' sets an SM to 228 KiB of shared memory, with its carveout preference 'clock' joins SMs with at most 32 KiB; an SM is set anew only when it is empty; 0 of 40 blocks of 'clock' fit beside 'wall'
  // CHECK: note: h100: they would share if both kernels prefer a carveout of 100 per cent, or if 
}

// One preference is enough.
void onePreference(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(clock, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
  busy<<<66, 256, 0, s>>>(p);
  clock<<<40, 128, 0, t>>>(q);
  // CHECK: carveout-mismatch.cu:[[#@LINE-1]]:3: warning: 'clock' never shares an SM with 'busy' on h100 and a100
  // CHECK: note: h100 and a100: 'busy' has no carveout preference and sets an SM to {{[0-9]+}} KiB of shared memory; 'clock' prefers a carveout of 0 per cent
}

// Alike, they share.
void alike(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(early, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  cudaFuncSetAttribute(late, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  early<<<132, 256, 0, s>>>(p);
  late<<<40, 128, 0, t>>>(q);
}
// CHECK-NOT: 'late'

// A preference that is not known says nothing.
void unknown(float *p, float *q, int percent, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(late, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
  early<<<132, 256, 0, s>>>(p);
  late<<<40, 128, 0, t>>>(q);
}

// Neither has a preference: measured for h100, guessed for a100.
void byDriver(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  bulk<<<132, 1024, 0, s>>>(p);
  crumbs<<<264, 32, 0, t>>>(q);
  // CHECK: carveout-mismatch.cu:[[#@LINE-1]]:3: warning: 'crumbs' cannot run beside 'bulk' on h100 and a100: limited by shared-memory configuration [carveout-mismatch]
  // NOTE: carveout-mismatch.cu:[[#@LINE-2]]:3: note: 'crumbs' cannot run beside 'bulk' on a100: limited by shared-memory configuration [carveout-mismatch]
  // CHECK: note: how an SM is set up for kernels without a carveout preference was measured on an H200; a100 is taken to be alike
}

// Allowed.
void allowed(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  cudaFuncSetAttribute(wall, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
  cudaFuncSetAttribute(clock, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
  wall<<<66, 256, 0, s>>>(p);
  // coreside: allow-next-line carveout-mismatch they are meant to be apart
  clock<<<40, 128, 0, t>>>(q);
}
// CHECK-NOT: warning:
