// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextPositions.h"

#include "llvm/Support/ConvertUTF.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

const char *coreside::encodingName(PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::UTF8:
    return "utf-8";
  case PositionEncoding::UTF16:
    return "utf-16";
  case PositionEncoding::UTF32:
    return "utf-32";
  }
  return "";
}

std::optional<PositionEncoding> coreside::encodingNamed(StringRef name) {
  for (PositionEncoding encoding :
       {PositionEncoding::UTF8, PositionEncoding::UTF16,
        PositionEncoding::UTF32})
    if (name == encodingName(encoding))
      return encoding;
  return std::nullopt;
}

/// Bytes of the character that `text` begins with.
static unsigned bytesOf(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  unsigned bytes = llvm::getNumBytesForUTF8(*begin);
  if (bytes > text.size() || !llvm::isLegalUTF8Sequence(begin, begin + bytes))
    return 1;
  return bytes;
}

/// How many units a character of so many bytes counts.
static unsigned unitsOf(unsigned bytes, PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::UTF8:
    return bytes;
  case PositionEncoding::UTF16:
    return bytes == 4 ? 2 : 1;
  case PositionEncoding::UTF32:
    return 1;
  }
  return 1;
}

TextPositions::TextPositions(StringRef text, PositionEncoding encoding)
    : Text(text), Encoding(encoding), Starts{0} {
  for (size_t i = 0; i != text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\r')
      continue;
    if (text[i] == '\r' && i + 1 != text.size() && text[i + 1] == '\n')
      ++i;
    Starts.push_back(i + 1);
  }
}

StringRef TextPositions::line(unsigned number) const {
  if (number >= Starts.size())
    return {};
  size_t end = number + 1 < Starts.size() ? Starts[number + 1] : Text.size();
  StringRef line = Text.slice(Starts[number], end);
  if (number + 1 < Starts.size()) {
    line.consume_back("\n");
    line.consume_back("\r");
  }
  return line;
}

std::optional<size_t> TextPositions::offset(TextPosition position) const {
  if (position.line >= Starts.size())
    return std::nullopt;
  StringRef rest = line(position.line);
  size_t at = Starts[position.line];
  unsigned units = 0;
  while (!rest.empty()) {
    unsigned bytes = bytesOf(rest);
    units += unitsOf(bytes, Encoding);
    if (units > position.character)
      break;
    at += bytes;
    rest = rest.drop_front(bytes);
  }
  return at;
}

TextPosition TextPositions::position(size_t offset) const {
  offset = std::min(offset, Text.size());
  auto after = std::upper_bound(Starts.begin(), Starts.end(), offset);
  TextPosition result;
  result.line = after - Starts.begin() - 1;
  StringRef line = this->line(result.line);
  StringRef before = line.take_front(offset - Starts[result.line]);
  // As far as a character reaches, whole.
  while (!before.empty()) {
    StringRef rest =
        line.take_back(line.size() - (before.data() - line.data()));
    unsigned bytes = bytesOf(rest);
    if (bytes > before.size())
      break;
    result.character += unitsOf(bytes, Encoding);
    before = before.drop_front(bytes);
  }
  return result;
}

TextPosition TextPositions::of(unsigned line, unsigned column) const {
  if (line == 0)
    return {};
  if (line > Starts.size())
    return position(Text.size());
  size_t inLine =
      std::min<size_t>(column ? column - 1 : 0, this->line(line - 1).size());
  return position(Starts[line - 1] + inLine);
}

unsigned TextPositions::column(TextPosition position) const {
  std::optional<size_t> at = offset(position);
  return at ? *at - Starts[position.line] + 1 : 0;
}

std::optional<TextPosition>
coreside::positionFromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  std::optional<int64_t> line = object->getInteger("line");
  std::optional<int64_t> character = object->getInteger("character");
  if (!line || !character || *line < 0 || *character < 0)
    return std::nullopt;
  auto cut = [](int64_t number) -> unsigned {
    return std::min<int64_t>(number, INT32_MAX);
  };
  return TextPosition{cut(*line), cut(*character)};
}

std::optional<TextRange> coreside::rangeFromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Value *start = object ? object->get("start") : nullptr;
  const json::Value *end = object ? object->get("end") : nullptr;
  if (!start || !end)
    return std::nullopt;
  std::optional<TextPosition> from = positionFromJSON(*start);
  std::optional<TextPosition> to = positionFromJSON(*end);
  if (!from || !to || *to < *from)
    return std::nullopt;
  return TextRange{*from, *to};
}

json::Value coreside::toJSON(TextPosition position) {
  return json::Object{{"line", position.line},
                      {"character", position.character}};
}

json::Value coreside::toJSON(const TextRange &range) {
  return json::Object{{"start", toJSON(range.start)},
                      {"end", toJSON(range.end)}};
}

llvm::Expected<std::string> coreside::applyChanges(std::string text,
                                                   const json::Array &changes,
                                                   PositionEncoding encoding) {
  for (const json::Value &value : changes) {
    const json::Object *change = value.getAsObject();
    std::optional<StringRef> added =
        change ? change->getString("text") : std::nullopt;
    if (!added)
      return llvm::createStringError("a change without text");
    const json::Value *where = change->get("range");
    if (!where) {
      text = added->str();
      continue;
    }
    std::optional<TextRange> range = rangeFromJSON(*where);
    TextPositions positions(text, encoding);
    std::optional<size_t> begin, end;
    if (range) {
      begin = positions.offset(range->start);
      end = positions.offset(range->end);
    }
    if (!begin || !end)
      return llvm::createStringError(
          fmt::format("a change outside of the text, which has {} lines",
                      positions.lines()));
    text.replace(*begin, *end - *begin, added->str());
  }
  return text;
}
