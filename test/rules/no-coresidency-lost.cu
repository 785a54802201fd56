// Where an error says that a launch hangs or fails, nothing is said of what it
// could share the GPU with: on the T4 'meet' hangs, on the H100 it holds all.
//
// RUN: not %coreside check %s --cuda-path=none --gpu t4,h100 \
// RUN:   --ptxas-log %S/Inputs/no-coresidency-lost.log --level=note -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>

__global__ void meet(unsigned *count) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
}

__global__ void beside(float *rows) { rows[threadIdx.x] += 1; }

// CHECK-NOT: {{(warning|note): .*}}t4{{.*}}[
// CHECK: lost.cu:[[#@LINE+4]]:3: error: 'meet' hangs on t4: its 264 blocks wait for each other and 40 of them run at once [grid-barrier-too-large]
// CHECK-NOT: {{(warning|note): .*}}t4{{.*}}[
// CHECK: lost.cu:[[#@LINE+3]]:3: warning: 'beside' cannot run beside 'meet' on h100: limited by warps [no-coresidency]
void run(unsigned *count, float *rows, cudaStream_t s, cudaStream_t t) {
  meet<<<264, 1024, 0, s>>>(count);
  beside<<<264, 128, 0, t>>>(rows);
}
// CHECK-NOT: {{(warning|note): .*}}t4{{.*}}[
