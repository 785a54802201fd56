// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lines of a text are after it was changed in one place.
//
// In:   "a\nb\nc\n", "a\nx\ny\nc\n"
// Out:  0 -> 0, 1 -> nowhere, 2 -> 3
//
// Answers are given from the last analysis; what stands before and after the
// change since then is where it was, or further down.

#ifndef CORESIDE_EDITOR_CHANGEDLINES_H
#define CORESIDE_EDITOR_CHANGEDLINES_H

#include "TextPositions.h"

#include <optional>

namespace coreside {

class ChangedLines {
public:
  ChangedLines(llvm::StringRef before, llvm::StringRef now);

  /// Lines from 0.
  std::optional<unsigned> now(unsigned lineBefore) const;
  std::optional<unsigned> before(unsigned lineNow) const;
  /// Nothing where a part of it was changed.
  std::optional<TextRange> now(TextRange before) const;

private:
  /// Lines that are the same at the beginning and at the end.
  unsigned First = 0;
  unsigned Last = 0;
  unsigned LinesBefore = 0;
  unsigned LinesNow = 0;
};

} // namespace coreside

#endif
