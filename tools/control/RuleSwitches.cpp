// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuleSwitches.h"

#include "NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

namespace {

constexpr Level levels[] = {Level::Preview, Level::Note, Level::Warning,
                            Level::Error};
constexpr Group groups[] = {Group::Launch, Group::Overlap, Group::Hang,
                            Group::Bounds, Group::Memory};

} // namespace

std::optional<Level> coreside::levelNamed(StringRef name) {
  for (Level level : levels)
    if (name == levelName(level))
      return level;
  return std::nullopt;
}

llvm::Expected<std::vector<unsigned>> coreside::rulesNamed(StringRef name) {
  std::span<const Rule> rules = allRules();
  std::vector<unsigned> found;
  auto take = [&](auto &&isMeant) {
    for (unsigned i = 0; i != rules.size(); ++i)
      if (isMeant(rules[i]))
        found.push_back(i);
  };
  if (name.find_first_of("*?[") != StringRef::npos) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(name);
    if (!glob)
      return llvm::createStringError(fmt::format(
          "'{}': {}", name.str(), llvm::toString(glob.takeError())));
    take([&](const Rule &rule) { return glob->match(rule.name); });
    if (found.empty())
      return llvm::createStringError(
          fmt::format("no rule matches '{}'", name.str()));
    return found;
  }
  take([&](const Rule &rule) { return name == "all" || name == rule.name; });
  for (Group group : groups)
    if (name == groupName(group)) {
      // A group may have no rule yet.
      take([&](const Rule &rule) { return rule.group == group; });
      return found;
    }
  if (!found.empty())
    return found;
  std::vector<StringRef> known = {"all"};
  for (const Rule &rule : rules)
    known.push_back(rule.name);
  for (Group group : groups)
    known.push_back(groupName(group));
  return llvm::createStringError(
      fmt::format("unknown rule '{}'{}", name.str(), didYouMean(name, known)));
}

RuleSwitches::RuleSwitches() : States(allRules().size()) {}

llvm::Error RuleSwitches::addList(llvm::ArrayRef<std::string> entries) {
  auto isSelection = [](StringRef entry) { return !entry.contains('='); };
  auto first = llvm::find_if(entries, isSelection);
  if (first != entries.end() && !StringRef(*first).starts_with("-"))
    for (State &state : States)
      state.on = false;
  for (StringRef entry : entries) {
    bool off = entry.consume_front("-");
    auto [name, word] = entry.split('=');
    std::optional<Level> level;
    if (entry.contains('=')) {
      level = levelNamed(word);
      if (word == "off")
        off = true;
      else if (!level)
        return llvm::createStringError(fmt::format(
            "unknown level '{}' of rule '{}'{}", word.str(), name.str(),
            didYouMean(word, {"off", "preview", "note", "warning", "error"})));
    }
    llvm::Expected<std::vector<unsigned>> rules = rulesNamed(name);
    if (!rules)
      return rules.takeError();
    for (unsigned rule : *rules) {
      States[rule].on = !off;
      if (level)
        States[rule].level = level;
    }
  }
  return llvm::Error::success();
}

void RuleSwitches::warn(unsigned rule) {
  States[rule].on = true;
  if (States[rule].level.value_or(allRules()[rule].level) < Level::Warning)
    States[rule].level = Level::Warning;
}

llvm::Error RuleSwitches::addWarning(StringRef option) {
  if (option == "error" || option == "no-error") {
    AllErrors = option == "error";
    return llvm::Error::success();
  }
  // Rules that begin with "no-" are there, too: "no-coresidency".
  StringRef name = option;
  enum { On, Off, Errors, NoErrors } what = On;
  if (name.consume_front("error="))
    what = Errors;
  else if (name.consume_front("no-error="))
    what = NoErrors;
  else if (name.starts_with("no-")) {
    llvm::Expected<std::vector<unsigned>> asIs = rulesNamed(name);
    if (!asIs) {
      // "-Wno-coresidenzy" is nearer to a rule as it stands.
      std::string text = llvm::toString(asIs.takeError());
      llvm::Expected<std::vector<unsigned>> rest = rulesNamed(name.substr(3));
      if (!rest) {
        llvm::consumeError(rest.takeError());
        if (StringRef(text).contains("did you mean 'no-"))
          return llvm::createStringError(
              fmt::format("-W{}: {}", option.str(), text));
      }
      name = name.substr(3);
      what = Off;
    }
  }
  llvm::Expected<std::vector<unsigned>> rules = rulesNamed(name);
  if (!rules)
    return llvm::createStringError(fmt::format(
        "-W{}: {}", option.str(), llvm::toString(rules.takeError())));
  for (unsigned rule : *rules)
    switch (what) {
    case On:
      warn(rule);
      break;
    case Off:
      States[rule].on = false;
      break;
    case Errors:
      warn(rule);
      States[rule].errors = true;
      break;
    case NoErrors:
      States[rule].errors = false;
      break;
    }
  return llvm::Error::success();
}

std::optional<Level> RuleSwitches::levelOf(const Finding &finding) const {
  for (auto [rule, state] : llvm::zip(allRules(), States)) {
    if (finding.rule != rule.name)
      continue;
    if (!state.on)
      return std::nullopt;
    Level level = finding.level;
    // A finding that is less than its rule can be, a note for want of
    // certainty, is not made more of.
    if (state.level)
      level =
          level >= rule.level ? *state.level : std::min(level, *state.level);
    if (level == Level::Warning && state.errors.value_or(AllErrors))
      return Level::Error;
    if (level == Level::Error && state.errors == false)
      return Level::Warning;
    return level;
  }
  return finding.level;
}

bool RuleSwitches::isOn(StringRef rule) const {
  for (auto [known, state] : llvm::zip(allRules(), States))
    if (rule == known.name)
      return state.on;
  return false;
}
