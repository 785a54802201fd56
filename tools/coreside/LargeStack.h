// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main thread, on a stack of its own size.
//
// In:   a piece of work that recurses as deep as a source is nested
// Out:  the work is done when it returns
//
// A second thread with a large stack would do, but for its memory: the C
// library grows the heap of any thread but the first by single pages, with a
// system call for each (2,500 for a small file).

#ifndef CORESIDE_TOOLS_LARGESTACK_H
#define CORESIDE_TOOLS_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace coreside {

/// Calls `work` with a stack of `bytes`, of which pages that are not used cost
/// nothing. Where there is no room for it, on the stack that there is.
void runOnLargeStack(size_t bytes, llvm::function_ref<void()> work);

} // namespace coreside

#endif
