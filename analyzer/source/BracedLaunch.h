// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces in a launch configuration. nvcc takes them as the arguments of a
// function; clang takes no braces between <<< and >>>.
//
// In:   step<<<grid, {32, 8, 1}, 0, stream>>>(p);
// Out:  what clang's parser gets:  step<<<grid, ::dim3{32, 8, 1}, 0, stream>>>
//
// Tokens are added while the parser asks for them: no text changes, so that
// every line and column stays. A run that meets no such braces watches nothing.

#ifndef CORESIDE_SOURCE_BRACEDLAUNCH_H
#define CORESIDE_SOURCE_BRACEDLAUNCH_H

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace coreside {

/// Whether text may hold such braces. It says yes a little too often.
bool mayHoldBracedLaunch(llvm::StringRef text);

/// What a preprocessor must be given, before it begins, to add the tokens.
std::unique_ptr<clang::PPCallbacks>
completeBracedLaunches(clang::Preprocessor &preprocessor);

} // namespace coreside

#endif
