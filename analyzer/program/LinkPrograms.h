// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of several source files become one.
//
// In:   a.cu  main: makes stream s, calls 'run' with s, launches A on t
//       b.cu  run:  launches B on its parameter 0
// Out:  main: launches B on s, A on t
//
// Kernels that another file defines, streams that one file makes and another
// uses, and functions of another file that launch: a call takes the steps of
// what it calls, with its own streams for the parameters.

#ifndef CORESIDE_PROGRAM_LINKPROGRAMS_H
#define CORESIDE_PROGRAM_LINKPROGRAMS_H

#include "Program.h"

#include <span>

namespace coreside {

/// One program made of all. A name that two of them define, as two programs'
/// `main`, is not followed, and a trace that calls it says so under `cuts`;
/// inline functions that several files hold are one. Traces that another one
/// calls, or that nothing outside their file needs, are no traces of the
/// result.
Program linkPrograms(std::span<const Program> programs);

/// Which of `programs` belong together, as indices in their order: those of
/// which one calls a function, or launches a kernel, that another one defines.
std::vector<std::vector<unsigned>>
linkedGroups(std::span<const Program> programs);

} // namespace coreside

#endif
