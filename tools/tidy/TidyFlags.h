// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags that a file was given, back from clang's own state.
//
// In:   the preprocessor of `clang-tidy pair.cu -- -x cuda -Iinclude -DN=4`
// Out:  -std=gnu++17 -Iinclude -DN=4
//
// A module is not told the command line. What the driver has added is left out:
// it adds it again.

#ifndef CORESIDE_TIDY_TIDYFLAGS_H
#define CORESIDE_TIDY_TIDYFLAGS_H

#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace coreside {

std::vector<std::string> flagsOf(const clang::Preprocessor &preprocessor);

} // namespace coreside

#endif
