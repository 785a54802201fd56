// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a kernel takes, as the user says it: nothing else here knows.
//
// In:   "blur=400us", "solve<256>=1.5ms"
// Out:  the kernel's name, 400 and 1500 microseconds; kernels of that name with
//       these in their records

#ifndef CORESIDE_PROGRAM_DURATIONS_H
#define CORESIDE_PROGRAM_DURATIONS_H

#include "Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace coreside {

struct Duration {
  std::string kernel;
  double microseconds = 0;
};

/// Reads KERNEL=TIME, a number with ns, us, ms or s. Error: what is wrong, and
/// how it is written.
llvm::Expected<Duration> parseDuration(llvm::StringRef text);

/// Whether `name` is what a user calls `kernel`: namespaces and template
/// arguments may be left out.
bool isCalled(const Kernel &kernel, llvm::StringRef name);

/// Sets what is said of the kernels of `program`; what comes later wins.
void useDurations(llvm::ArrayRef<Duration> durations, Program &program);

} // namespace coreside

#endif
