// Without --gpu, products stand for the architectures of the compile command;
// the output says which, since SM counts belong to products.
//
// RUN: %coreside check %s --cuda-path=none -- -arch=sm_90 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: coreside: note: h100 (NVIDIA H100 80GB HBM3) stands for sm_90; --gpu names another
// RUN: %coreside check %s --cuda-path=none -- 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: coreside: note: checked for a100, h100 and rtx4090; --gpu names others
// RUN: %coreside check %s --cuda-path=none -- -arch=sm_30 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: coreside: note: no known GPU has sm_30; --gpu names one
// RUN: %coreside check %s --cuda-path=none --gpu a100 -- -arch=sm_90 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED-NOT: stands for
// NAMED-NOT: checked for

#include <cuda_runtime.h>

__global__ void k(float *p);
void launch(float *p) { k<<<1, 32>>>(p); }
