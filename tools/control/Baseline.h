// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings that are known and left for later, in a file.
//
// In:   baseline.json, the findings of a run
// Out:  those that are not in it; the entries that are not found any more
//
// The file has a line for each finding, sorted, so that version control shows
// and merges single findings. Files in it are relative to its folder.

#ifndef CORESIDE_CONTROL_BASELINE_H
#define CORESIDE_CONTROL_BASELINE_H

#include "rules/Finding.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace coreside {

class Baseline {
public:
  /// Error: the file cannot be read or is no baseline.
  static llvm::Expected<Baseline> read(llvm::StringRef file);

  bool has(const Finding &finding) const;

  /// Entries of `analyzed` files (absolute) that are not among `findings`, as
  /// "a.cu: no-coresidency: message".
  std::vector<std::string> gone(const std::vector<Finding> &findings,
                                const llvm::StringSet<> &analyzed) const;

  /// What `file` becomes after a run over `analyzed` files: entries of others
  /// stay. `this` is what was there.
  llvm::Error write(llvm::StringRef file, const std::vector<Finding> &findings,
                    const llvm::StringSet<> &analyzed) const;

private:
  struct Entry {
    std::string rule;
    /// Absolute.
    std::string file;
    std::string message;
  };
  /// By fingerprint.
  std::map<std::string, Entry> Entries;
};

} // namespace coreside

#endif
