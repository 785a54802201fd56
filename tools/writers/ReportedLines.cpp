// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReportedLines.h"

#include "llvm/ADT/StringExtras.h"

using namespace coreside;
using llvm::StringRef;

const ReportedLines::File &ReportedLines::open(StringRef file) {
  auto [entry, isNew] = Files.try_emplace(file);
  if (isNew)
    if (auto buffer = llvm::MemoryBuffer::getFile(file)) {
      StringRef text = (*buffer)->getBuffer();
      entry->second.text = std::move(*buffer);
      entry->second.lines.push_back(0);
      for (size_t i = 0; i != text.size(); ++i)
        if (text[i] == '\n')
          entry->second.lines.push_back(i + 1);
    }
  return entry->second;
}

StringRef ReportedLines::text(StringRef file) {
  const File &opened = open(file);
  return opened.text ? opened.text->getBuffer() : StringRef();
}

StringRef ReportedLines::get(StringRef file, unsigned line) {
  const File &opened = open(file);
  if (!opened.text || line == 0 || line > opened.lines.size())
    return {};
  StringRef rest = opened.text->getBuffer().drop_front(opened.lines[line - 1]);
  return rest.split('\n').first.rtrim('\r');
}

unsigned ReportedLines::utf16Column(const SourcePlace &place) {
  StringRef line = get(place.file, place.line);
  if (place.column == 0 || place.column > line.size() + 1)
    return place.column;
  unsigned column = 1;
  for (unsigned char c : line.take_front(place.column - 1)) {
    // Of a character the first byte counts, twice for one beyond the BMP.
    column += (c & 0xC0) != 0x80;
    column += c >= 0xF0;
  }
  return column;
}

unsigned ReportedLines::endOfName(const SourcePlace &place) {
  if (place.column == 0)
    return 0;
  StringRef line = get(place.file, place.line);
  StringRef name =
      line.drop_front(std::min<size_t>(place.column - 1, line.size()))
          .take_while([](char c) {
            return llvm::isAlnum(c) || c == '_' || (c & 0x80);
          });
  return place.column + std::max<size_t>(name.size(), 1);
}

bool ReportedLines::hasCarriageReturns(StringRef file) {
  StringRef all = text(file);
  return all.count("\r\n") * 2 > all.count('\n');
}
