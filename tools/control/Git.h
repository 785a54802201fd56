// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// git, asked about one repository.
//
// In:   a folder; rev-parse HEAD
// Out:  "0d1f2a...\n"
//
// The program on PATH is run, for commands that read objects and configuration:
// these run no hooks, filters, textconv or external diffs; a file system
// monitor and transports are switched off.

#ifndef CORESIDE_CONTROL_GIT_H
#define CORESIDE_CONTROL_GIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace coreside {

class Git {
public:
  /// The repository that `folder` is in. Error: no git on PATH, or no
  /// repository.
  static llvm::Expected<Git> find(llvm::StringRef folder);

  /// The top of its work tree.
  const std::string &root() const { return Folder; }

  /// The standard output of a command, which gets `input`. Error: its first
  /// line of error.
  llvm::Expected<std::string> run(std::vector<llvm::StringRef> arguments,
                                  llvm::StringRef input = "") const;

private:
  std::string Program;
  std::string Folder;
};

} // namespace coreside

#endif
