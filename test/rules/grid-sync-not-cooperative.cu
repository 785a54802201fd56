// Kernels that sync their grid, launched as any other.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --ptxas-log %S/Inputs/grid-barrier-too-large.log --level=note -- 2>/dev/null \
// RUN:   | FileCheck %s

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void solve(float *v) {
  cg::grid_group grid = cg::this_grid();
  v[grid.thread_rank()] = 0;
  grid.sync();
}

template <class Group> __device__ void meet(const Group &group) {
  cg::sync(group);
}
__global__ void generic(float *v) { meet(cg::this_grid()); }

__global__ void devices(float *v) { cg::this_multi_grid().sync(); }

__global__ void either(float *v, bool together) {
  if (together)
    cg::this_grid().sync();
}

__global__ void blockOnly(float *v) { cg::this_thread_block().sync(); }

void find(float *v) {
  solve<<<4, 64>>>(v);
  // CHECK: grid-sync-not-cooperative.cu:[[#@LINE-1]]:3: error: 'solve' syncs its grid and is not launched cooperatively [grid-sync-not-cooperative]
  // CHECK: grid-sync-not-cooperative.cu:13:3: note: it waits for the whole grid here
  // CHECK: note: use cudaLaunchCooperativeKernel
  generic<<<4, 64>>>(v);
  // CHECK: :[[#@LINE-1]]:3: error: 'generic' syncs its grid
}

void several(float *v) {
  devices<<<4, 64>>>(v);
  // CHECK: :[[#@LINE-1]]:3: error: 'devices' syncs its grid
  // CHECK: note: use cudaLaunchCooperativeKernelMultiDevice up to CUDA 12; CUDA 13 has no grids of several devices
}

// Whether it does is not known.
void unknown(float *v, bool together) {
  either<<<4, 64>>>(v, together);
  // CHECK: :[[#@LINE-1]]:3: note: 'either' may sync its grid and is not launched cooperatively [grid-sync-not-cooperative]
}

void quiet(float *v) {
  blockOnly<<<4, 64>>>(v);
  void *arguments[] = {&v};
  cudaLaunchCooperativeKernel((void *)solve, dim3(4), dim3(64), arguments, 0,
                              nullptr);
}

void allowed(float *v) {
  solve<<<4, 64>>>(v); // coreside: allow grid-sync-not-cooperative
}
// CHECK-NOT: [grid-sync-not-cooperative]
