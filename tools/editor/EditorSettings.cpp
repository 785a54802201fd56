// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EditorSettings.h"

#include "control/NearestName.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

/// The words of a value: a word, a number, or a list of these; nothing for
/// others.
static std::optional<std::vector<std::string>> wordsOf(const json::Value &value,
                                                       bool isList) {
  auto word = [](const json::Value &one) -> std::optional<std::string> {
    if (auto text = one.getAsString())
      return text->str();
    if (auto number = one.getAsInteger())
      return std::to_string(*number);
    return std::nullopt;
  };
  std::vector<std::string> words;
  if (const json::Array *list = value.getAsArray(); list && isList) {
    for (const json::Value &one : *list)
      if (auto text = word(one))
        words.push_back(*text);
      else
        return std::nullopt;
  } else if (auto text = word(value)) {
    words.push_back(*text);
  } else {
    return std::nullopt;
  }
  return words;
}

llvm::Expected<Settings> coreside::clientSettings(const json::Value &settings) {
  Settings result;
  const json::Object *all = settings.getAsObject();
  const json::Object *ours = all ? all->getObject("coreside") : nullptr;
  if (!ours)
    return result;
  std::vector<StringRef> known;
  for (const SettingKey &key : settingKeys())
    known.push_back(key.name);
  for (const auto &[name, value] : *ours) {
    StringRef text = name;
    // What an editor has no value for.
    if (value.getAsNull())
      continue;
    const SettingKey *key = llvm::find_if(
        settingKeys(), [&](const SettingKey &one) { return text == one.name; });
    if (key == settingKeys().end())
      return llvm::createStringError(
          fmt::format("unknown setting 'coreside.{}'{}", text.str(),
                      didYouMean(text, known)));
    auto words = wordsOf(value, key->isList);
    if (!words || (!key->isList && words->empty()))
      return llvm::createStringError(
          fmt::format("setting 'coreside.{}' takes {}", text.str(),
                      key->isList ? "a list of words" : "a word"));
    if (llvm::Error error = key->check(*words))
      return llvm::createStringError(
          fmt::format("setting 'coreside.{}': {}", text.str(),
                      llvm::toString(std::move(error))));
    result.set(key->name, std::move(*words), "the editor");
  }
  return result;
}
