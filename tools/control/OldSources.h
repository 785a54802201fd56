// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of a run were before a change.
//
// In:   "HEAD~1", or a patch; the files that were read
// Out:  the text before of those that differ, and the lines that are new
//
// Of git only `rev-parse`, `ls-tree` and `cat-file --batch` are run, with
// arguments that are fixed but for the revision. The work tree is compared
// here.

#ifndef CORESIDE_CONTROL_OLDSOURCES_H
#define CORESIDE_CONTROL_OLDSOURCES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace coreside {

struct OldSources {
  /// By absolute path: of files that differ, and of those that are gone. Files
  /// that are new have none, but for those that were renamed.
  std::map<std::string, std::string> texts;
  /// By absolute path, the lines of the files as they are now that the change
  /// wrote, or took something away before.
  std::map<std::string, std::set<unsigned>> lines;
  /// What was not compared.
  std::vector<std::string> notes;
};

/// The files as `revision` has them. `sources` are those that the user named,
/// `read` all that were read for them, absolute; what lies outside of the
/// repositories of `sources` has not changed. Error: no git, no repository, no
/// such revision.
llvm::Expected<OldSources> sourcesAt(llvm::StringRef revision,
                                     llvm::ArrayRef<std::string> sources,
                                     llvm::ArrayRef<std::string> read);

/// The files before `patch`, a unified diff that has led to them. Error: it
/// does not fit.
llvm::Expected<OldSources> sourcesBefore(llvm::StringRef patch,
                                         llvm::ArrayRef<std::string> read);

} // namespace coreside

#endif
