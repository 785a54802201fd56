// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang objects to in a file.
//
// In:   clang's diagnostics
// Out:  the first error of each line: "a.cu", 3, 5, "use of undeclared ..."

#ifndef CORESIDE_SOURCE_PARSEERRORS_H
#define CORESIDE_SOURCE_PARSEERRORS_H

#include <string>
#include <vector>

namespace coreside {

/// A message of the parser.
struct ParseError {
  std::string file;
  /// From 1; 0 where the error has no place.
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

struct ParseErrors {
  /// The first of each line, at most 100.
  std::vector<ParseError> first;
  /// All of them.
  unsigned count = 0;
};

} // namespace coreside

#endif
