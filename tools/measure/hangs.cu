// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does it hang? Each case is a process of its own:
//
//   nvcc -std=c++17 -arch=native -o hangs hangs.cu
//   for c in $(./hangs); do ./hangs $c; done
//     barrier-fits: done
//     barrier-one-more: hangs        (nothing came back within three seconds)
//
// Sizes are those of an H200; docs/model-measured.md has what it said.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <unistd.h>
namespace cg = cooperative_groups;
__global__ void barrier(unsigned *c) {
  if (threadIdx.x == 0) {
    atomicAdd(c, 1u);
    while (atomicAdd(c, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
}
__global__ void chain(volatile int *done, int tiles) {
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (threadIdx.x == 0) {
      while (t > 0 && done[t - 1] == 0) {
      }
      __threadfence();
      done[t] = 1;
    }
    __syncthreads();
  }
}
__global__ void lookBack(volatile int *done) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (done[blockIdx.x - 1] == 0) {
      }
    done[blockIdx.x] = 1;
  }
}
__global__ void ticketBack(volatile int *done, int *next) {
  __shared__ int t;
  if (threadIdx.x == 0) {
    t = atomicAdd(next, 1);
    if (t > 0)
      while (done[t - 1] == 0) {
      }
    done[t] = 1;
  }
}
__global__ void lastBlock(unsigned *c, float *o) {
  __shared__ bool last;
  if (threadIdx.x == 0)
    last = atomicAdd(c, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last)
    o[threadIdx.x] = 1;
}
__global__ void mutex(int *lock, float *v) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *v += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void lastFirst(volatile int *f) { // all wait for the last block
  if (threadIdx.x == 0) {
    if (blockIdx.x == gridDim.x - 1)
      *f = 1;
    else
      while (*f == 0) {
      }
  }
}
__global__ void firstFirst(volatile int *f) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      *f = 1;
    else
      while (*f == 0) {
      }
  }
}
__global__ void waiter(volatile int *f) {
  if (threadIdx.x == 0)
    while (*f == 0) {
    }
  __syncthreads();
}
__global__ void poke(volatile int *f) { *f = 1; }
__global__ void poke2(volatile int *f) { *f = 1; }
__global__ void pokePrint(volatile int *f, int p) {
  if (p)
    printf("x");
  *f = 1;
}
__global__ void worker(volatile int *in, volatile int *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  if (threadIdx.x == 0)
    while (in[blockIdx.x] == 0) {
    }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = 1;
}
// Each scheduler gives work only when all workers have checked in.
__global__ void schedulerStrict(volatile int *in, volatile int *out,
                                volatile int *here, int workers) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < workers; ++i)
      while (here[i] == 0) {
      }
    for (int i = blockIdx.x; i < workers; i += gridDim.x)
      in[i] = 1;
  }
}
__global__ void workerStrict(volatile int *in, volatile int *here) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    here[blockIdx.x] = 1;
    while (in[blockIdx.x] == 0) {
    }
  }
  __syncthreads();
}
__global__ void scheduler(volatile int *in, volatile int *out, int each) {
  int i = blockIdx.x * each + threadIdx.x;
  if (threadIdx.x < each) {
    in[i] = 1;
    while (out[i] == 0) {
    }
  }
}
__global__ void coop(int *v) {
  cg::this_grid().sync();
  v[0] = 1;
}
__global__ void held(volatile int *go) {
  while (*go == 0) {
  }
}
int main(int n, char **a) {
  if (n < 2) {
    puts("lazy barrier-fits barrier-one-more barrier-beside-other chain-fits "
         "chain-one-more chain-one-turn look-back ticket-back last-block mutex "
         "all-wait-for-last all-wait-for-first same-stream two-streams "
         "first-printf full full-but-one free-between host-copy-after-sync "
         "host-copy workers-144-first schedulers-16-first strict-workers-first "
         "strict-schedulers-first grid-sync-plain");
    return 0;
  }
  const char *c = a[1];
  auto is = [&](const char *x) { return !strcmp(c, x); };
  std::thread([c] {
    sleep(3);
    printf("%s: hangs\n", c);
    fflush(stdout);
    _exit(0);
  }).detach();
  int *m;
  unsigned *u;
  float *f;
  cudaStream_t s, t;
  cudaMalloc(&m, 1 << 20);
  cudaMemset(m, 0, 1 << 20);
  cudaMalloc(&u, 4);
  cudaMemset(u, 0, 4);
  cudaMalloc(&f, 4096);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  int *d = m, *in = m + 1000, *out = m + 2000, *here = m + 3000;
  cudaFuncAttributes at;
  const int big = 213 * 1024;
  cudaFuncSetAttribute(worker, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       big);
  cudaFuncSetAttribute(workerStrict,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, big);
  cudaFuncGetAttributes(&at, waiter);
  cudaDeviceSynchronize();
  if (!is("lazy")) {
    cudaFuncGetAttributes(&at, poke);
    cudaFuncGetAttributes(&at, scheduler);
    cudaFuncGetAttributes(&at, schedulerStrict);
    cudaFuncGetAttributes(&at, pokePrint);
  }
  if (is("barrier-fits"))
    barrier<<<264, 1024>>>(u);
  else if (is("barrier-one-more"))
    barrier<<<265, 1024>>>(u);
  else if (is("barrier-beside-other")) {
    held<<<1, 1024, 0, s>>>(d);
    barrier<<<264, 1024, 0, t>>>(u);
    cudaStreamSynchronize(t);
  } else if (is("chain-fits"))
    chain<<<264, 1024>>>(d, 1000);
  else if (is("chain-one-more"))
    chain<<<265, 1024>>>(d, 1000);
  else if (is("chain-one-turn"))
    chain<<<1000, 1024>>>(d, 1000);
  else if (is("look-back"))
    lookBack<<<5000, 1024>>>(d);
  else if (is("ticket-back"))
    ticketBack<<<5000, 1024>>>(d, (int *)u);
  else if (is("last-block"))
    lastBlock<<<5000, 1024>>>(u, f);
  else if (is("mutex"))
    mutex<<<5000, 1024>>>((int *)u, f);
  else if (is("all-wait-for-last"))
    lastFirst<<<265, 1024>>>(d);
  else if (is("all-wait-for-first"))
    firstFirst<<<5000, 1024>>>(d);
  else if (is("same-stream")) {
    waiter<<<1, 32, 0, s>>>(d);
    poke<<<1, 1, 0, s>>>(d);
  } else if (is("two-streams") || is("lazy")) {
    waiter<<<1, 32, 0, s>>>(d);
    poke<<<1, 1, 0, t>>>(d);
  } else if (is("first-printf")) {
    waiter<<<1, 32, 0, s>>>(d);
    pokePrint<<<1, 1, 0, t>>>(d, 0);
  } else if (is("full")) {
    waiter<<<264, 1024, 0, s>>>(d);
    poke<<<1, 1, 0, t>>>(d);
  } else if (is("full-but-one")) {
    waiter<<<263, 1024, 0, s>>>(d);
    poke<<<1, 1, 0, t>>>(d);
  } else if (is("free-between")) {
    waiter<<<1, 32, 0, s>>>(d);
    cudaFree(f);
    poke<<<1, 1, 0, t>>>(d);
  } else if (is("host-copy-after-sync")) {
    int one = 1;
    waiter<<<1, 32, 0, s>>>(d);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(d, &one, 4, cudaMemcpyHostToDevice, t);
  } else if (is("host-copy")) {
    int one = 1;
    waiter<<<1, 32, 0, s>>>(d);
    cudaMemcpyAsync(d, &one, 4, cudaMemcpyHostToDevice, t);
  } else if (is("workers-144-first")) {
    worker<<<144, 256, big, s>>>(in, out);
    scheduler<<<16, 32, 0, t>>>(in, out, 9);
  } else if (is("schedulers-16-first")) {
    scheduler<<<16, 32, 0, t>>>(in, out, 8);
    worker<<<128, 256, big, s>>>(in, out);
  } else if (is("strict-workers-first")) {
    workerStrict<<<128, 256, big, s>>>(in, here);
    schedulerStrict<<<16, 32, 0, t>>>(in, out, here, 128);
  } else if (is("strict-schedulers-first")) {
    schedulerStrict<<<16, 32, 0, t>>>(in, out, here, 128);
    workerStrict<<<128, 256, big, s>>>(in, here);
  } else if (is("grid-sync-plain"))
    coop<<<4, 32>>>(d);
  else
    return 1;
  cudaError_t e = cudaDeviceSynchronize();
  cudaError_t l = cudaGetLastError();
  printf("%s: done%s%s\n", c, e || l ? ", " : "",
         e || l ? cudaGetErrorString(e ? e : l) : "");
  fflush(stdout);
  _exit(0);
}
