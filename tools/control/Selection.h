// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which findings of a run are for the user, and at what level.
//
// In:   findings; settings, comments, a baseline
// Out:  those that are switched on, not allowed, not known, and loud enough
//
// Settings about rules and levels are those of the file that a finding is in,
// so that a folder of others' headers can be silenced.

#ifndef CORESIDE_CONTROL_SELECTION_H
#define CORESIDE_CONTROL_SELECTION_H

#include "Allows.h"
#include "Baseline.h"
#include "Configuration.h"

namespace coreside {

struct AllowedFinding {
  Finding finding;
  AllowedBy by;
};

struct Selection {
  /// By place, with fingerprints and final levels.
  std::vector<Finding> findings;
  /// For each of them whether it is at its file's fail-on or above.
  std::vector<bool> fails;
  /// Those that the baseline has, and those that a comment allows, which would
  /// be among `findings` otherwise.
  std::vector<Finding> known;
  std::vector<AllowedFinding> allowed;
  /// Entries of the baseline that are no longer found.
  std::vector<Finding> gone;
  /// What is wrong with allows, and the unused ones where they were asked for.
  std::vector<std::string> warnings;
};

struct SelectionOptions {
  /// May be null. What is gone is taken out of it, and what it knows gets its
  /// words anew.
  Baseline *baseline = nullptr;
  bool warnUnusedAllows = false;
  /// Folders whose files are the user's: comments in others are nobody's here.
  std::vector<std::string> folders;
  BaselineScope scope;
};

/// `findings` are those of all rules, once each. Error: a settings file is
/// wrong.
llvm::Expected<Selection> selectFindings(std::vector<Finding> findings,
                                         Configuration &configuration,
                                         TokenizedFiles &files,
                                         const SelectionOptions &options);

} // namespace coreside

#endif
