// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for the situations of this folder; what they do does not matter.

#pragma once

#include <cuda_runtime.h>

__global__ void a() {}
__global__ void b() {}
__global__ void c() {}
__global__ void d() {}
template <int N> __global__ void numbered() {}
