// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceLines.h"

#include "DocumentURI.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace coreside;
using llvm::StringRef;

const TextPositions *SourceLines::of(const std::string &file) {
  auto [known, isNew] = Known.try_emplace(file);
  if (isNew) {
    if (auto open = Documents.find(file); open != Documents.end())
      known->second.text = open->second.text;
    else if (auto buffer = llvm::MemoryBuffer::getFile(file))
      known->second.text =
          std::make_shared<std::string>((*buffer)->getBuffer());
    if (known->second.text)
      known->second.positions =
          std::make_unique<TextPositions>(*known->second.text, Encoding);
  }
  return known->second.positions.get();
}

TextRange SourceLines::range(const std::string &file, unsigned line,
                             unsigned column, unsigned endLine,
                             unsigned endColumn) {
  const TextPositions *lines = of(file);
  if (!lines)
    return {{line ? line - 1 : 0, 0}, {line ? line - 1 : 0, 0}};
  return {lines->of(line, column), lines->of(endLine, endColumn)};
}

TextRange SourceLines::wordAt(const SourcePlace &place) {
  const TextPositions *lines = of(place.file);
  unsigned column = place.column ? place.column : 1;
  unsigned end = column;
  if (lines && place.line) {
    StringRef rest = lines->line(place.line - 1)
                         .drop_front(std::min<size_t>(
                             column - 1, lines->line(place.line - 1).size()));
    size_t word =
        rest.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; });
    end += std::max<size_t>(std::min(word, rest.size()), 1);
  }
  return range(place.file, place.line, column, place.line, end);
}

std::string SourceLines::uri(const std::string &file) const {
  auto open = Documents.find(file);
  return open == Documents.end() ? uriOfPath(file) : open->second.uri;
}
