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
#include <vector>

namespace clang {
class FileManager;
class SourceManager;
} // namespace clang

namespace coreside {

/// The file that clang calls `name`: absolute, relative names being in the
/// folder that it works in. "." and ".." are taken out where that leads to the
/// same file: behind a link they mean something else.
std::string absoluteName(llvm::StringRef name, clang::FileManager &files);

/// What clang calls the files that it has read and that are no system headers,
/// in the order of reading, each once; neither the main file nor those of a
/// preamble.
std::vector<std::string> userHeaders(const clang::SourceManager &sources);

} // namespace coreside

#endif
