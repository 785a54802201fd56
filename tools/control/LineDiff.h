// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one text becomes another, by lines.
//
// In:   "a\nb\nc\n", "a\nx\nc\n"
// Out:  " -+ ": kept, taken away, added, kept; or a patch

#ifndef CORESIDE_CONTROL_LINEDIFF_H
#define CORESIDE_CONTROL_LINEDIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace coreside {

/// The lines of `text`, each with its end.
std::vector<llvm::StringRef> linesOf(llvm::StringRef text);

/// A ' ' for each line that both have, a '-' for one of `before` and a '+' for
/// one of `after` alone, in order. The fewest of these, but where many thousand
/// lines are different.
std::string lineScript(llvm::ArrayRef<llvm::StringRef> before,
                       llvm::ArrayRef<llvm::StringRef> after);

/// As `diff -u` prints it, with a/ and b/ before `name`.
std::string unifiedDiff(llvm::StringRef before, llvm::StringRef after,
                        llvm::StringRef name);

} // namespace coreside

#endif
