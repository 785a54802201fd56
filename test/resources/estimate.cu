// Without nvcc, clang's PTX goes to ptxas. Such numbers are near, not exact, so
// what follows from registers alone is no more than a note.
//
// REQUIRES: nvcc
// RUN: mkdir -p %t/bin && ln -s %cuda/include %t/include
// RUN: ln -s %cuda/bin/ptxas %t/bin/ptxas && ln -s %cuda/nvvm %t/nvvm
// RUN: %coreside resources %s --gpu h100 --cuda-path %t -- \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: %coreside check %s --gpu h100 --cuda-path %t --level=note --explain -- \
// RUN:   2>&1 | FileCheck %s
// RUN: %coreside check %s --gpu h100 --cuda-path %t -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=QUIET
// RUN: not %coreside check %s --gpu h100 -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NVCC
//
// A file that clang cannot compile for the device.
// RUN: mkdir %t.split && echo "__global__ void k() { lost(); }" > %t.split/wrong.cu
// RUN: not %coreside resources %t.split/wrong.cu --gpu h100 --cuda-path %t -- \
// RUN:   2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: warning: clang cannot compile the kernels of '{{.*}}wrong.cu' for sm_90: {{.*}}wrong.cu:1: use of undeclared identifier 'lost'
//
// TABLE-DAG: hidden(float*) sm_90 ~{{[0-9]+}} 4096 1
// TABLE-DAG: void longOne<float>(float const*, float*) sm_90 ~{{[0-9]+}} 0
// TABLE: ~: an estimate: clang compiled the kernel

static __global__ void hidden(float *p) {
  __shared__ float cells[1024];
  cells[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = cells[threadIdx.x ^ 1];
}

template <typename T> __global__ void longOne(const T *p, T *q) {
  T r[100];
#pragma unroll
  for (int i = 0; i < 100; ++i)
    r[i] = p[i * 32 + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 3; ++k)
#pragma unroll
    for (int i = 0; i < 100; ++i)
      r[i] = r[i] * r[(i + 3) % 100] + r[(i + 11) % 100];
#pragma unroll
  for (int i = 0; i < 100; ++i)
    q[i * 32 + threadIdx.x] = r[i];
}

void run(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  hidden<<<1, 1024>>>(p);
  cudaDeviceSynchronize();
  longOne<<<1, 1024>>>(p, q);
}
// CHECK: note: no nvcc found: registers are an estimate, clang compiles the kernels; findings that rest on it are notes
// CHECK: note: {{.*}}estimate.cu: numbers for sm_90 from clang and ptxas -arch=sm_90
// CHECK: estimate.cu:[[#@LINE-4]]:3: note: launch of 'longOne<float>' fails on h100: a block of 1,024 threads takes more registers than a block can have [too-many-registers]
// CHECK: note: registers for h100 are an estimate: clang compiled the kernels, nvcc may use more or fewer
// QUIET-NOT: too-many-registers
// NVCC: estimate.cu:[[#@LINE-7]]:3: error: launch of 'longOne<float>' fails on h100
