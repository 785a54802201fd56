// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixes of findings, put together and written.
//
// In:   findings, the folders that may be written to
// Out:  for each file its text before and after, as a patch or on disk
//
// The first fix of each finding is taken, as a whole or not at all. Of two that
// touch the same text the later one is left out; what both say alike is done
// once. Files outside of the folders, system headers among them, and files that
// changed after they were analysed are left as they are.

#ifndef CORESIDE_CONTROL_FIXES_H
#define CORESIDE_CONTROL_FIXES_H

#include "rules/Finding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace coreside {

/// One file's text.
struct FileChange {
  /// Absolute, links resolved.
  std::string file;
  std::string before;
  std::string after;
};

struct FixOptions {
  /// Absolute; only files below are changed.
  std::vector<std::string> folders;
  /// Files written later have changed since they were analysed.
  llvm::sys::TimePoint<> readAt = llvm::sys::TimePoint<>::max();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files =
      llvm::vfs::getRealFileSystem();
};

struct FixPlan {
  /// By file.
  std::vector<FileChange> changes;
  /// Numbers of the findings whose fix is in it.
  std::vector<unsigned> applied;
  /// Findings whose fix is left out, and why.
  std::vector<std::pair<unsigned, std::string>> refused;
};

/// `text` with \r\n at the ends of its lines, or with \n.
std::string withLineEnds(llvm::StringRef text, bool carriageReturns);

/// Puts together the first fix of each of `findings` that has one.
FixPlan planFixes(llvm::ArrayRef<Finding> findings, const FixOptions &options);

/// The folders that fixes of a run over `sources` may write to: for each the
/// nearest folder above with a .git in it, else the one it lies in; links
/// resolved.
std::vector<std::string> foldersToFix(llvm::ArrayRef<std::string> sources);

/// Writes the file through a temporary one beside it, with its permissions.
/// Error: it changed since `before` was read, or cannot be written.
llvm::Error writeChange(const FileChange &change);

} // namespace coreside

#endif
