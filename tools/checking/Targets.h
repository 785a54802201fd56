// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPUs a file is checked for.
//
// In:   what --gpu said, the architectures in the file's compile command.
// Out:  the GPUs, and what to tell the user about the choice.

#ifndef CORESIDE_TOOLS_TARGETS_H
#define CORESIDE_TOOLS_TARGETS_H

#include "device/GPU.h"

#include <string>
#include <vector>

namespace coreside {

struct Targets {
  std::vector<GPU> gpus;
  /// "h100 stands for sm_90; --gpu names another product"
  std::vector<std::string> notes;
};

/// The products that stand for `capabilities`; a100, h100 and rtx4090 when
/// there are none or none is known.
Targets defaultTargets(const std::vector<ComputeCapability> &capabilities);

} // namespace coreside

#endif
