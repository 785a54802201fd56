// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A precompiled preamble and what was seen while it was made: what a parse that
// uses it does not meet again.

#ifndef CORESIDE_SOURCE_PREAMBLE_H
#define CORESIDE_SOURCE_PREAMBLE_H

#include "ArchitectureText.h"
#include "ParseErrors.h"

#include "clang/AST/DeclID.h"
#include "clang/Frontend/PrecompiledPreamble.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct Preamble {
  std::optional<clang::PrecompiledPreamble> compiled;
  /// Bytes of the file that it replaces.
  clang::PreambleBounds bounds{0, true};
  ParseErrors errors;
  ArchitectureText architecture;
  /// Names of the files that were read, but for the main file; of those, the
  /// ones that are no system headers, in the order of reading.
  std::vector<std::string> files;
  std::vector<std::string> userHeaders;
  /// Declarations at the top that are not of system headers.
  std::vector<clang::LocalDeclID> declarations;
};

} // namespace coreside

#endif
