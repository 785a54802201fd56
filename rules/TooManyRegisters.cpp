// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// too-many-registers: a block whose registers, rounded up as the hardware hands
// them out, are more than a block can have.
//
//   error: launch of 'jacobian' fails on h100: a block of 512 threads takes
//   more registers than a block can have
//
// Not of code compiled with -G: debug-build-too-many-registers tells of that.

#include "LaunchFaults.h"
#include "RegistersOfABlock.h"
#include "Rules.h"

using namespace coreside;

std::vector<Finding> coreside::findTooManyRegisters(const Analysis &analysis) {
  if (analysis.program.deviceDebug)
    return {};
  return launchFaults(analysis, registersOfABlock(analysis));
}
