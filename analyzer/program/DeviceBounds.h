// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the attributes of a kernel say on one architecture.
//
// In:   #if __CUDA_ARCH__ >= 900
//       __global__ void __launch_bounds__(512) blur(float *p) ...
//       #else
//       __global__ void __launch_bounds__(256) blur(float *p) ...
//       #endif
// Out:  boundsOn(blur, sm_90).maxThreads: 512; for sm_80: 256

#ifndef CORESIDE_PROGRAM_DEVICEBOUNDS_H
#define CORESIDE_PROGRAM_DEVICEBOUNDS_H

#include "Program.h"

namespace coreside {

/// The bounds of `kernel` when it is compiled for `capability`: of the device
/// pass where there was one, else of the host pass. The third argument of
/// __launch_bounds__ counts from sm_90 on: nvcc refuses it for older ones.
KernelBounds boundsOn(const Kernel &kernel, ComputeCapability capability);

/// Puts what the device pass for `capability` has found into `kernels`, by
/// mangled name.
void addDevicePass(std::vector<Kernel> &kernels, ComputeCapability capability,
                   const std::vector<Kernel> &found);

} // namespace coreside

#endif
