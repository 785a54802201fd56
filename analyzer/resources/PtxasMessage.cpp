// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxasMessage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using llvm::StringRef;

namespace coreside {

StringRef withoutEndBlanks(StringRef text) {
  size_t size = text.size();
  while (size && llvm::isSpace(text[size - 1]))
    --size;
  return text.take_front(size);
}

namespace {

bool consumeNumber(StringRef &text, unsigned &number) {
  if (text.empty() || !llvm::isDigit(text.front()))
    return false;
  return !text.consumeInteger(10, number);
}

/// `text` ends before `word` does, and agrees so far.
bool endsWithin(StringRef text, StringRef word) {
  return text.size() < word.size() && word.starts_with(text);
}

PtxasMessage parseCompiling(StringRef text) {
  PtxasMessage message;
  message.kind = MessageKind::Compiling;
  constexpr StringRef Start = "Compiling entry function '";
  constexpr StringRef Middle = "' for '";
  if (!text.consume_front(Start)) {
    if (text.size() >= 6 && endsWithin(text, Start))
      message.shape = MessageShape::Head;
    return message;
  }
  message.shape = MessageShape::Head;
  size_t end = text.find('\'');
  // No name has blanks: this is the beginning of one and the end of another.
  if (text.take_front(end).contains(' '))
    message.shape = MessageShape::None;
  if (end == StringRef::npos || end == 0 || message.shape == MessageShape::None)
    return message;
  message.name = text.take_front(end);
  text = text.drop_front(end);
  if (!text.consume_front(Middle))
    return message;
  end = text.find('\'');
  if (end == StringRef::npos)
    return message;
  message.target = text.take_front(end);
  message.shape = MessageShape::Whole;
  return message;
}

/// "(target: sm_90)", which linkers put behind a line when there are several.
StringRef consumeTarget(StringRef &text) {
  size_t at = text.ends_with(")") ? text.rfind("(target: ") : StringRef::npos;
  if (at == StringRef::npos)
    return {};
  StringRef target = text.substr(at + 9).drop_back();
  text = text.take_front(at).rtrim();
  return target;
}

PtxasMessage parseProperties(StringRef text) {
  PtxasMessage message;
  message.kind = MessageKind::Properties;
  constexpr StringRef Start = "Function properties for ";
  if (!text.consume_front(Start)) {
    if (!text.empty() && endsWithin(text, Start))
      message.shape = MessageShape::Head;
    return message;
  }
  message.target = consumeTarget(text);
  if (text.consume_front("'")) {
    // nvlink quotes the name and ends with a colon; an old ptxas only quotes.
    size_t end = text.find('\'');
    message.shape =
        end == StringRef::npos ? MessageShape::Head : MessageShape::Whole;
    if (end != StringRef::npos) {
      message.name = text.take_front(end);
      message.linker = text.substr(end).starts_with("':");
    }
    return message;
  }
  message.name = text.take_until(llvm::isSpace);
  message.shape =
      message.name.empty() ? MessageShape::Head : MessageShape::Whole;
  return message;
}

/// Textures, samplers, lmem, other banks, and what a later tool may add; but
/// not a known one that has lost its end.
bool isOtherItem(StringRef item) {
  if (StringRef bank = item; bank.consume_front("bytes cmem[") &&
                             bank.consume_back("]") && bank != "0")
    return !bank.empty() && llvm::all_of(bank, llvm::isDigit);
  constexpr StringRef Known[] = {"barriers",
                                 "registers",
                                 "bytes smem",
                                 "bytes cmem[0]",
                                 "bytes lmem",
                                 "bytes gmem",
                                 "bytes cumulative stack size",
                                 "textures",
                                 "samplers",
                                 "surfaces"};
  constexpr StringRef Whole[] = {"bytes lmem", "bytes gmem", "textures",
                                 "samplers", "surfaces"};
  if (llvm::is_contained(Whole, item))
    return true;
  // A word of its own is new; the beginning of a known one is torn.
  StringRef last = item.substr(item.rfind(' ') + 1);
  for (StringRef known : Known) {
    StringRef end = known.substr(known.rfind(' ') + 1);
    if (item == known || known.starts_with(item) ||
        (!last.empty() && last.front() == end.front() && last.size() < 6))
      return false;
  }
  bool glued = item.starts_with("bytes") && !item.starts_with("bytes ");
  return !item.empty() && !glued && !item.contains("  ") &&
         item.back() != ' ' && llvm::all_of(item, [](char c) {
           return llvm::isAlpha(c) || c == ' ';
         });
}

/// The items after "N registers", each ", " and words around a number.
bool parseItem(StringRef item, PtxasMessage &message) {
  item.consume_front("used ");
  unsigned number, more;
  if (!consumeNumber(item, number))
    return false;
  // CUDA 3 told apart what the user and what the system had asked for.
  if (item.consume_front("+")) {
    if (!consumeNumber(item, more))
      return false;
    number += more;
  }
  if (!item.consume_front(" "))
    return false;
  auto is = [&](StringRef known, std::optional<unsigned> &value) {
    if (item != known || value)
      return false;
    value = number;
    return true;
  };
  return is("barriers", message.barriers) || is("bytes smem", message.shared) ||
         is("bytes cmem[0]", message.constant) ||
         is("bytes cumulative stack size", message.stack) ||
         is("bytes stack", message.stack) || is("stack", message.stack) ||
         isOtherItem(item);
}

PtxasMessage parseUsed(StringRef text) {
  PtxasMessage message;
  message.kind = MessageKind::Used;
  for (StringRef start : {"Used ", "used "}) {
    if (!text.empty() && endsWithin(text, start))
      message.shape = MessageShape::Head;
    if (!text.consume_front(start))
      continue;
    message.shape = MessageShape::Head;
    message.target = consumeTarget(text);
    unsigned number;
    if (!consumeNumber(text, number)) {
      if (!text.empty())
        message.shape = MessageShape::None;
      return message;
    }
    if (!text.consume_front(" registers")) {
      if (!endsWithin(text, " registers"))
        message.shape = MessageShape::None;
      return message;
    }
    message.registers = number;
    message.linker = start == "used ";
    while (!text.empty()) {
      if (!text.consume_front(", "))
        return message;
      size_t end = std::min(text.find(','), text.size());
      if (!parseItem(text.take_front(end), message))
        return message;
      text = text.drop_front(end);
    }
    message.shape = MessageShape::Whole;
    return message;
  }
  return message;
}

/// A line without a prefix of its own, told by its words.
PtxasMessage parseSpills(StringRef text) {
  PtxasMessage message;
  message.kind = MessageKind::Spills;
  constexpr StringRef Words[] = {" bytes stack frame, ",
                                 " bytes spill stores, ", " bytes spill loads"};
  std::optional<unsigned> *numbers[] = {&message.stack, &message.spillStores,
                                        &message.spillLoads};
  for (int i = 0; i != 3; ++i) {
    unsigned number;
    if (!consumeNumber(text, number)) {
      // Only a first number that is missing says nothing at all.
      message.shape =
          text.empty() && i ? MessageShape::Head : MessageShape::None;
      return message;
    }
    *numbers[i] = number;
    if (!text.consume_front(Words[i])) {
      message.shape = endsWithin(text, Words[i]) && (i || text.size() > 3)
                          ? MessageShape::Head
                          : MessageShape::None;
      return message;
    }
  }
  message.shape =
      text.trim().empty() ? MessageShape::Whole : MessageShape::Head;
  return message;
}

/// Somewhere behind its first word `text` has what only the end of a message
/// has.
bool endsAsAnother(StringRef text) {
  StringRef rest = text.drop_front();
  for (StringRef end : {"' for 'sm_", "entry function '", "perties for ",
                        " registers", " barriers", " bytes s", " bytes cmem["})
    if (rest.contains(end))
      return true;
  return false;
}

} // namespace

PtxasMessage parsePtxasMessage(StringRef text) {
  if (text.empty())
    return {};
  PtxasMessage message;
  switch (text.front()) {
  case 'C':
    message = parseCompiling(text);
    break;
  case 'F':
    message = parseProperties(text);
    break;
  case 'U':
  case 'u':
    message = parseUsed(text);
    break;
  default:
    if (llvm::isDigit(text.front()))
      message = parseSpills(text);
    return message;
  }
  bool begun = text.starts_with("Used ") || text.starts_with("Compiling ") ||
               text.starts_with("Function prop");
  if (message.shape == MessageShape::None && (begun || endsAsAnother(text)))
    message.shape = MessageShape::Broken;
  return message;
}

bool isEndOfUsed(StringRef text) {
  text.consume_front(",");
  while (!text.empty()) {
    auto [item, rest] = text.split(',');
    item = item.trim();
    text = rest;
    PtxasMessage message;
    if (parseItem(item, message))
      continue;
    // Only the first may have lost its beginning.
    bool partly = false;
    for (StringRef known :
         {"used 0 barriers", "0 bytes smem", "0 bytes cmem[0]", "0 bytes lmem",
          "0 bytes cumulative stack size"})
      partly |= item.size() > 2 && known.ends_with(item);
    if (!partly)
      return false;
  }
  return true;
}

std::optional<ComputeCapability> capabilityOf(StringRef target) {
  unsigned number;
  if (!target.consume_front("sm_") || !consumeNumber(target, number) ||
      number < 10 || number > 999 || target.size() > 1)
    return std::nullopt;
  return ComputeCapability{number / 10, number % 10};
}

ToolMarker findToolMarker(StringRef line, size_t from) {
  ToolMarker found;
  // What nearly all lines are, and what nearly all are not.
  constexpr StringRef Usual = "ptxas info    : ";
  if (from == 0 && line.starts_with(Usual)) {
    found.begin = 0;
    found.message = Usual.size();
    found.tool = ToolMarker::Ptxas;
    return found;
  }
  if (line.find(':', from) == StringRef::npos)
    return found;
  constexpr std::pair<StringRef, ToolMarker::Severity> Severities[] = {
      {"info", ToolMarker::Info},
      {"warning", ToolMarker::Warning},
      {"error", ToolMarker::Error},
      {"fatal", ToolMarker::Error}};
  for (auto [word, severity] : Severities)
    for (size_t at = line.find(word, from);
         at != StringRef::npos && at < found.begin;
         at = line.find(word, at + 1)) {
      size_t colon = line.find_first_not_of(' ', at + word.size());
      if (colon == StringRef::npos || line[colon] != ':')
        continue;
      StringRef before = line.slice(from, at).rtrim(' ');
      if (before.consume_back(":"))
        before = before.rtrim(' ');
      ToolMarker marker;
      marker.severity = severity;
      marker.message =
          std::min(line.find_first_not_of(' ', colon + 1), line.size());
      if (before.ends_with("ptxas"))
        marker.tool = ToolMarker::Ptxas,
        marker.begin = from + before.size() - 5;
      else if (before.ends_with("nvlink"))
        marker.tool = ToolMarker::Nvlink,
        marker.begin = from + before.size() - 6;
      else if (severity == ToolMarker::Info &&
               (at == from || !llvm::isAlnum(line[at - 1])))
        marker.begin = at;
      else
        continue;
      if (marker.begin < found.begin)
        found = marker;
      break;
    }
  return found;
}

bool mayBePtxas(StringRef line, bool pieces) {
  auto has = [&](StringRef word) {
    return memmem(line.data(), line.size(), word.data(), word.size()) !=
           nullptr;
  };
  return line.starts_with("ptxas info") || (pieces && has("bytes")) ||
         has("info") || has("ptxas") || has("nvlink") ||
         (pieces && (has("registers") || has("ties for ") || has("entry f")));
}

} // namespace coreside
