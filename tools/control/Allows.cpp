// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Allows.h"

#include "NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

using namespace coreside;
using llvm::StringRef;

TokenizedFiles::TokenizedFiles(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files)
    : Files(std::move(files)) {}

const TokenizedFile *TokenizedFiles::get(StringRef file) {
  auto [entry, isNew] = Known.try_emplace(file);
  if (isNew)
    if (auto buffer = Files->getBufferForFile(file))
      entry->second = std::make_unique<TokenizedFile>(std::move(*buffer));
  return entry->second.get();
}

namespace {

constexpr StringRef marker = "coreside:";
constexpr StringRef actions[] = {"allow", "allow-next-line", "allow-begin",
                                 "allow-end"};

/// What stands behind the marker on one line of a comment; nothing where the
/// line does not begin with it.
std::optional<StringRef> behindMarker(StringRef line) {
  // A comment may follow another on a line.
  for (StringRef rest = line;;) {
    StringRef text = rest.ltrim("/*! \t");
    if (text.consume_front(marker))
      return text.rtrim().rtrim("\r");
    size_t next = rest.find("//", rest.size() - text.size());
    if (next == StringRef::npos)
      return std::nullopt;
    rest = rest.substr(next);
  }
}

/// Takes "a, b" off the front of `text`: names go on behind commas. The reason
/// may stand behind a colon.
std::vector<StringRef> takeNames(StringRef &text) {
  std::vector<StringRef> names;
  for (bool more = true; more;) {
    text = text.ltrim();
    StringRef name = text.take_until(
        [](char c) { return llvm::isSpace(c) || c == ',' || c == ':'; });
    if (!name.empty())
      names.push_back(name);
    text = text.substr(name.size()).ltrim();
    more = text.consume_front(",");
  }
  return names;
}

} // namespace

void Allows::readWords(StringRef words, unsigned line, unsigned column,
                       OfFile &entries, std::vector<size_t> &open) {
  auto problem = [&](const std::string &text) {
    Problems.push_back(
        fmt::format("{}:{}:{}: {}", entries.file, line, column, text));
  };
  words = words.ltrim();
  StringRef action =
      words.take_until([](char c) { return llvm::isSpace(c) || c == ','; });
  if (!llvm::is_contained(actions, action)) {
    // Other words are for others, unless one was meant to be one of these.
    if (action.starts_with("al"))
      if (std::string hint = didYouMean(action, actions); !hint.empty())
        problem(fmt::format("unknown word '{}'{}", action.str(), hint));
    return;
  }
  StringRef rest = words.substr(action.size());
  if (action == "allow-end") {
    if (open.empty())
      return problem("'allow-end' without 'allow-begin'");
    entries.entries[open.back()].last = line;
    open.pop_back();
    return;
  }
  std::vector<StringRef> names = takeNames(rest);
  if (names.empty())
    return problem(fmt::format("'{}' names no rule", action.str()));
  Entry entry{line, column, line, line, llvm::join(names, ", "), {}, {}, false};
  entry.reason = rest.ltrim(": \t").rtrim().str();
  for (StringRef name : names) {
    llvm::Expected<std::vector<unsigned>> rules = rulesNamed(name);
    if (rules)
      llvm::append_range(entry.rules, *rules);
    else
      problem(fmt::format("{} in an allow", llvm::toString(rules.takeError())));
  }
  if (action == "allow-next-line")
    entry.first = entry.last = line + 1;
  if (action == "allow-begin") {
    entry.last = UINT_MAX;
    open.push_back(entries.entries.size());
  }
  entries.entries.push_back(std::move(entry));
}

Allows::OfFile &Allows::entriesOf(StringRef file) {
  auto [known, isNew] = Read.try_emplace(file);
  OfFile &entries = known->second;
  if (!isNew)
    return entries;
  entries.file = file.str();
  const TokenizedFile *tokens = Files.get(file);
  if (!tokens || !tokens->text().contains(marker))
    return entries;
  std::vector<size_t> open;
  for (const TokenizedFile::Comment &comment : tokens->comments()) {
    unsigned line = comment.line;
    unsigned column = comment.column;
    StringRef text = comment.text;
    text.consume_back("*/");
    for (StringRef rest = text; !rest.empty(); ++line, column = 1) {
      StringRef row;
      std::tie(row, rest) = rest.split('\n');
      if (std::optional<StringRef> words = behindMarker(row))
        readWords(*words, line,
                  column + (words->begin() - marker.size() - row.begin()),
                  entries, open);
    }
  }
  for (size_t begin : open)
    Problems.push_back(fmt::format(
        "{}:{}:{}: 'allow-begin' without 'allow-end' holds to the end of the "
        "file",
        entries.file, entries.entries[begin].line,
        entries.entries[begin].column));
  return entries;
}

void Allows::read(StringRef file) { entriesOf(file); }

std::optional<AllowedBy> Allows::allow(const Finding &finding) {
  std::span<const Rule> rules = allRules();
  std::vector<SourcePlace> places = {finding.place};
  for (const LaunchFact &launch : finding.facts.launches)
    if (!llvm::is_contained(places, launch.place))
      places.push_back(launch.place);
  std::optional<AllowedBy> allowed;
  for (const SourcePlace &place : places) {
    OfFile &entries = entriesOf(place.file);
    if (entries.entries.empty())
      continue;
    TokenizedFile::Statement statement =
        Files.get(place.file)->statementAt(place.line, place.column);
    for (Entry &entry : entries.entries)
      if (entry.first <= statement.lastLine &&
          statement.firstLine <= entry.last &&
          llvm::any_of(entry.rules, [&](unsigned rule) {
            return finding.rule == rules[rule].name;
          })) {
        entry.used = true;
        if (!allowed)
          allowed = {{entries.file, entry.line, entry.column}, entry.reason};
      }
  }
  return allowed;
}

std::vector<std::string>
Allows::unused(llvm::function_ref<RuleSwitches(StringRef)> switches) const {
  std::vector<std::string> texts;
  for (const auto &file : Read) {
    if (file.second.entries.empty())
      continue;
    RuleSwitches inFile = switches(file.first());
    for (const Entry &entry : file.second.entries)
      if (!entry.used && llvm::any_of(entry.rules, [&](unsigned rule) {
            return inFile.isOn(allRules()[rule].name);
          }))
        texts.push_back(fmt::format("{}:{}:{}: unused allow of '{}'",
                                    file.second.file, entry.line, entry.column,
                                    entry.names));
  }
  llvm::sort(texts);
  return texts;
}
