// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChangedLines.h"

using namespace coreside;

ChangedLines::ChangedLines(llvm::StringRef before, llvm::StringRef now) {
  TextPositions old(before, PositionEncoding::UTF8);
  TextPositions fresh(now, PositionEncoding::UTF8);
  LinesBefore = old.lines();
  LinesNow = fresh.lines();
  unsigned both = std::min(LinesBefore, LinesNow);
  while (First != both && old.line(First) == fresh.line(First))
    ++First;
  while (Last != both - First &&
         old.line(LinesBefore - 1 - Last) == fresh.line(LinesNow - 1 - Last))
    ++Last;
}

static std::optional<unsigned> moved(unsigned line, unsigned first,
                                     unsigned last, unsigned from,
                                     unsigned to) {
  if (line < first)
    return line;
  if (line < from && line >= from - last)
    return line + to - from;
  return std::nullopt;
}

std::optional<unsigned> ChangedLines::now(unsigned lineBefore) const {
  return moved(lineBefore, First, Last, LinesBefore, LinesNow);
}

std::optional<unsigned> ChangedLines::before(unsigned lineNow) const {
  return moved(lineNow, First, Last, LinesNow, LinesBefore);
}

std::optional<TextRange> ChangedLines::now(TextRange range) const {
  std::optional<unsigned> start = now(range.start.line);
  std::optional<unsigned> end = now(range.end.line);
  if (!start || !end || *end - *start != range.end.line - range.start.line)
    return std::nullopt;
  range.start.line = *start;
  range.end.line = *end;
  return range;
}
