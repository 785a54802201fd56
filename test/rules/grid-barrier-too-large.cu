// Barriers over a grid that is not resident at once.
//
// RUN: not %coreside check %s --cuda-path=none --gpu t4,rtx4090,h100 \
// RUN:   --ptxas-log %S/Inputs/grid-barrier-too-large.log --level=note -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>

struct Gate {
  unsigned count, round;
};

__device__ void meet(volatile Gate *gate, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd((unsigned *)&gate->count, 1u);
    while (gate->count < goal) {
    }
  }
  __syncthreads();
}

__global__ void laps(volatile Gate *gate, int count) {
  for (int i = 0; i < count; ++i)
    meet(gate, (i + 1) * gridDim.x);
}

__global__ void chain(volatile int *done, int tiles) {
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (threadIdx.x == 0)
      while (t > 0 && done[t - 1] == 0) {
      }
    __syncthreads();
    if (threadIdx.x == 0)
      done[t] = 1;
  }
}

// The count stands in the code.
__global__ void some(unsigned *count) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < 50) {
    }
  }
  __syncthreads();
}

// Blocks of the whole grid come to an end by themselves: no barrier.
__global__ void lookBack(volatile int *done) {
  if (threadIdx.x == 0 && blockIdx.x > 0)
    while (done[blockIdx.x - 1] == 0) {
    }
  __syncthreads();
  if (threadIdx.x == 0)
    done[blockIdx.x] = 1;
}

__global__ void last(unsigned *count, float *sums) {
  __shared__ bool isLast;
  if (threadIdx.x == 0)
    isLast = atomicAdd(count, 1u) == gridDim.x - 1;
  __syncthreads();
  if (isLast)
    sums[threadIdx.x] = 0;
}

void find(Gate *gate, int *done) {
  laps<<<128, 1024>>>(gate, 8);
  // CHECK: grid-barrier-too-large.cu:[[#@LINE-1]]:3: error: 'laps' hangs on t4: its 128 blocks wait for each other and 40 of them run at once [grid-barrier-too-large]
  // CHECK: grid-barrier-too-large.cu:17:5: note: here a block waits until all have changed 'gate->count'
  // CHECK: grid-barrier-too-large.cu:25:5: note: called here by 'laps'
  // CHECK: note: t4: 1 block an SM, limited by warps, on 40 SMs: 40 blocks
  // CHECK: note: rtx4090: 1 block an SM, limited by warps, on 128 SMs: 128 blocks, not one to spare; no other kernel may hold any of it then
  // CHECK: note: h100: 2 blocks an SM, limited by warps, on 132 SMs: 264 blocks, enough; no other kernel may hold any of it then
  // CHECK: note: launched with cudaLaunchCooperativeKernel, a grid that does not fit fails and does not hang
  chain<<<300, 1024>>>(done, 10000);
  // CHECK: :[[#@LINE-1]]:3: error: 'chain' hangs on t4, rtx4090 and h100: its 300 blocks wait for later ones and 40, 128 and 264 of them run at once
  // CHECK: note: here a block waits for a later one to change 'done'
  some<<<100, 1024>>>(&gate->count);
  // CHECK: :[[#@LINE-1]]:3: error: 'some' hangs on t4: its 50 blocks wait for each other and 40 of them run at once
}

void quiet(Gate *gate, int *done, float *sums) {
  lookBack<<<10000, 1024>>>(done);
  last<<<10000, 1024>>>(&gate->count, sums);
  laps<<<40, 1024>>>(gate, 8);
  // CHECK: :[[#@LINE-1]]:3: note: the blocks of 'laps' wait for each other, and nothing guarantees that all 40 run at once
}

void unknown(Gate *gate, int blocks) {
  laps<<<blocks, 1024>>>(gate, 8);
  // CHECK: :[[#@LINE-1]]:3: note: 'laps' hangs on t4, rtx4090 and h100 as soon as it has more than 40, 128 and 264 blocks: they wait for each other [grid-barrier-too-large]
}

void allowed(Gate *gate) {
  laps<<<128, 1024>>>(gate, 8); // coreside: allow grid-barrier-too-large
  void *arguments[] = {&gate, nullptr};
  cudaLaunchCooperativeKernel(laps, dim3(128), dim3(1024), arguments, 0,
                              nullptr);
}
// CHECK-NOT: [grid-barrier-too-large]
