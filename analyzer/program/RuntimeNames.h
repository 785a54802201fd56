// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of CUDA's functions, whichever way a source spells them.
//
// In:   "hipMemcpyAsync", "cuMemAlloc_v2", "cudaLaunchKernel_ptsz"
// Out:  "cudaMemcpyAsync", "cuMemAlloc", "cudaLaunchKernel"

#ifndef CORESIDE_PROGRAM_RUNTIMENAMES_H
#define CORESIDE_PROGRAM_RUNTIMENAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

/// A function of CUDA's, or HIP's, runtime or driver or of a library on top.
bool isRuntimeFunction(llvm::StringRef name);

/// The name without what headers add for versions and per-thread streams, in
/// CUDA's spelling.
std::string runtimeName(llvm::StringRef written);

/// Whether a call of this one, in CUDA's spelling, launches kernels that it is
/// given.
bool isLaunchFunction(llvm::StringRef name);

} // namespace coreside

#endif
