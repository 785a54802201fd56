// A GPU of 20 SMs with 2,048 threads and 64 Ki registers each, from a file.
// The small kernels share it in either order; two that each fill it do not, and
// the tool says with what they would.
//
// REQUIRES: nvcc
// RUN: not %coreside check %s --gpu %S/Inputs/twenty-sms.yaml -- 2>&1 | FileCheck %s
// RUN: %coreside check %s --gpu %S/Inputs/twenty-sms.yaml --dump=verdicts -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERDICTS

#include <cuda_runtime.h>

template <int Count> __device__ __forceinline__ float stir(const float *in, int turns) {
  float value[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    value[i] = in[threadIdx.x + i * 64];
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < Count; ++i)
      value[i] = value[i] * value[(i + 5) % Count] + value[(i + 17) % Count];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Count; ++i)
    sum += value[i];
  return sum;
}

// At most 32 registers.
__global__ void __launch_bounds__(256, 8)
    small(const float *in, float *out, int turns) {
  out[blockIdx.x * 256 + threadIdx.x] = stir<14>(in, turns);
}
// At most 64 registers and 8 KiB.
__global__ void __launch_bounds__(512, 2)
    large(const float *in, float *out, int turns) {
  __shared__ float cells[2048];
  for (int i = threadIdx.x; i < 2048; i += 512)
    cells[i] = in[i];
  __syncthreads();
  out[blockIdx.x * 512 + threadIdx.x] =
      stir<48>(in, turns) + cells[threadIdx.x * 3];
}
// 57 to 64 registers: four blocks on an SM.
__global__ void __launch_bounds__(256, 4)
    blur(const float *in, float *out, int turns) {
  out[blockIdx.x * 256 + threadIdx.x] = stir<54>(in, turns);
}
__global__ void __launch_bounds__(256, 4)
    edge(const float *in, float *out, int turns) {
  out[blockIdx.x * 256 + threadIdx.x] = stir<54>(in, turns) + 1;
}

void smallFirst(const float *in, float *out, cudaStream_t s, cudaStream_t t) {
  small<<<40, 256, 0, s>>>(in, out, 9);
  large<<<20, 512, 0, t>>>(in, out, 9);
}
// VERDICTS: "function": "smallFirst"
// VERDICTS: "secondBlocksAtOnce": 20
// VERDICTS: "sharing": "full"

void largeFirst(const float *in, float *out, cudaStream_t s, cudaStream_t t) {
  large<<<20, 512, 0, s>>>(in, out, 9);
  small<<<40, 256, 0, t>>>(in, out, 9);
}
// VERDICTS: "function": "largeFirst"
// VERDICTS: "secondBlocksAtOnce": 40
// VERDICTS: "sharing": "full"

// CHECK-NOT: warning:
void filling(const float *in, float *out, cudaStream_t s, cudaStream_t t) {
  blur<<<80, 256, 0, s>>>(in, out, 9);
  edge<<<80, 256, 0, t>>>(in, out, 9);
  // CHECK: design-example.cu:[[#@LINE-1]]:3: warning: 'edge' cannot run beside 'blur' on small: limited by registers [no-coresidency]
  // CHECK: note: small: {{.*}}4 blocks of 'blur' hold 65,536 of 65,536 registers of an SM
  // CHECK: note: small: they would share if {{.*}}registers a thread
}
// CHECK-NOT: warning:

// Half the blocks leave room on every SM.
void halfFilling(const float *in, float *out, cudaStream_t s, cudaStream_t t) {
  blur<<<40, 256, 0, s>>>(in, out, 9);
  edge<<<40, 256, 0, t>>>(in, out, 9);
}
