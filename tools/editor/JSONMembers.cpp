// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JSONMembers.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace coreside;

namespace {

constexpr llvm::StringLiteral space = " \t\r\n";

/// Parsers of JSON call themselves for each bracket. No message is as deep as
/// that.
constexpr size_t maxDepth = 500;

/// The length of the string that `text` begins with, quotes included; 0 where
/// it does not end.
size_t lengthOfString(llvm::StringRef text) {
  for (size_t at = 1;;) {
    at = text.find_first_of("\"\\", at);
    if (at == llvm::StringRef::npos)
      return 0;
    if (text[at] == '"')
      return at + 1;
    at += 2;
  }
}

/// The length of the value that `text` begins with; 0 where it does not end or
/// does not begin.
size_t lengthOfValue(llvm::StringRef text) {
  if (text.empty())
    return 0;
  if (text[0] == '"')
    return lengthOfString(text);
  if (text[0] != '{' && text[0] != '[')
    return std::min(text.find_first_of(",]} \t\r\n"), text.size());
  // Brackets within strings do not count. Nothing is gained by checking that
  // each is closed by its own kind.
  size_t open = 0;
  for (size_t at = 0; at < text.size();) {
    switch (text[at]) {
    case '"': {
      size_t length = lengthOfString(text.substr(at));
      if (!length)
        return 0;
      at += length;
      continue;
    }
    case '{':
    case '[':
      if (++open > maxDepth)
        return 0;
      break;
    case '}':
    case ']':
      if (!--open)
        return at + 1;
      break;
    default:
      break;
    }
    ++at;
  }
  return 0;
}

} // namespace

std::optional<JSONMembers> coreside::jsonMembers(llvm::StringRef object) {
  llvm::StringRef rest = object.trim(space);
  if (!rest.consume_front("{") || !rest.consume_back("}"))
    return std::nullopt;
  JSONMembers members;
  rest = rest.trim(space);
  while (!rest.empty()) {
    if (!members.empty()) {
      if (!rest.consume_front(","))
        return std::nullopt;
      rest = rest.ltrim(space);
    }
    size_t length = rest.starts_with("\"") ? lengthOfString(rest) : 0;
    if (!length)
      return std::nullopt;
    JSONMember member;
    member.key = rest.substr(1, length - 2);
    rest = rest.substr(length).ltrim(space);
    if (!rest.consume_front(":"))
      return std::nullopt;
    rest = rest.ltrim(space);
    length = lengthOfValue(rest);
    if (!length)
      return std::nullopt;
    member.value = rest.substr(0, length);
    members.push_back(member);
    rest = rest.substr(length).ltrim(space);
  }
  return members;
}

llvm::StringRef coreside::jsonMember(llvm::StringRef object,
                                     llvm::StringRef key) {
  if (std::optional<JSONMembers> members = jsonMembers(object))
    for (const JSONMember &member : *members)
      if (member.key == key)
        return member.value;
  return {};
}

std::string coreside::jsonString(llvm::StringRef text) {
  if (text.size() < 2 || text.front() != '"')
    return {};
  if (!text.contains('\\'))
    return text.drop_front().drop_back().str();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  return value->getAsString().value_or("").str();
}

std::string coreside::canonicalId(llvm::StringRef id) {
  if (!id.starts_with("\"") || !id.contains('\\'))
    return id.str();
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::json::Value(jsonString(id));
  return text;
}

MessageParts coreside::messageParts(llvm::StringRef body) {
  MessageParts parts;
  std::optional<JSONMembers> members = jsonMembers(body);
  if (!members)
    return parts;
  for (const JSONMember &member : *members) {
    if (member.key == "id")
      parts.id = member.value;
    else if (member.key == "method")
      parts.method = jsonString(member.value);
    else if (member.key == "params")
      parts.params = member.value;
    else if (member.key == "result")
      parts.result = member.value;
    else if (member.key == "error")
      parts.error = member.value;
  }
  return parts;
}
