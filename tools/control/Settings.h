// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be set for a file, by .coreside or by the command line, and where
// each value was set.
//
// In:   "level" set to "note" at src/.coreside:3
// Out:  level() == Level::Note; "level: note  # src/.coreside:3"
//
// A setting is a name and words; the table of keys says what words it takes, so
// that files, command line, --dump-config and the schema for editors agree.

#ifndef CORESIDE_CONTROL_SETTINGS_H
#define CORESIDE_CONTROL_SETTINGS_H

#include "RuleSwitches.h"
#include "program/Assumption.h"
#include "program/Durations.h"
#include "timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace coreside {

/// One key of a .coreside file.
struct SettingKey {
  const char *name;
  /// A list, or a single word.
  bool isList;
  /// Whether words set later are added to those before: else they replace them.
  bool adds;
  /// The words it holds when nothing sets it; null for none.
  const char *otherwise;
  /// An error for words that it does not take.
  llvm::Error (*check)(llvm::ArrayRef<std::string> words);
};

llvm::ArrayRef<SettingKey> settingKeys();

class Settings {
public:
  /// Sets `key` (one of settingKeys(), of which `words` are right); `from` is
  /// the place for people.
  void set(llvm::StringRef key, std::vector<std::string> words,
           std::string from);
  /// Takes what `over` sets, over what is here.
  void add(const Settings &over);

  const std::vector<std::string> &words(llvm::StringRef key) const;
  bool isSet(llvm::StringRef key) const;

  Level level() const;
  Level failOn() const;
  SyncModel syncModel() const;
  unsigned connections() const;
  std::vector<Assumption> assumptions() const;
  std::vector<Duration> durations() const;
  RuleSwitches rules() const;

  /// As a .coreside file that says the same.
  void dump(llvm::raw_ostream &out) const;
  /// Each value with where it is from.
  void explain(llvm::raw_ostream &out) const;

private:
  /// Words with where they are from; all that are left out are as by default.
  struct Part {
    std::vector<std::string> words;
    std::string from;
  };
  struct Value {
    std::vector<std::string> words;
    std::vector<Part> parts;
  };
  std::map<std::string, Value, std::less<>> Values;
};

} // namespace coreside

#endif
