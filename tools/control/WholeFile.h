// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a file whole or not at all.
//
// In:   a name and the text
// Out:  the file, in one step, with the permissions that it had
//
// A link stays one: what it leads to is replaced. What is no regular file, as a
// pipe or a device, is written to, never replaced.

#ifndef CORESIDE_CONTROL_WHOLEFILE_H
#define CORESIDE_CONTROL_WHOLEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace coreside {

/// Error: "cannot write 'FILE': cause"; what was there is as it was.
llvm::Error writeWholeFile(llvm::StringRef file, llvm::StringRef text);

} // namespace coreside

#endif
