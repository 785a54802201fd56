// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a commit is held against, as a hook sees it.
//
// In:   the names of a commit's files, which pre-commit gives; the repository
// Out:  the units to analyse, and the revisions whose findings are known
//
// pre-commit puts away what is not staged before it runs a hook: what lies on
// the disk is what will be in the commit.

#ifndef CORESIDE_TOOLS_COMMITCHANGE_H
#define CORESIDE_TOOLS_COMMITCHANGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct CommitChange {
  /// As the user or git named them; empty where nothing is to be analysed.
  std::vector<std::string> units;
  /// What was found in any of these is not the commit's. Empty for the first
  /// commit of all, and where there is no git: then all that is found counts.
  std::vector<std::string> revisions;
  /// Why all counts: "no git on PATH ..."; empty where that is as it should be.
  std::string note;
};

struct CommitOptions {
  /// See UnitOptions.
  std::optional<std::vector<std::string>> flags;
  std::string buildDirectory;
  /// A revision of the user's; empty: the parents that the commit will have, or
  /// those that pre-commit names (PRE_COMMIT_FROM_REF).
  std::string revision;
};

/// `files` may hold what is gone, folders, and files that no compiler reads.
/// Error: a compile database that was named cannot be read.
llvm::Expected<CommitChange> changeOfCommit(llvm::ArrayRef<std::string> files,
                                            const CommitOptions &options);

} // namespace coreside

#endif
