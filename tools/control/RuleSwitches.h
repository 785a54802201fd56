// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rules speak, and how loud: --rules, -W and what .coreside says.
//
// In:   --rules=launch,no-coresidency=note -Werror=launch-size
// Out:  launch-size as errors, no-coresidency as notes, nothing else.
//
// Rules are named by their names, by groups (launch, overlap, ...), by globs
// ("no-*") and by "all".

#ifndef CORESIDE_CONTROL_RULESWITCHES_H
#define CORESIDE_CONTROL_RULESWITCHES_H

#include "rules/Rules.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace coreside {

class RuleSwitches {
public:
  /// All rules on, at the levels of their findings.
  RuleSwitches();

  /// The entries of --rules or of `rules` in a file, in order: NAME switches
  /// on, -NAME off, NAME=LEVEL on at that level, NAME=off off. Where the first
  /// entry that is not NAME=LEVEL has no '-', the list means only these. An
  /// error names an entry that is no rule, with the nearest name.
  llvm::Error addList(llvm::ArrayRef<std::string> entries);

  /// What follows -W: NAME, no-NAME, error, error=NAME, no-error,
  /// no-error=NAME. NAME makes warnings of the findings of rules whose own
  /// level is below.
  llvm::Error addWarning(llvm::StringRef option);

  /// The level that `finding` is printed with; nothing where its rule is off.
  std::optional<Level> levelOf(const Finding &finding) const;

  bool isOn(llvm::StringRef rule) const;

private:
  struct State {
    bool on = true;
    /// In place of the rule's own level.
    std::optional<Level> level;
    /// Whether its warnings are errors.
    std::optional<bool> errors;
  };
  void warn(unsigned rule);

  /// One for each rule of allRules().
  std::vector<State> States;
  bool AllErrors = false;
};

/// The number in allRules() of each rule that `name` (a name, a group, a glob,
/// "all") means. Error: none, with the nearest name.
llvm::Expected<std::vector<unsigned>> rulesNamed(llvm::StringRef name);

/// "preview", "note", "warning", "error"; nothing for other words.
std::optional<Level> levelNamed(llvm::StringRef name);

} // namespace coreside

#endif
