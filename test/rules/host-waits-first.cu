// A kernel that waits for a copy which the host makes too late.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/released-too-late.log \
// RUN:   --rules=host-waits-first -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void serve(volatile int *stop, float *work) {
  while (*stop == 0)
    work[threadIdx.x] += 1;
}

void deviceFirst(float *work, int *one) {
  int *stop;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&stop, sizeof(int));
  cudaMemset(stop, 0, sizeof(int));
  serve<<<1, 32>>>(stop, work);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(stop, one, sizeof(int), cudaMemcpyHostToDevice, s);
  // CHECK: host-waits-first.cu:[[#@LINE-3]]:3: error: 'serve' hangs: 'cudaDeviceSynchronize' waits for it before 'cudaMemcpyAsync' stores what it waits for [host-waits-first]
  // CHECK: host-waits-first.cu:10:3: note: 'serve' waits here until 'stop' changes
  // CHECK: host-waits-first.cu:[[#@LINE-4]]:3: note: the host, or its stream, waits for 'serve' here
  // CHECK: note: make the copy first, on a stream that does not wait for the kernel's
}

void sameStream(float *work, int *one) {
  int *stop;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&stop, sizeof(int));
  serve<<<1, 32, 0, s>>>(stop, work);
  cudaMemcpyAsync(stop, one, sizeof(int), cudaMemcpyHostToDevice, s);
  // CHECK: :[[#@LINE-2]]:3: error: 'serve' hangs: 'cudaMemcpyAsync' waits for it before it stores what 'serve' waits for
}

void blockingCopy(float *work, int *one) {
  int *stop;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&stop, sizeof(int));
  serve<<<1, 32, 0, s>>>(stop, work);
  cudaMemcpy(stop, one, sizeof(int), cudaMemcpyHostToDevice);
  // CHECK: :[[#@LINE-2]]:3: error: 'serve' hangs: 'cudaMemcpy' waits for it before it stores what 'serve' waits for [host-waits-first]
}

void inTime(float *work, int *one) {
  int *stop;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMalloc(&stop, sizeof(int));
  serve<<<1, 32, 0, s>>>(stop, work);
  cudaMemcpyAsync(stop, one, sizeof(int), cudaMemcpyHostToDevice, t);
  cudaDeviceSynchronize();
}

// It is there before the kernel starts.
void before(float *work, int *one) {
  int *stop;
  cudaMalloc(&stop, sizeof(int));
  cudaMemcpy(stop, one, sizeof(int), cudaMemcpyHostToDevice);
  serve<<<1, 32>>>(stop, work);
  cudaDeviceSynchronize();
  cudaMemcpy(stop, one, sizeof(int), cudaMemcpyHostToDevice);
}

// Host code stores to it, perhaps in another thread.
void unknown(float *work, int *one) {
  int *stop;
  cudaMallocManaged(&stop, sizeof(int));
  serve<<<1, 32>>>(stop, work);
  cudaDeviceSynchronize();
  cudaMemcpy(stop, one, sizeof(int), cudaMemcpyHostToDevice);
}

void allowed(float *work, int *one) {
  int *stop;
  cudaMalloc(&stop, sizeof(int));
  serve<<<1, 32>>>(stop, work); // coreside: allow host-waits-first
  cudaDeviceSynchronize();
  cudaMemcpy(stop, one, sizeof(int), cudaMemcpyHostToDevice);
}
// CHECK-NOT: [host-waits-first]
