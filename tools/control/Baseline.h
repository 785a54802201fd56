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

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace coreside {

/// What a run could see: an entry outside of it says nothing by not being
/// found.
struct BaselineScope {
  /// Absolute.
  llvm::StringSet<> files;
  /// The target GPUs.
  llvm::StringSet<> gpus;
};

class Baseline {
public:
  /// Error: the file cannot be read or is no baseline.
  static llvm::Expected<Baseline> read(llvm::StringRef file);

  bool has(const Finding &finding) const;

  /// Takes the finding in, or its words anew.
  void add(const Finding &finding);

  /// Takes out the entries in `scope` that are not among `findings`, and tells
  /// which: findings without line, level and facts. `isOn` says whether a rule
  /// is on in a file.
  std::vector<Finding>
  takeGone(const std::vector<Finding> &findings, const BaselineScope &scope,
           llvm::function_ref<bool(llvm::StringRef rule, llvm::StringRef file)>
               isOn);

  /// Through a temporary file: what was there is never half written over.
  llvm::Error write(llvm::StringRef file) const;

private:
  struct Entry {
    std::string rule;
    /// Absolute.
    std::string file;
    std::string message;
    /// The GPUs that it was found for.
    std::vector<std::string> gpus;
  };
  /// By fingerprint.
  std::map<std::string, Entry> Entries;
};

} // namespace coreside

#endif
