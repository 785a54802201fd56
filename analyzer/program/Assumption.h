// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user says of a number that the source does not tell.
//
// In:   "n=1048576", "solver.cu:step:threads=64..1024"
// Out:  a name, the range that it is in, and where that is so.

#ifndef CORESIDE_PROGRAM_ASSUMPTION_H
#define CORESIDE_PROGRAM_ASSUMPTION_H

#include "SourcePlace.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coreside {

struct Assumption {
  /// As it was written.
  std::string text;
  /// The end of a file's path, and a function's name with or without what it
  /// stands in; empty for any.
  std::string file;
  std::string function;
  /// As the source calls the number: "n", "options.threads", "p->n".
  std::string name;
  /// Both ends belong to the range.
  int64_t low = 0;
  int64_t high = 0;

  bool operator==(const Assumption &) const = default;
};

/// Reads NAME=VALUE or FILE:FUNCTION:NAME=VALUE, where VALUE is a number or a
/// range, 64..1024, and FILE and FUNCTION may be empty.
llvm::Expected<Assumption> parseAssumption(llvm::StringRef text);

/// How an assumption went in one file.
struct AssumptionUse {
  /// Which one of those given.
  unsigned index = 0;
  /// The source says otherwise: what, and where. Nothing there: it was used.
  std::string instead;
  SourcePlace place;

  bool operator==(const AssumptionUse &) const = default;
};

} // namespace coreside

#endif
