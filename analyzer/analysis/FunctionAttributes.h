// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cudaFuncSetAttribute has set when a kernel is launched.
//
// In:   cudaFuncSetAttribute(k, MaxDynamicSharedMemorySize, 65536);
//       k<<<1, 32, 65536>>>();
// Out:  at(trace, the launch, "MaxDynamicSharedMemorySize"): 65536, known
//
// Calls are few beside launches, so they are looked up once for a program.

#ifndef CORESIDE_ANALYSIS_FUNCTIONATTRIBUTES_H
#define CORESIDE_ANALYSIS_FUNCTIONATTRIBUTES_H

#include "program/Program.h"

#include <optional>
#include <vector>

namespace coreside {

/// What an attribute was last set to before a launch.
struct FunctionAttribute {
  /// False when a call may or may not have been made, or not with what.
  bool known = true;
  std::optional<int64_t> value;
  /// The step of the trace that set it last; -1 where none surely did.
  int step = -1;
};

class FunctionAttributes {
public:
  /// `program` must outlive this.
  explicit FunctionAttributes(const Program &program);

  /// The attribute `name` of the kernel launched at step `launch` of `trace`,
  /// a trace of the program. The last write on any path to the launch wins; a
  /// call in another trace may have come before, and is only overruled by one
  /// in this trace.
  FunctionAttribute at(const Trace &trace, unsigned launch,
                       const char *name) const;

private:
  const Program &P;
  /// For each trace the steps that set an attribute.
  std::vector<std::vector<unsigned>> Writes;
};

} // namespace coreside

#endif
