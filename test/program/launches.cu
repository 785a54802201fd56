// A launch as JSON: kernel, sizes, stream, place; with and without a toolkit.
//
// RUN: %coreside check --dump=program %s -- | FileCheck %s
// RUN: %coreside check --dump=program --cuda-path=none %s -- | FileCheck %s

#include <cuda_runtime.h>

template <int Threads>
__global__ void __launch_bounds__(Threads, 2) scale(float *p) {
  __shared__ float tile[Threads];
  p[threadIdx.x] = tile[threadIdx.x];
}

void run(float *p, int n, cudaStream_t s) {
  scale<256><<<(n + 255) / 256, 256, n * sizeof(float), s>>>(p);
}

// CHECK:      "kernels": [
// CHECK:        "declaredShared": 1024
// CHECK-NEXT:   "mangled": "_Z5scaleILi256EEvPf"
// CHECK-NEXT:   "maxThreads": 256
// CHECK-NEXT:   "minBlocks": 2
// CHECK-NEXT:   "name": "scale<256>"
// CHECK:      "traces": [
// CHECK:        "function": "run"
// CHECK:          "block": [
// CHECK-NEXT:       256,
// CHECK-NEXT:       1,
// CHECK-NEXT:       1
// CHECK:          "blocks": "[0, 8388607]"
// CHECK:          "dynamicShared": "n * 4"
// CHECK:          "grid": [
// CHECK-NEXT:       "(n + 255) / 256",
// CHECK:          "kernel": "scale<256>"
// CHECK-NEXT:     "kind": "launch"
// CHECK-NEXT:     "place": "{{.*}}launches.cu:15:3"
// CHECK-NEXT:     "sharedBytes": "[0, {{[0-9]+|...}}]"
// CHECK-NEXT:     "stream": "s"
// CHECK:        "blocking": "unknown"
// CHECK-NEXT:   "name": "s"
// CHECK-NEXT:   "origin": "parameter"
