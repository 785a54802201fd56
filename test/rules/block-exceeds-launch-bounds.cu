// The threads of all three axes count against __launch_bounds__.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=block-exceeds-launch-bounds \
// RUN:   --ptxas-log %S/Inputs/launch.log -- | FileCheck %s

#include <cuda_runtime.h>

template <int Most>
__global__ void __launch_bounds__(Most) bounded(float *p) {
  *p = 0;
}
__global__ void __launch_bounds__(192, 2) tuned(float *p) { *p = 1; }
__global__ void plain(float *p);

void bounds(float *p) {
  bounded<128><<<4, dim3(16, 8)>>>(p);
  bounded<128><<<4, dim3(64, 4)>>>(p);
  // CHECK: block-exceeds-launch-bounds.cu:[[#@LINE-1]]:3: error: launch of 'bounded<128>' fails on h100: its block has 256 threads, more than the 128 of its __launch_bounds__ [block-exceeds-launch-bounds]
  // CHECK: note: h100: launch at most 128 threads, or raise the bound; cudaErrorInvalidValue
  // CHECK: block-exceeds-launch-bounds.cu:9:41: note: 'bounded<128>' is bounded here
  tuned<<<4, 256>>>(p);
  // CHECK: block-exceeds-launch-bounds.cu:[[#@LINE-1]]:3: error: launch of 'tuned' fails on h100: its block has 256 threads, more than the 192 of its __launch_bounds__
  plain<<<4, 256>>>(p);
}

void open(float *p, unsigned n) {
  tuned<<<4, 32 * (1 + n % 8)>>>(p);
  // CHECK: block-exceeds-launch-bounds.cu:[[#@LINE-1]]:3: note: launch of 'tuned' fails on h100 once its block has more than the 192 threads of its __launch_bounds__
  // CHECK: note: the source leaves open: threads in x 32 to 256
  tuned<<<4, n>>>(p);
}

void allowed(float *p) {
  tuned<<<4, 256>>>(p); // coreside: allow block-exceeds-launch-bounds
}
// CHECK-NOT: {{(error|note): launch of}}
