// The same waits in further spellings: classes, macros, helpers, countdowns,
// neighbours; and loops that look like waits and are none.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>
__device__ unsigned count;
__device__ volatile unsigned phase;
__device__ __forceinline__ void globalBarrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned my = phase;
    __threadfence();
    unsigned ticket = atomicInc(&count, gridDim.x - 1);
    if (ticket == gridDim.x - 1)
      phase = my + 1;
    else
      while (phase == my)
        ;
  }
  __syncthreads();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "phase"
// CHECK: "for": "all blocks"
// CHECK: "name": "phase"
// CHECK: "name": "P1"
__global__ void P1(float *v) {
  v[0] = 1;
  globalBarrier();
  v[1] = 2;
  globalBarrier();
}
__device__ inline void spinUntil(const int *p, int v) {
  while (__ldcg(p) != v)
    __nanosleep(10);
}
// CHECK: "blocksParameter": 1
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "P2"
__global__ void P2(int *c, int nblocks) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(c, 1);
    spinUntil(c, nblocks);
  }
  __syncthreads();
}
// CHECK: "blocksParameter": 1
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "P3"
__global__ void P3(int *c, int total) {
  if (!threadIdx.x) {
    atomicAdd(c, 1);
    while (atomicCAS(c, total, total) != total)
      ;
  }
  __syncthreads();
}
struct Sync {
  unsigned *arrived;
  unsigned *release;
  unsigned expected;
  __device__ void wait() {
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0) {
      unsigned before = atomicOr(release, 0u);
      bool last = atomicAdd(arrived, 1u) + 1 == expected;
      if (last) {
        atomicExch(arrived, 0u);
        __threadfence();
        atomicAdd(release, 1u);
      } else {
        while (atomicOr(release, 0u) == before) {
        }
      }
    }
    __syncthreads();
  }
};
// CHECK: "blocksParameter": 0
// CHECK: "for": "all blocks"
// CHECK: "name": "s->release"
// CHECK: "blocksParameter": 0
// CHECK: "for": "all blocks"
// CHECK: "name": "s->release"
// CHECK: "name": "P4"
__global__ void P4(Sync s, float *v) {
  s.wait();
  v[0] = 1;
  s.wait();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "f->c"
// CHECK: "name": "run<Op>"
template <class F> __global__ void run(F f) { f(); }
struct Op {
  unsigned *c;
  __device__ void operator()() const {
    if (threadIdx.x == 0) {
      atomicAdd(c, 1u);
      volatile unsigned *p = c;
      while (*p < gridDim.x * gridDim.y) {
      }
    }
    __syncthreads();
  }
};
#define BARRIER(c)                                                             \
  do {                                                                         \
    __syncthreads();                                                           \
    if (threadIdx.x == 0) {                                                    \
      atomicAdd(c, 1);                                                         \
      int seen;                                                                \
      do {                                                                     \
        seen = *(volatile int *)(c);                                           \
      } while (seen < (int)gridDim.x);                                         \
    }                                                                          \
    __syncthreads();                                                           \
  } while (0)
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "P6"
__global__ void P6(int *c) { BARRIER(c); }
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "P7"
__global__ void P7(int *c) { // all threads arrive
  atomicAdd(c, 1);
  while (atomicAdd(c, 0) < gridDim.x * blockDim.x) {
  }
}
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "P8"
__global__ void P8(int *c) { // countdown
  if (threadIdx.x == 0) {
    atomicSub(c, 1);
    while (*(volatile int *)c > 0) {
    }
  }
  __syncthreads();
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "f"
// CHECK: "for": "later blocks"
// CHECK: "name": "f"
// CHECK: "name": "P9"
__global__ void P9(volatile int *f) { // neighbours both ways
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    f[b] = 1;
    if (b > 0)
      while (f[b - 1] == 0)
        ;
    if (b < gridDim.x - 1)
      while (f[b + 1] == 0)
        ;
  }
  __syncthreads();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "f"
// CHECK: "name": "P10"
__global__ void P10(volatile int *f) { // everyone checks all
  if (threadIdx.x == 0)
    f[blockIdx.x] = 1;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    while (f[i] == 0) {
    }
  __syncthreads();
}
// CHECK: "for": "all blocks"
// CHECK: "name": "bar"
// CHECK: "name": "P11"
__global__ void P11(unsigned *bar, int rounds) { // monotonic
  __shared__ unsigned target;
  for (int r = 0; r < rounds; r++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned old = atomicAdd(bar, 1);
      target = (old / gridDim.x + 1) * gridDim.x;
      while (*((volatile unsigned *)bar) < target)
        ;
    }
    __syncthreads();
  }
}
// flags
struct Flags {
  volatile int *a;
  volatile int *b;
};
// CHECK: "for": "others"
// CHECK: "name": "f.a"
// CHECK: "name": "F1"
__global__ void F1(Flags f) {
  while (*f.a == 0)
    ;
  *f.b = 1;
}
// CHECK: "for": "others"
// CHECK: "name": "f.b"
// CHECK: "name": "F2"
__global__ void F2(Flags f) {
  *f.a = 1;
  while (*f.b == 0)
    ;
}
// CHECK: "for": "others"
// CHECK: "name": "a"
// CHECK: "name": "F3"
__global__ void F3(int *a, int *b) {
  while (atomicAdd(a, 0) == 0 || atomicAdd(b, 0) == 0)
    __nanosleep(8);
}
__device__ int tries;
// CHECK: "for": "others"
// CHECK: "name": "a"
// CHECK: "name": "F4"
__global__ void F4(volatile int *a) {
  bool ok = false;
  while (!ok) {
    ok = *a != 0;
  }
}
// CHECK: "for": "others"
// CHECK: "name": "a"
// CHECK: "name": "F5"
__global__ void F5(volatile int *a) {
  int s = 0;
  while (s == 0) {
    if (threadIdx.x == 0)
      s = *a;
    s = __shfl_sync(~0u, s, 0);
  }
}
// CHECK: "for": "others"
// CHECK: "name": "a"
// CHECK: "name": "F6"
__global__ void F6(volatile int *a) {
  do {
  } while (!__syncthreads_or(*a));
}
// none
// CHECK-NOT: "for":
// CHECK: "name": "N1"
__global__ void N1(volatile int *a) {
  int n = 0;
  while (*a == 0) {
    if (n++ > 1000)
      __trap();
  }
}
// CHECK-NOT: "for":
// CHECK: "name": "N2"
__global__ void N2(volatile int *a, int limit) {
  for (int n = 0; *a == 0; ++n)
    if (n == limit)
      break;
}
// CHECK-NOT: "for":
// CHECK: "name": "N3"
__global__ void N3(int *head, int *nextOf) {
  int old;
  do {
    old = *(volatile int *)head;
    nextOf[threadIdx.x] = old;
  } while (atomicCAS(head, old, threadIdx.x) != old);
}
// CHECK-NOT: "for":
// CHECK: "name": "N4"
__global__ void N4(volatile int *list, int n) {
  int i = 0;
  while (list[i] != 0)
    ++i;
}
// CHECK-NOT: "for":
// CHECK: "name": "N5"
__global__ void N5(int *locks, float *v) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[threadIdx.x], 0, 1) == 0) {
      v[0] += 1;
      __threadfence();
      atomicExch(&locks[threadIdx.x], 0);
      done = true;
    }
  }
}
// CHECK-NOT: "for":
// CHECK: "name": "N6"
__global__ void N6(volatile int *q, volatile int *tail, int *head) {
  int h;
  while ((h = atomicAdd(head, 1)) < *tail) {
    q[h] = 0;
  }
}
// CHECK-NOT: "for":
// CHECK: "name": "N7"
__global__ void N7(int *changed, int *lab) {
  __shared__ int again;
  do {
    __syncthreads();
    again = 0;
    __syncthreads();
    if (lab[threadIdx.x] > lab[0]) {
      lab[threadIdx.x] = lab[0];
      again = 1;
    }
    __syncthreads();
  } while (again);
}
// CHECK-NOT: "for":
// CHECK: "name": "N8"
__global__ void N8(volatile float *x) {
  float e = 1;
  int it = 0;
  while (e > 0.1f && it < 100) {
    e = x[threadIdx.x];
    ++it;
  }
}
// CHECK-NOT: "for":
// CHECK: "name": "N9"
__global__ void N9(unsigned *slots, unsigned key) {
  unsigned i = key % 64;
  while (true) {
    unsigned was = atomicCAS(&slots[i], 0u, key);
    if (was == 0 || was == key)
      break;
    i = (i + 1) % 64;
  }
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "st"
// CHECK: "name": "N10"
__global__ void N10(volatile int *st,
                    int *cnt) { // decoupled look-back with warp window
  __shared__ int s_tile;
  if (threadIdx.x == 0)
    s_tile = atomicAdd(cnt, 1);
  __syncthreads();
  int tile = s_tile;
  int idx = tile - threadIdx.x - 1;
  int f;
  bool any = true;
  st[tile] = 1;
  while (any) {
    do {
      f = idx >= 0 ? st[idx] : 2;
    } while (__any_sync(~0u, f == 0));
    any = __all_sync(~0u, f != 2);
    idx -= 32;
  }
  st[tile] = 2;
}
// CHECK: "for": "lock"
// CHECK: "name": "lock"
// CHECK: "name": "N11"
__global__ void N11(int *lock, int *owner) { // try lock with backoff
  unsigned ns = 8;
  while (atomicExch(lock, 1) == 1) {
    __nanosleep(ns);
    if (ns < 256)
      ns *= 2;
  }
  *owner = 1;
  __threadfence();
  atomicExch(lock, 0);
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "f"
// CHECK: "name": "N12"
__global__ void N12(volatile int *f) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0)
      *f = 1;
  } else {
    if (threadIdx.x == 0)
      while (*f == 0)
        ;
  }
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "ready"
// CHECK: "name": "N13"
__global__ void N13(int *init, volatile int *ready, int *v) {
  if (threadIdx.x == 0) {
    if (atomicCAS(init, 0, 1) == 0) {
      *v = 1;
      __threadfence();
      *ready = 1;
    } else
      while (*ready == 0)
        ;
  }
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "turn"
// CHECK: "name": "N14"
__global__ void N14(volatile int *turn) {
  if (threadIdx.x == 0) {
    while (*turn != blockIdx.x)
      ;
    *turn = blockIdx.x + 1;
  }
}
int main() {
  Op op{0};
  run<<<1, 1>>>(op);
}
