// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word for what device code sees of a text: it changes whenever a kernel may.
//
// In:   a file's text; the bodies in it that device code cannot see
// Out:  "5f0c...", the same after a change of a host function or a comment
//
// Tokens count and where lines begin, since that matters to the preprocessor;
// how many lines there are does not: a kernel that asks for __LINE__ gets
// another number, not other registers.

#ifndef CORESIDE_TOOLS_DEVICEWORD_H
#define CORESIDE_TOOLS_DEVICEWORD_H

#include "Units.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

std::string deviceWord(llvm::StringRef text, llvm::ArrayRef<HostBody> bodies);

/// Of a unit's own file, as `options` read it, and of the kernels that its host
/// code asks templates for. Empty where the file cannot be read.
std::string deviceWord(const Unit &unit, const UnitOptions &options);

} // namespace coreside

#endif
