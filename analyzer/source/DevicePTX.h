// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One .cu file's device side as PTX, made by clang's own back end.
//
// In:   a compile command, a toolkit without nvcc, sm_90.
// Out:  PTX for ptxas.
//
// For a machine that has ptxas and CUDA's headers and no nvcc. What ptxas makes
// of it is an estimate: measured on 663 kernels for sm_90 and about 170 each
// for sm_75, sm_80 and sm_120, 43 to 52 % have the registers that they have
// with nvcc, and of 6 to 20 % another number of blocks fits on an SM. Static
// shared memory is always the same.

#ifndef CORESIDE_SOURCE_DEVICEPTX_H
#define CORESIDE_SOURCE_DEVICEPTX_H

#include "CompileCommand.h"
#include "Toolkit.h"

#include "llvm/Support/Error.h"

#include <string>

namespace coreside {

/// The kernels of `command.file` for `capability` as PTX. Any thread may call
/// it. Error: clang's first, in one line.
llvm::Expected<std::string> devicePTX(const CompileCommand &command,
                                      const Toolkit &toolkit,
                                      ComputeCapability capability);

} // namespace coreside

#endif
