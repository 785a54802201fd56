// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a file to keep while the rest of it is edited.
//
// In:   const char *name = "pair";
//       #include <vector>
//       __global__ void pair(int *p) { ... }
// Out:  the first two lines
//
// Clang's own answer ends where the first declaration begins; some files say
// what they are called, or a few constants, before they include anything.

#ifndef CORESIDE_SOURCE_LEADINGINCLUDES_H
#define CORESIDE_SOURCE_LEADINGINCLUDES_H

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace coreside {

/// The bounds that clang gives; where more #includes follow behind
/// declarations without a body, those of the text up to the last of them.
clang::PreambleBounds leadingIncludes(const clang::LangOptions &language,
                                      llvm::MemoryBufferRef text);

} // namespace coreside

#endif
