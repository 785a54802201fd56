// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does independent pieces of work on several threads.
//
// In:   5 pieces, 2 threads
// Out:  work(0) ... work(4), each once, when it returns

#ifndef CORESIDE_TOOLS_SIDEBYSIDE_H
#define CORESIDE_TOOLS_SIDEBYSIDE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace coreside {

/// Clang and what reads its trees recurse as deep as a source is nested; 8 MiB
/// of stack are little for generated code. Pages that are not used cost
/// nothing.
inline constexpr unsigned stackSize = 512u << 20;

/// Calls `work` with each number below `count`, on `jobs` threads at most, 0
/// for as many as the machine has cores. Threads of a pool would have the
/// system's stacks. With one thread it is the caller's.
void sideBySide(size_t count, unsigned jobs,
                llvm::function_ref<void(size_t)> work);

} // namespace coreside

#endif
