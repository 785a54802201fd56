// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXEntries.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace coreside {

namespace {

/// Behind a comment or a string that begins at `at`; `at` where none does.
size_t skipQuoted(StringRef ptx, size_t at) {
  StringRef rest = ptx.substr(at);
  size_t end;
  if (rest.starts_with("//"))
    end = rest.find('\n');
  else if (rest.starts_with("/*"))
    end = rest.find("*/", 2) == StringRef::npos ? StringRef::npos
                                                : rest.find("*/", 2) + 2;
  else if (rest.starts_with("\""))
    end = rest.find('"', 1) == StringRef::npos ? StringRef::npos
                                               : rest.find('"', 1) + 1;
  else
    return at;
  return end == StringRef::npos ? ptx.size() : at + end;
}

bool isInName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
}

/// Where the body that is awaited at `at` ends; npos when only a declaration
/// comes, or the file ends.
size_t endOfBody(StringRef ptx, size_t at) {
  unsigned depth = 0;
  while (at < ptx.size()) {
    if (size_t behind = skipQuoted(ptx, at); behind != at) {
      at = behind;
      continue;
    }
    char c = ptx[at++];
    if (c == ';' && depth == 0)
      return StringRef::npos;
    if (c == '{')
      ++depth;
    else if (c == '}' && (depth == 0 || --depth == 0))
      return at;
  }
  return StringRef::npos;
}

/// Where the part of `rest` ends that every name of a file has alike,
/// "<hash>_<length>_<file>_"; 0 where that does not stand there.
size_t endOfFilePart(StringRef rest) {
  StringRef text = rest.drop_while(llvm::isHexDigit);
  size_t length;
  if (!text.consume_front("_") || text.consumeInteger(10, length) ||
      !text.consume_front("_") || length >= text.size() || text[length] != '_')
    return 0;
  return text.data() + length + 1 - rest.data();
}

/// Takes out what tells one compilation of a file from another in the names of
/// internal linkage: "58_GLOBAL__N__<hash>_4_a_cu_<hash>", with a process id or
/// without, leaves "_GLOBAL__N__".
void appendWithoutIds(std::string &result, StringRef text) {
  constexpr StringRef Prefixes[] = {"_INTERNAL_", "_GLOBAL__N__",
                                    "__nv_static_"};
  while (true) {
    size_t at = StringRef::npos;
    StringRef prefix;
    for (StringRef candidate : Prefixes)
      if (size_t found = text.find(candidate); found < at) {
        at = found;
        prefix = candidate;
      }
    if (at == StringRef::npos)
      break;
    StringRef rest = text.substr(at + prefix.size());
    if (prefix == Prefixes[2]) {
      // Its length is in front: "__nv_static_29__<hash>...".
      size_t length;
      StringRef behind = rest;
      result += text.take_front(at + prefix.size());
      if (!behind.consumeInteger(10, length) && behind.consume_front("_") &&
          length <= behind.size())
        rest = behind.drop_front(length);
      text = rest;
      continue;
    }
    // The digits before may be another name's end: the last of them count that
    // are enough for what is there.
    size_t least = prefix.size() + endOfFilePart(rest), digits = at;
    uint64_t length = 0;
    for (uint64_t unit = 1;
         least > prefix.size() && length < least && digits > 0 &&
         llvm::isDigit(text[digits - 1]) && unit <= 1000;
         unit *= 10)
      length += unit * (text[--digits] - '0');
    bool known =
        length >= least && length > prefix.size() && at + length <= text.size();
    result += text.take_front(known ? digits : at);
    result += prefix;
    text = text.substr(known ? at + length : at + prefix.size());
  }
  result += text;
}

} // namespace

std::vector<PTXEntry> ptxEntries(StringRef ptx) {
  constexpr StringRef Directive = ".entry";
  std::vector<PTXEntry> entries;
  size_t last = 0;
  for (size_t at = 0; at < ptx.size();) {
    if (size_t behind = skipQuoted(ptx, at); behind != at) {
      at = behind;
      continue;
    }
    StringRef rest = ptx.substr(at);
    if (!rest.consume_front(Directive) || rest.empty() ||
        !llvm::isSpace(rest[0])) {
      ++at;
      continue;
    }
    // With the words before it, ".visible" for one.
    size_t line = ptx.rfind('\n', at);
    size_t begin = std::max(last, line == StringRef::npos ? 0 : line + 1);
    rest = rest.ltrim();
    StringRef name = rest.take_while(isInName);
    at = name.end() - ptx.begin();
    size_t end = endOfBody(ptx, at);
    if (end == StringRef::npos)
      continue;
    entries.push_back({name, begin, end});
    at = last = end;
  }
  return entries;
}

std::string withoutEntries(StringRef ptx, const llvm::StringSet<> &dropped) {
  std::string result = ptx.str();
  for (const PTXEntry &entry : ptxEntries(ptx))
    if (dropped.contains(entry.name))
      for (size_t i = entry.begin; i != entry.end; ++i)
        if (result[i] != '\n')
          result[i] = ' ';
  return result;
}

llvm::StringSet<> entriesWithErrors(StringRef ptx, StringRef output) {
  std::vector<PTXEntry> entries = ptxEntries(ptx);
  llvm::StringSet<> found;
  std::vector<size_t> lines = {0};
  for (size_t at = 0; (at = ptx.find('\n', at)) != StringRef::npos;)
    lines.push_back(++at);
  while (!output.empty()) {
    auto [line, rest] = output.split('\n');
    output = rest;
    if (!line.contains("error"))
      continue;
    unsigned number;
    StringRef place = line.split(", line ").second;
    if (!place.consumeInteger(10, number) && place.starts_with(";") && number &&
        number <= lines.size()) {
      for (const PTXEntry &entry : entries)
        if (entry.begin <= lines[number - 1] && lines[number - 1] < entry.end)
          found.insert(entry.name);
      continue;
    }
    StringRef name = line.split('\'').second.split('\'').first;
    for (const PTXEntry &entry : entries)
      if (entry.name == name)
        found.insert(name);
  }
  return found;
}

std::string ptxWithoutPlaces(StringRef ptx) {
  std::string result;
  result.reserve(ptx.size());
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    StringRef text = line.ltrim();
    if (text.empty() || text.starts_with("//") || text.starts_with(".loc") ||
        text.starts_with(".file"))
      continue;
    appendWithoutIds(result, line);
    result += '\n';
  }
  return result;
}

} // namespace coreside
