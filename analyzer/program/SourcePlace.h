// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where something stands in the sources: "pair.cu:31:3".

#ifndef CORESIDE_PROGRAM_SOURCEPLACE_H
#define CORESIDE_PROGRAM_SOURCEPLACE_H

#include <compare>
#include <string>

namespace coreside {

/// A place in a source file, as a compiler prints it; line and column count
/// from 1, 0 when there is none.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  auto operator<=>(const SourcePlace &) const = default;
};

} // namespace coreside

#endif
