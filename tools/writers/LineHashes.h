// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash by which GitHub's code scanning knows a line again.
//
// In:   "int a;\n"
// Out:  "fe6def72dd4ce68c:1" for line 1, and one for the empty line 2
//
// GitHub's upload action puts it into results that have none and complains of
// one that differs; an upload by another way needs it from the tool. It is
// public by that action's source: a polynomial of base 37, modulo 2^64, over
// the next 100 characters (UTF-16 units) that are neither space nor tab, line
// ends as one '\n', then an end mark of 65535 and zeros; behind the colon, how
// many lines so far had the same.

#ifndef CORESIDE_WRITERS_LINEHASHES_H
#define CORESIDE_WRITERS_LINEHASHES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace coreside {

/// One for each line of `text`, UTF-8. The last line is the one behind the last
/// line end, if empty.
std::vector<std::string> lineHashes(llvm::StringRef text);

} // namespace coreside

#endif
