// The flag decides what a launch without a stream means, whoever spells it.
//
// RUN: %coreside check --dump=program %s -- | FileCheck %s --check-prefix=LEGACY
// RUN: %coreside check --dump=program %s -- --default-stream per-thread \
// RUN:   | FileCheck %s --check-prefix=THREAD
// RUN: %coreside check --dump=program %s -- -fgpu-default-stream=per-thread \
// RUN:   | FileCheck %s --check-prefix=THREAD
// RUN: %coreside check --dump=program %s -- -DCUDA_API_PER_THREAD_DEFAULT_STREAM \
// RUN:   | FileCheck %s --check-prefix=THREAD

#include <cuda_runtime.h>

__global__ void step(float *p) {}

void run(float *p) { step<<<1, 32>>>(p); }

// LEGACY: "stream": "default stream"
// THREAD: "stream": "per-thread default stream"
