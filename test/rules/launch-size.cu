// A dimension that is zero or over the limits, and its neighbour that launches.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100,l4 --level=note --rules=launch-size \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s

#include <cuda_runtime.h>

__global__ void heavy(float *p);
__global__ void plain(float *p);

void dimensions(float *p) {
  plain<<<0, 32>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on h100 and l4: a dimension of its grid or block is 0 [launch-size]
  // CHECK: note: h100 and l4: each must be at least 1; cudaErrorInvalidValue
  plain<<<1, 1024>>>(p);
  plain<<<1, 1025>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on h100 and l4: its block has 1,025 threads [launch-size]
  // CHECK: note: h100 and l4: 1,025 asked, at most 1,024
  plain<<<1, dim3(2, 2, 64)>>>(p);
  plain<<<1, dim3(2, 2, 65)>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on h100 and l4: its block has 65 threads in z
  plain<<<dim3(1, 65535), 32>>>(p);
  plain<<<dim3(1, 65536), 32>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on h100 and l4: its grid has 65,536 blocks in y
}

// Its registers would be too many as well, but it does not come to that.
void tooManyThreads(float *p) {
  heavy<<<4, dim3(64, 32)>>>(p);
  // CHECK-NOT: registers
  // CHECK: launch-size.cu:[[#@LINE-2]]:3: error: launch of 'heavy' fails on h100 and l4: its block has 2,048 threads
}

// A thousand and more threads whatever the argument is; the other may be few.
void always(float *p, unsigned n) {
  unsigned many = 1200 + n % 64, few = n % 2000;
  plain<<<1, many>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: error: launch of 'plain' fails on h100 and l4: its block has at least 1,200 threads
  plain<<<1, few>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: note: launch of 'plain' fails on h100 and l4 once its block has more than 1,024 threads [launch-size]
  // CHECK: note: the source leaves open: threads in x 0 to 1,999
}

void longGrid(float *p, unsigned n) {
  plain<<<dim3(1, n % 70000), 32>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: note: launch of 'plain' fails on h100 and l4 once its grid has more than 65,535 blocks in y
  plain<<<4, dim3(1, 1, n % 128)>>>(p);
  // CHECK: launch-size.cu:[[#@LINE-1]]:3: note: launch of 'plain' fails on h100 and l4 once its block has more than 64 threads in z
}

// What is not known gives nothing, nor does what is not the launch's fault.
void unknown(float *p, int n, dim3 block) {
  plain<<<n, 128>>>(p);
  plain<<<n, n>>>(p);
  plain<<<4, block>>>(p);
}

// Each axis may be long, not both at once.
void inTurn(float *p, unsigned n) {
  unsigned wide = 1 + n % 32;
  plain<<<4, dim3(wide, 128 / wide)>>>(p);
}

void allowed(float *p) {
  // coreside: allow-next-line launch-size: a test of the error path
  plain<<<1, 4096>>>(p);
}
// CHECK-NOT: launch-size.cu:{{.*}} {{(error|note)}}: launch
