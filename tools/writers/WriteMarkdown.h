// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A summary of a run for a pull request.
//
// In:   a report of --diff
// Out:  **1 finding worse, 1 better** ...
//       |  | finding | h100 | rtx4090 |
//       | worse | 'edges' ... | shares -> waits, registers | ...
//       and for each the arithmetic, folded away
//
// Names are those of a repository that anyone may have written: they stand in
// code spans, fenced blocks or escaped, so that they bring no markup, no links
// and mention nobody.

#ifndef CORESIDE_WRITERS_WRITEMARKDOWN_H
#define CORESIDE_WRITERS_WRITEMARKDOWN_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

/// GitHub takes comments of 65,536 characters; bytes are counted here.
inline constexpr size_t markdownBytes = 65536;

/// The worst are told in full for as long as there is room.
void writeMarkdown(const Report &report, llvm::raw_ostream &out);

/// `text` in backticks that it cannot end, on one line; `inTable`: of a table,
/// where a '|' would end the cell.
std::string codeSpan(llvm::StringRef text, bool inTable);

/// Lines of `text` as a block that they cannot end.
std::string fencedBlock(llvm::StringRef text);

} // namespace coreside

#endif
