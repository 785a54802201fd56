// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One name for each file that clang read.
//
// In:   "../include/blur.cuh", found from /p/src by way of -I../include
// Out:  "/p/include/blur.cuh"

#ifndef CORESIDE_SOURCE_SOURCENAME_H
#define CORESIDE_SOURCE_SOURCENAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class FileManager;
}

namespace coreside {

/// The file that clang calls `name`: absolute, relative names being in the
/// folder that it works in. "." and ".." are taken out where that leads to the
/// same file: behind a link they mean something else.
std::string absoluteName(llvm::StringRef name, clang::FileManager &files);

} // namespace coreside

#endif
