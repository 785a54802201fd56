// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU answers when host code asks it: how many SMs, how many blocks of
// a kernel an SM holds, which block size fills it.
//
// In:   "@multiProcessorCount", h100; "@activeBlocks" of blur at 256 threads.
// Out:  132; 8.

#ifndef CORESIDE_ANALYSIS_GPUANSWERS_H
#define CORESIDE_ANALYSIS_GPUANSWERS_H

#include "device/GPU.h"
#include "program/Formula.h"
#include "program/Program.h"
#include "resources/Resources.h"

namespace coreside {

/// The answer of `gpu`, or nothing where it is not known: for one because ptxas
/// has not told what the kernel takes.
std::optional<Value> answerOf(const GPU &gpu, const Program &program,
                              const ResourceTable &resources,
                              const FormulaName &asked);

} // namespace coreside

#endif
