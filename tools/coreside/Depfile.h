// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file is made from, for Make and Ninja.
//
// In:   checked.stamp; a.cu, a b.h
// Out:  checked.stamp: \
//         /src/a\ b.h \
//         /src/a.cu

#ifndef CORESIDE_TOOLS_DEPFILE_H
#define CORESIDE_TOOLS_DEPFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>

namespace coreside {

/// Links in names are resolved; what is not there is left out.
llvm::Error writeDepfile(llvm::StringRef file, llvm::StringRef target,
                         const std::set<std::string> &inputs);

} // namespace coreside

#endif
