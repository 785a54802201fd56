// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Settings.h"

#include "NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

llvm::Error isOneOf(StringRef what, StringRef word, ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, word))
    return llvm::Error::success();
  return llvm::createStringError(fmt::format(
      "unknown {} '{}'{}", what.str(), word.str(), didYouMean(word, known)));
}

llvm::Error checkLevel(ArrayRef<std::string> words) {
  return isOneOf("level", words.front(),
                 {"preview", "note", "warning", "error"});
}

llvm::Error checkSyncModel(ArrayRef<std::string> words) {
  return isOneOf("model", words.front(), {"observed", "documented"});
}

llvm::Error checkConnections(ArrayRef<std::string> words) {
  unsigned number = 0;
  if (!StringRef(words.front()).getAsInteger(10, number) && number >= 1 &&
      number <= 32)
    return llvm::Error::success();
  return llvm::createStringError(
      fmt::format("'{}' is not a number from 1 to 32", words.front()));
}

llvm::Error checkRules(ArrayRef<std::string> words) {
  return RuleSwitches().addList(words);
}

llvm::Error checkWarnings(ArrayRef<std::string> words) {
  RuleSwitches switches;
  for (const std::string &word : words)
    if (llvm::Error error = switches.addWarning(word))
      return error;
  return llvm::Error::success();
}

llvm::Error checkAssumptions(ArrayRef<std::string> words) {
  for (const std::string &word : words)
    if (llvm::Expected<Assumption> read = parseAssumption(word); !read)
      return read.takeError();
  return llvm::Error::success();
}

llvm::Error checkDurations(ArrayRef<std::string> words) {
  for (const std::string &word : words)
    if (llvm::Expected<Duration> read = parseDuration(word); !read)
      return read.takeError();
  return llvm::Error::success();
}

/// What the words mean is known where they are used.
llvm::Error takeAny(ArrayRef<std::string>) { return llvm::Error::success(); }

const SettingKey keys[] = {
    {"targets", true, false, nullptr, takeAny},
    {"rules", true, true, nullptr, checkRules},
    {"warnings", true, true, nullptr, checkWarnings},
    {"level", false, false, "warning", checkLevel},
    {"fail-on", false, false, "warning", checkLevel},
    {"sync-model", false, false, "observed", checkSyncModel},
    {"connections", false, false, "8", checkConnections},
    {"assume", true, true, nullptr, checkAssumptions},
    {"durations", true, true, nullptr, checkDurations},
};

/// A word as YAML takes it back.
std::string quoted(StringRef word) {
  if (!word.empty() &&
      llvm::all_of(word,
                   [](char c) {
                     return llvm::isAlnum(c) || c == '-' || c == '.' ||
                            c == '_' || c == '/';
                   }) &&
      word.front() != '-' && word.front() != '.')
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? "''" : std::string(1, c);
  return text + "'";
}

/// The words of `key` as they stand behind its colon.
std::string inYAML(const SettingKey &key, ArrayRef<std::string> words) {
  if (!key.isList)
    return quoted(words.front());
  std::vector<std::string> texts;
  for (const std::string &word : words)
    texts.push_back(quoted(word));
  return "[" + llvm::join(texts, ", ") + "]";
}

} // namespace

ArrayRef<SettingKey> coreside::settingKeys() { return keys; }

static const SettingKey &keyNamed(StringRef name) {
  const SettingKey *key =
      llvm::find_if(keys, [&](const SettingKey &k) { return name == k.name; });
  assert(key != std::end(keys) && "only keys of the table are set");
  return *key;
}

void Settings::set(StringRef key, std::vector<std::string> words,
                   std::string from) {
  Value &value = Values[key.str()];
  if (!keyNamed(key).adds)
    value = {};
  llvm::append_range(value.words, words);
  value.parts.push_back({std::move(words), std::move(from)});
}

void Settings::add(const Settings &over) {
  for (const auto &[key, value] : over.Values)
    for (const Part &part : value.parts)
      set(key, part.words, part.from);
}

const std::vector<std::string> &Settings::words(StringRef key) const {
  static const std::vector<std::string> none;
  auto found = Values.find(key);
  return found == Values.end() ? none : found->second.words;
}

bool Settings::isSet(StringRef key) const { return Values.count(key); }

/// The word of a key that has one.
static std::string wordOf(const Settings &settings, StringRef key) {
  return settings.isSet(key) ? settings.words(key).front()
                             : keyNamed(key).otherwise;
}

Level Settings::level() const { return *levelNamed(wordOf(*this, "level")); }

Level Settings::failOn() const { return *levelNamed(wordOf(*this, "fail-on")); }

SyncModel Settings::syncModel() const {
  return wordOf(*this, "sync-model") == "documented" ? SyncModel::Documented
                                                     : SyncModel::Observed;
}

unsigned Settings::connections() const {
  unsigned number = 0;
  StringRef(wordOf(*this, "connections")).getAsInteger(10, number);
  return number;
}

std::vector<Assumption> Settings::assumptions() const {
  std::vector<Assumption> result;
  for (const std::string &word : words("assume"))
    result.push_back(llvm::cantFail(parseAssumption(word)));
  return result;
}

std::vector<Duration> Settings::durations() const {
  std::vector<Duration> result;
  for (const std::string &word : words("durations"))
    result.push_back(llvm::cantFail(parseDuration(word)));
  return result;
}

RuleSwitches Settings::rules() const {
  RuleSwitches switches;
  // Each list begins anew, so that one of the command line may mean only its
  // own. All were looked at when they were set.
  if (auto found = Values.find("rules"); found != Values.end())
    for (const Part &part : found->second.parts)
      llvm::cantFail(switches.addList(part.words));
  for (const std::string &word : words("warnings"))
    llvm::cantFail(switches.addWarning(word));
  return switches;
}

void Settings::dump(llvm::raw_ostream &out) const {
  for (const SettingKey &key : keys)
    if (isSet(key.name))
      out << key.name << ": " << inYAML(key, words(key.name)) << '\n';
    else if (key.otherwise)
      out << key.name << ": " << quoted(key.otherwise) << '\n';
}

void Settings::explain(llvm::raw_ostream &out) const {
  for (const SettingKey &key : keys) {
    if (!isSet(key.name)) {
      if (key.otherwise)
        out << key.name << ": " << quoted(key.otherwise) << "  # default\n";
      continue;
    }
    for (const Part &part : Values.find(key.name)->second.parts)
      out << key.name << ": " << inYAML(key, part.words) << "  # " << part.from
          << '\n';
  }
}
