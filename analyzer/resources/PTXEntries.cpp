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
    (result += line) += '\n';
  }
  return result;
}

} // namespace coreside
