// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in a text as editors count them.
//
// In:   "a\r\n𝄞b", line 1, character 2 in UTF-16
// Out:  byte 7, the b
//
// Lines count from 0 and end with \n, \r\n or \r. Characters count from 0 in
// the units of an encoding. Bytes that are no UTF-8 count as one each.

#ifndef CORESIDE_EDITOR_TEXTPOSITIONS_H
#define CORESIDE_EDITOR_TEXTPOSITIONS_H

#include "program/SourcePlace.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

enum class PositionEncoding { UTF8, UTF16, UTF32 };

/// "utf-8", "utf-16", "utf-32".
const char *encodingName(PositionEncoding encoding);
std::optional<PositionEncoding> encodingNamed(llvm::StringRef name);

struct TextPosition {
  unsigned line = 0;
  unsigned character = 0;
  auto operator<=>(const TextPosition &) const = default;
};

struct TextRange {
  TextPosition start;
  TextPosition end;
};

/// A text with its lines; the text must outlive it.
class TextPositions {
public:
  TextPositions(llvm::StringRef text, PositionEncoding encoding);

  llvm::StringRef text() const { return Text; }
  unsigned lines() const { return Starts.size(); }
  /// Without its end; empty where there is no such line.
  llvm::StringRef line(unsigned number) const;

  /// The byte at `position`. One behind the end of its line is that end, as the
  /// protocol has it; one in the middle of a character is its beginning.
  /// Nothing where there is no such line.
  std::optional<size_t> offset(TextPosition position) const;
  TextPosition position(size_t offset) const;

  /// Of a compiler's line and column, from 1, columns in bytes; one behind the
  /// end is cut.
  TextPosition of(unsigned line, unsigned column) const;
  /// The column, from 1 in bytes, of a position.
  unsigned column(TextPosition position) const;

private:
  llvm::StringRef Text;
  PositionEncoding Encoding;
  std::vector<size_t> Starts;
};

std::optional<TextPosition> positionFromJSON(const llvm::json::Value &value);
std::optional<TextRange> rangeFromJSON(const llvm::json::Value &value);
llvm::json::Value toJSON(TextPosition position);
llvm::json::Value toJSON(const TextRange &range);

/// `text` after `changes`, TextDocumentContentChangeEvents, one after the
/// other. Error: one is none, or its range lies outside of the text.
llvm::Expected<std::string> applyChanges(std::string text,
                                         const llvm::json::Array &changes,
                                         PositionEncoding encoding);

} // namespace coreside

#endif
