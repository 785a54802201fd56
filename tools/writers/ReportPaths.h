// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths as outputs for other programs have them: relative to the repository.
//
// In:   root /home/me/project; /home/me/project/src/a b.cu
// Out:  src/a b.cu; as a URI src/a%20b.cu

#ifndef CORESIDE_WRITERS_REPORTPATHS_H
#define CORESIDE_WRITERS_REPORTPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

/// The folder that paths are relative to: the repository that `folder` is in if
/// one of `sources` is below it, else that of the first source, else `folder`.
/// A folder with a ".git" in it is a repository; git is not asked.
std::string findRoot(llvm::StringRef folder,
                     llvm::ArrayRef<std::string> sources);

class ReportPaths {
public:
  /// `root` is absolute.
  explicit ReportPaths(llvm::StringRef root);

  /// Relative to the root where the file is below it, by its name or with links
  /// resolved; else absolute.
  const std::string &of(llvm::StringRef file);

private:
  std::string Root;
  std::string RealRoot;
  llvm::StringMap<std::string> Known;
};

} // namespace coreside

#endif
