// A kernel on a stream of higher priority does not wait for the last wave of
// one of lower priority, only for the end of its first.
//
// RUN: not %coreside check %s --cuda-path=none --gpu a100 \
// RUN:   --ptxas-log %S/Inputs/tail-overlap-only.log -- > %t
// RUN: FileCheck %s < %t
// RUN: grep -c warning: %t | FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}4{{$}}

#include <cuda_runtime.h>

__global__ void scale(float *v, int n);
__global__ void shift(float *v, int n);

void overtakes(float *p, float *q, int n) {
  cudaStream_t low, high;
  cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -1);
  scale<<<30000, 8, 0, low>>>(p, n);
  shift<<<30000, 8, 0, high>>>(q, n);
}

void overtakesPlain(float *p, float *q, int n) {
  cudaStream_t plain, high;
  cudaStreamCreateWithFlags(&plain, cudaStreamNonBlocking);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -1);
  scale<<<30000, 8, 0, plain>>>(p, n);
  shift<<<30000, 8, 0, high>>>(q, n);
}

void mayOvertake(float *p, float *q, int n, int priority) {
  cudaStream_t low, high;
  cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, priority);
  scale<<<30000, 8, 0, low>>>(p, n);
  shift<<<30000, 8, 0, high>>>(q, n);
}

// The lower one waits as ever.
void followsBehind(float *p, float *q, int n) {
  cudaStream_t low, high;
  cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -1);
  scale<<<30000, 8, 0, high>>>(p, n);
  // CHECK: [[#@LINE+1]]:3: warning: 'shift' can only start in the last wave
  shift<<<30000, 8, 0, low>>>(q, n);
}

void equals(float *p, float *q, int n) {
  cudaStream_t left, right;
  cudaStreamCreateWithPriority(&left, cudaStreamNonBlocking, -2);
  cudaStreamCreateWithPriority(&right, cudaStreamNonBlocking, -2);
  scale<<<30000, 8, 0, left>>>(p, n);
  // CHECK: [[#@LINE+1]]:3: warning: 'shift' can only start in the last wave
  shift<<<30000, 8, 0, right>>>(q, n);
}

// There is no priority below 0: 5 and 1 are both taken for 0.
void clamped(float *p, float *q, int n) {
  cudaStream_t left, right;
  cudaStreamCreateWithPriority(&left, cudaStreamNonBlocking, 5);
  cudaStreamCreateWithPriority(&right, cudaStreamNonBlocking, 1);
  scale<<<30000, 8, 0, left>>>(p, n);
  // CHECK: [[#@LINE+1]]:3: warning: 'shift' can only start in the last wave
  shift<<<30000, 8, 0, right>>>(q, n);
}

// One wave that fills the GPU: nothing of it is left to be overtaken.
void singleWave(float *p, float *q, int n) {
  cudaStream_t low, high;
  cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, -1);
  scale<<<3456, 8, 0, low>>>(p, n);
  // CHECK: [[#@LINE+1]]:3: warning: 'shift' cannot run beside 'scale'
  shift<<<30000, 8, 0, high>>>(q, n);
}
