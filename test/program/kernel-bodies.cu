// Waits and other facts of kernels in the words of cooperative_groups and
// libcu++, which need CUDA's headers.
//
// REQUIRES: nvcc
// RUN: %coreside check %s --gpu h100 --dump=program -- | FileCheck %s

#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
namespace cg = cooperative_groups;
// CHECK: "gridSync":
// CHECK-NOT: "for":
// CHECK: "name": "gs"
__global__ void gs(int *p) {
  cg::grid_group g = cg::this_grid();
  p[g.thread_rank()] = 1;
  g.sync();
  p[0] = 2;
}
__device__ void helper(const cg::grid_group &g) { cg::sync(g); }
// CHECK: "gridSync":
// CHECK-NOT: "for":
// CHECK: "name": "gs2"
__global__ void gs2(int *p) { helper(cg::this_grid()); }
// CHECK-NOT: "for":
// CHECK: "name": "blockSync"
__global__ void blockSync(int *p) {
  cg::thread_block b = cg::this_thread_block();
  b.sync();
  cg::sync(b);
  auto t = cg::tiled_partition<32>(b);
  t.sync();
}
// CHECK: "for": "others"
// CHECK: "name": "f"
// CHECK: "name": "refFlag"
__global__ void refFlag(int *f) {
  cuda::atomic_ref<int, cuda::thread_scope_device> r(*f);
  while (r.load(cuda::memory_order_acquire) == 0) {
  }
}
// CHECK: "for": "others"
// CHECK: "name": "f"
// CHECK: "name": "refFlag2"
__global__ void refFlag2(int *f) {
  while (cuda::atomic_ref<int, cuda::thread_scope_device>{*f}.load() == 0) {
  }
}
// CHECK: "for": "others"
// CHECK: "name": "f"
// CHECK: "name": "atomFlag"
__global__ void atomFlag(cuda::atomic<int, cuda::thread_scope_system> *f) {
  f->wait(0);
}
// CHECK: "for": "others"
// CHECK: "name": "f"
// CHECK: "name": "atomFlag2"
__global__ void atomFlag2(cuda::atomic<int, cuda::thread_scope_system> *f) {
  while (*f != 1)
    ;
}
// CHECK-NOT: "for":
// CHECK: "name": "setFlag"
__global__ void setFlag(cuda::atomic<int, cuda::thread_scope_system> *f) {
  f->store(1);
}
// CHECK-NOT: "for":
// CHECK: "name": "setRef"
__global__ void setRef(int *f) {
  cuda::atomic_ref<int>(*f).store(1, cuda::memory_order_release);
}
// CHECK: "for": "all blocks"
// CHECK: "name": "b"
// CHECK: "name": "gridBar"
__global__ void gridBar(cuda::barrier<cuda::thread_scope_device> *b) {
  b->arrive_and_wait();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "b"
// CHECK: "name": "gridBar2"
__global__ void gridBar2(cuda::barrier<cuda::thread_scope_device> *b) {
  auto t = b->arrive();
  b->wait(std::move(t));
}
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "counter"
__global__ void counter(cuda::atomic<unsigned, cuda::thread_scope_device> *c) {
  if (threadIdx.x == 0) {
    c->fetch_add(1);
    while (c->load() < gridDim.x)
      ;
  }
  __syncthreads();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "counter2"
__global__ void counter2(cuda::atomic<unsigned, cuda::thread_scope_device> *c) {
  if (threadIdx.x == 0) {
    (*c)++;
    while (*c < gridDim.x)
      ;
  }
  __syncthreads();
}
// CHECK: "asserts":
// CHECK: "heap":
// CHECK: "prints":
// CHECK-NOT: "for":
// CHECK: "name": "heap"
__global__ void heap(int **p) {
  *p = (int *)malloc(4);
  printf("%d", 1);
  assert(p);
}
// CHECK: "heap":
// CHECK-NOT: "for":
// CHECK: "name": "heap2"
__global__ void heap2(int **p) {
  *p = new int;
  delete *p;
}
// CHECK: "runTimeBarrier":
// CHECK-NOT: "for":
// CHECK: "name": "rt"
__global__ void rt(int id) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(64) : "memory");
}
// CHECK-NOT: "for":
// CHECK: "name": "ct"
__global__ void ct() {
  asm volatile("bar.sync %0, %1;" ::"n"(3), "r"(64) : "memory");
  asm volatile("bar.sync 1, 64;");
  asm volatile("bar.arrive 2, %0;" ::"r"(64));
}
// CHECK: "for": "others"
// CHECK: "name": "c"
// CHECK: "name": "lin"
__global__ void lin(volatile unsigned *c) {
  unsigned b = blockIdx.y * gridDim.x + blockIdx.x;
  if (b == 0 && threadIdx.x == 0) {
    while (c[1] == 0)
      ;
  }
}
int main() { gs<<<1, 1>>>(nullptr); }
