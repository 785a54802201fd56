// Machine code says what ptxas said, for every architecture and container.
//
// REQUIRES: nvcc
// RUN: bash -e %S/Inputs/compare-binaries.sh %coreside %cuda %s %t.dir
//
// Fatbins, objects, libraries and executables.
// RUN: %cuda/bin/nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 -c %s -o %t.o
// RUN: %coreside resources %t.o | FileCheck %s
// RUN: %cuda/bin/nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 --compress-mode=size -c %s -o %t.packed.o
// RUN: %coreside resources %t.packed.o | FileCheck %s
// RUN: ar rc %t.a %t.o && %coreside resources %t.a | FileCheck %s
// RUN: %cuda/bin/nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 -fatbin %s -o %t.fatbin
// RUN: %coreside resources %t.fatbin | FileCheck %s
// RUN: %coreside resources %t.o --json | FileCheck %s --check-prefix=BOUNDS
//
// CHECK-DAG: registerIds(float*, int) sm_75 {{[0-9]+}} 128 16 0 ?
// CHECK-DAG: registerIds(float*, int) sm_90 {{[0-9]+}} 128 16 0 ?
// CHECK-DAG: array(int*, int) sm_90 {{[0-9]+}} 0 0 400 ?
// BOUNDS: "kernel": "array(int*, int)"
// BOUNDS: "maxThreadsPerBlock": 256
//
// Only PTX is in there.
// RUN: %cuda/bin/nvcc -gencode arch=compute_75,code=compute_75 -fatbin %s -o %t.ptx.fatbin
// RUN: not %coreside resources %t.ptx.fatbin 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: no machine code of a kernel in '{{.*}}', only PTX; name an architecture to nvcc, such as -arch=sm_90

__global__ void nothing(float *p) { p[threadIdx.x] = 1; }

__global__ void oneBarrier(float *p) {
  __shared__ float s[32];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}

// A barrier whose number is in a register reserves all sixteen.
__global__ void registerIds(float *p, int id) {
  __shared__ float s[32];
  s[threadIdx.x] = p[threadIdx.x];
  asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
  p[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void __launch_bounds__(256) array(int *p, int n) {
  int x[100];
  for (int i = 0; i < 100; ++i)
    x[i] = p[i];
  for (int i = 0; i < n; ++i)
    x[p[i]] = i;
  p[0] = x[n];
}

__device__ __noinline__ int called(int *p, int n) {
  int x[10];
  for (int i = 0; i < 10; ++i)
    x[p[i]] = p[i + n];
  return x[p[n]];
}
__global__ void calls(int *p, int n) { p[0] = called(p, n) + called(p + 1, n); }

extern __shared__ float dynamic[];
__global__ void onlyDynamic(float *p) {
  dynamic[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = dynamic[31 - threadIdx.x];
}

template <int N> __global__ void chain(const float *p, float *q, int n) {
  float r[N];
#pragma unroll
  for (int i = 0; i < N; ++i)
    r[i] = p[i * 32 + threadIdx.x];
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < N; ++i)
      r[i] = fmaf(r[i], r[(i + 3) % N], r[(i + 11) % N]);
  for (int i = 0; i < N; ++i)
    q[i * 32 + threadIdx.x] = r[i];
}
template __global__ void chain<16>(const float *, float *, int);
template __global__ void chain<90>(const float *, float *, int);

static __global__ void hidden(float *p) { p[threadIdx.x] += 2; }
namespace {
__global__ void hiddenToo(double *p) { p[threadIdx.x] += 2; }
} // namespace

void launch(float *p, double *q) {
  hidden<<<1, 32>>>(p);
  hiddenToo<<<1, 32>>>(q);
}
