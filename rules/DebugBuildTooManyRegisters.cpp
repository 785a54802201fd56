// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// debug-build-too-many-registers: a launch that fails for want of registers in
// a build with -G, where kernels take other numbers than in a release build.
//
//   error: launch of 'norms' fails on h100: a block of 1,024 threads takes more
//   registers than a block can have
//   note: compiled with -G; without it the kernel may take fewer

#include "LaunchFaults.h"
#include "RegistersOfABlock.h"
#include "Rules.h"

using namespace coreside;

std::vector<Finding>
coreside::findDebugBuildTooManyRegisters(const Analysis &analysis) {
  if (!analysis.program.deviceDebug)
    return {};
  FaultWords words = registersOfABlock(analysis);
  auto extend = words.extend;
  words.extend = [extend](const FaultyLaunch &fault, Finding &finding) {
    finding.notes.push_back({fault.step.place,
                             "compiled for debugging (-G): a release build has "
                             "other numbers and may launch"});
    extend(fault, finding);
  };
  return launchFaults(analysis, words);
}
