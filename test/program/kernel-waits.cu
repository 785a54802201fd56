// What the loops of kernels wait for: barriers over the whole grid in several
// spellings, chains of blocks, flags; and loops that wait for nobody.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- \
// RUN:   | FileCheck %s

#include <cuda_runtime.h>
struct Gate {
  unsigned count;
  unsigned sense;
};
// AllBlocks
__device__ volatile int g_mutex;
__device__ void gpuSync(int goal) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    atomicAdd((int *)&g_mutex, 1);
    while (g_mutex != goal) {
    }
  }
  __syncthreads();
}
// CHECK: "blocksParameter": 1
// CHECK: "for": "all blocks"
// CHECK: "name": "g_mutex"
// CHECK: "name": "barrierGoal"
__global__ void barrierGoal(float *v, int goal) {
  v[threadIdx.x] = 1;
  gpuSync(goal);
  v[0] = 2;
}
// CHECK: "for": "all blocks"
// CHECK: "name": "g->sense"
// CHECK: "name": "barrierSense"
__global__ void barrierSense(Gate *g) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned gen = *(volatile unsigned *)&g->sense;
    if (atomicAdd(&g->count, 1) == gridDim.x - 1) {
      g->count = 0;
      __threadfence();
      atomicAdd(&g->sense, 1);
    } else {
      while (*(volatile unsigned *)&g->sense == gen)
        __nanosleep(100);
    }
  }
  __syncthreads();
}
__device__ unsigned arrive(unsigned *p, unsigned v) {
  unsigned old;
  asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(p), "r"(v)
               : "memory");
  return old;
}
__device__ unsigned peek(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
// CHECK: "for": "all blocks"
// CHECK: "name": "bar"
// CHECK: "name": "barrierHighBit"
__global__ void barrierHighBit(unsigned *bar) {
  if (threadIdx.x == 0) {
    unsigned nb = 1;
    if (blockIdx.x == 0)
      nb = 0x80000000 - (gridDim.x - 1);
    __threadfence();
    unsigned old = arrive(bar, nb);
    while ((((old ^ peek(bar)) & 0x80000000) == 0)) {
    }
  }
  __syncthreads();
}
template <int N> class Barrier {
public:
  unsigned *counter;
  int round;
  __device__ Barrier(unsigned *c) : counter(c), round(0) {}
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x == 0) {
      ++round;
      atomicAdd(counter, 1);
      for (;;) {
        if (atomicAdd(counter, 0) >= round * N)
          break;
      }
    }
    __syncthreads();
  }
};
// CHECK: "blocks": 96
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "blocks": 96
// CHECK: "for": "all blocks"
// CHECK: "name": "c"
// CHECK: "name": "barrierClass"
__global__ void barrierClass(unsigned *c, float *v) {
  Barrier<96> b(c);
  b.sync();
  v[0] = 1;
  b.sync();
}
// CHECK: "for": "unclear"
// CHECK: "name": "in"
// CHECK: "for": "all blocks"
// CHECK: "name": "out"
// CHECK: "name": "barrierLockFree"
__global__ void barrierLockFree(volatile int *in, volatile int *out, int goal) {
  int tid = threadIdx.x, bid = blockIdx.x;
  if (tid == 0)
    in[bid] = goal;
  if (bid == 0) {
    if (tid < gridDim.x)
      while (in[tid] != goal) {
      }
    __syncthreads();
    if (tid < gridDim.x)
      out[tid] = goal;
  }
  if (tid == 0)
    while (out[bid] != goal) {
    }
  __syncthreads();
}
// CHECK: "for": "later blocks"
// CHECK: "name": "done"
// CHECK: "name": "chain"
__global__ void chain(volatile unsigned *done, int tiles) {
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (threadIdx.x == 0) {
      while (t > 0 && done[t - 1] == 0) {
      }
      done[t] = 1;
    }
  }
}
// none
// CHECK: "for": "earlier blocks"
// CHECK: "name": "status"
// CHECK: "name": "lookback"
__global__ void lookback(volatile int *status, int *counter, int *v) {
  __shared__ int tile;
  if (threadIdx.x == 0)
    tile = atomicAdd(counter, 1);
  __syncthreads();
  int t = tile;
  int prev = t - 1;
  int sum = 0;
  while (prev >= 0) {
    int s;
    do {
      s = status[prev];
    } while (s == 0);
    sum += s;
    if (s == 2)
      break;
    --prev;
  }
  status[t] = 2;
  v[t] = sum;
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "status"
// CHECK: "name": "lookbackIndex"
__global__ void lookbackIndex(volatile int *status) {
  if (threadIdx.x == 0 && blockIdx.x > 0)
    while (status[blockIdx.x - 1] == 0)
      ;
  __syncthreads();
  if (threadIdx.x == 0)
    status[blockIdx.x] = 1;
}
// CHECK-NOT: "for":
// CHECK: "name": "lastBlock"
__global__ void lastBlock(unsigned *count, float *p, float *o) {
  __shared__ bool amLast;
  p[blockIdx.x] = 1;
  __threadfence();
  if (threadIdx.x == 0)
    amLast = atomicInc(count, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (amLast) {
    float s = 0;
    for (int i = 0; i < gridDim.x; ++i)
      s += p[i];
    *o = s;
    *count = 0;
  }
}
// CHECK: "for": "lock"
// CHECK: "name": "lock"
// CHECK: "name": "mutex"
__global__ void mutex(int *lock, float *v) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *v += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
// CHECK-NOT: "for":
// CHECK: "name": "lockFree"
__global__ void lockFree(double *v, double x) {
  unsigned long long *p = (unsigned long long *)v, old = *p, seen;
  do {
    seen = old;
    old = atomicCAS(p, seen, seen + 1);
  } while (seen != old);
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "serving"
// CHECK: "name": "ticketLock"
__global__ void ticketLock(unsigned *next, volatile unsigned *serving,
                           float *v) {
  unsigned my = atomicAdd(next, 1);
  while (*serving != my) {
  }
  *v += 1;
  __threadfence();
  *serving = my + 1;
}
// CHECK-NOT: "for":
// CHECK: "name": "bounded"
__global__ void bounded(volatile int *flag, int *o) {
  for (int i = 0; i < 1000 && *flag == 0; ++i) {
  }
  long long start = clock64();
  while (*flag == 0) {
    if (clock64() - start > 1000000)
      break;
  }
  int tries = 0;
  while (*flag == 0) {
    if (++tries > 100)
      return;
  }
  *o = 1;
}
// CHECK-NOT: "for":
// CHECK: "name": "workQueue"
__global__ void workQueue(int *next, float *v, int n) {
  int i;
  while ((i = atomicAdd(next, 1)) < n)
    v[i] = 1;
}
// CHECK-NOT: "for":
// CHECK: "name": "sameBlock"
__global__ void sameBlock(float *v) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 32)
    flag = 1;
  if (threadIdx.x == 0)
    while (flag == 0) {
    }
  v[0] = 1;
}
// Others
// CHECK: "for": "others"
// CHECK: "name": "flag"
// CHECK: "name": "waiter"
__global__ void waiter(volatile int *flag) {
  if (threadIdx.x == 0)
    while (*flag == 0) {
    }
}
// CHECK-NOT: "for":
// CHECK: "name": "poke"
__global__ void poke(volatile int *flag) {
  if (threadIdx.x == 0)
    *flag = 1;
}
struct Box {
  int ready;
  int stop;
  int *data;
};
// CHECK: "for": "others"
// CHECK: "name": "box->ready"
// CHECK: "name": "waitMember"
__global__ void waitMember(Box *box) {
  while (true) {
    int r = atomicAdd(&box->ready, 0);
    if (r == 3)
      break;
    __nanosleep(20);
  }
}
// CHECK: "for": "others"
// CHECK: "name": "box.data"
// CHECK: "name": "waitShared"
__global__ void waitShared(Box box) {
  __shared__ int ready;
  do {
    if (threadIdx.x == 0)
      ready = *(volatile int *)box.data;
    __syncthreads();
  } while (!ready);
}
// CHECK: "for": "others"
// CHECK: "name": "stop"
// CHECK: "name": "persistent"
__global__ void persistent(volatile int *stop, float *work) {
  while (!*stop) {
    work[threadIdx.x] += 1;
  }
}
// CHECK: "for": "others"
// CHECK: "name": "sem"
// CHECK: "name": "consume"
__global__ void consume(int *sem) {
  while (atomicCAS(sem, 1, 0) != 1) {
  }
}
// CHECK: "for": "later blocks"
// CHECK: "name": "f"
// CHECK: "name": "handOn"
__global__ void handOn(int *f, int n) {
  for (int s = blockIdx.x; s < n; s += gridDim.x) {
    if (threadIdx.x == 0) {
      while (atomicAdd(&f[s], 0) == 0) {
      }
      atomicAdd(&f[s + 1], 1);
    }
    __syncthreads();
  }
}
// CHECK: "for": "earlier blocks"
// CHECK: "name": "f"
// CHECK: "name": "handOnOnce"
__global__ void handOnOnce(int *f) {
  int s = blockIdx.x;
  if (threadIdx.x == 0) {
    while (atomicAdd(&f[s], 0) == 0) {
    }
    atomicAdd(&f[s + 1], 1);
  }
}
int main() {
  barrierGoal<<<1, 1>>>(0, 1);
  return 0;
}
