// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source file becomes a Program: its host code is run in the head, over
// values that may be unknown.
//
// In:   how to compile kernels.cu
// Out:  kernels, one trace per host function that nothing else in it calls
//
// An API call is taken to succeed: the arm of a condition that handles its
// failure is not followed.

#ifndef CORESIDE_PROGRAM_READPROGRAM_H
#define CORESIDE_PROGRAM_READPROGRAM_H

#include "Assumption.h"
#include "Program.h"
#include "source/Parse.h"

namespace coreside {

struct ReadOptions {
  ParseOptions parse;
  /// Follow every function that other files can call, too, not only those that
  /// nothing in this file calls.
  bool forOtherFiles = false;
  /// Architectures that the kernels are looked at on, where their bounds may
  /// depend on it; each then costs a parse of the device side.
  std::vector<ComputeCapability> capabilities;
  /// A loop with more turns is not unrolled: it stands as one general turn and
  /// the turn after it.
  unsigned turnLimit = 64;
  /// Nor is one that makes more steps than this.
  unsigned unrolledSteps = 2048;
  /// Steps of one trace; what follows is cut.
  unsigned stepLimit = 65536;
  /// Calls inside calls; deeper ones are not followed.
  unsigned callLimit = 48;
  /// What is known of numbers that the source does not tell. The source wins.
  std::vector<Assumption> assumptions;
};

/// Reads the file of `command`. Errors in the code are in the Program
/// (`unread`); an error here is a file that could not be read at all.
/// `uses`, if given, gets how the assumptions went.
llvm::Expected<Program> readProgram(const CompileCommand &command,
                                    const ReadOptions &options = ReadOptions(),
                                    std::vector<AssumptionUse> *uses = nullptr);

} // namespace coreside

#endif
