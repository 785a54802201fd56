// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths as messages show them.
//
//   /home/me/project/src/a.cu -> src/a.cu   in /home/me/project

#ifndef CORESIDE_TOOLS_SHORTPATH_H
#define CORESIDE_TOOLS_SHORTPATH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

/// `path` relative to the current folder where it is under it.
std::string shortPath(llvm::StringRef path);

} // namespace coreside

#endif
