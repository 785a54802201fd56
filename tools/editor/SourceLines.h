// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that an analysis was of, for places in them.
//
// In:   a.cu:31:3, and a launch that begins there
// Out:  {"start": {"line": 30, "character": 2}, "end": ...}

#ifndef CORESIDE_EDITOR_SOURCELINES_H
#define CORESIDE_EDITOR_SOURCELINES_H

#include "OpenDocuments.h"
#include "TextPositions.h"
#include "program/Program.h"

#include <map>
#include <memory>
#include <string>

namespace coreside {

/// For one thread. Files that are not open are read when they are asked for.
class SourceLines {
public:
  /// `documents` must outlive this.
  SourceLines(const OpenDocuments &documents, PositionEncoding encoding)
      : Documents(documents), Encoding(encoding) {}

  /// Null where the file cannot be read.
  const TextPositions *of(const std::string &file);

  /// The word at a place, at least a character; an empty range at the beginning
  /// of what cannot be read.
  TextRange wordAt(const SourcePlace &place);
  TextRange range(const std::string &file, unsigned line, unsigned column,
                  unsigned endLine, unsigned endColumn);
  TextRange range(const SourceSpan &span) {
    return range(span.file, span.line, span.column, span.endLine,
                 span.endColumn);
  }

  /// As the client spells it where the file is open.
  std::string uri(const std::string &file) const;

private:
  struct Lines {
    std::shared_ptr<const std::string> text;
    std::unique_ptr<TextPositions> positions;
  };
  const OpenDocuments &Documents;
  PositionEncoding Encoding;
  std::map<std::string, Lines> Known;
};

} // namespace coreside

#endif
