// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that writers know of a run.
//
// In:   findings that are for the user; those that are known, allowed or gone;
//       when, where and with what the run was made, and what it remarked
// Out:  the one record that each writer takes
//
// Writers ask nothing else, so that all outputs of a run agree.

#ifndef CORESIDE_WRITERS_REPORT_H
#define CORESIDE_WRITERS_REPORT_H

#include "checking/Remarks.h"
#include "control/Allows.h"
#include "control/Revision.h"
#include "rules/Finding.h"

#include "llvm/Support/Chrono.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// What a finding is beside those of earlier: of a baseline, or of the sources
/// before a change.
enum class FindingState {
  /// There was nothing to hold it against.
  Found,
  New,
  /// It was there, less bad or in other words.
  Changed,
  /// Known to the baseline, or there before the change and not worse.
  Unchanged,
  /// No longer found. From a baseline it has neither line nor facts.
  Gone
};

/// "found", "new", "changed", "unchanged", "gone".
const char *stateName(FindingState state);

struct ReportedFinding {
  Finding finding;
  FindingState state = FindingState::Found;
  /// At the level of --fail-on or above.
  bool fails = false;
  /// The comment that allows it.
  std::optional<AllowedBy> allowed;
  /// As it was before the change, where it was.
  std::optional<Finding> before;
};

struct ReportGPU {
  std::string name;
  /// "sm_90"
  std::string architecture;
};

struct Report {
  /// Those to print: on, not allowed, not known, loud enough; by place.
  std::vector<ReportedFinding> findings;
  /// The others, for formats with a word for them: known to the baseline,
  /// allowed, or taken away by the change.
  std::vector<ReportedFinding> silent;
  /// Whether formats with a word for them are to have them.
  bool writesSilent = false;

  /// Of coreside, "0.1.0", and of the clang it is made with.
  std::string version;
  std::string clangVersion;
  /// What stands before the name of a rule's page, "no-coresidency.md", where
  /// pages are published; else empty.
  std::string rulesURL;
  /// Of the ptxas that numbers are from; empty where another source was given.
  std::string ptxasVersion;
  std::vector<ReportGPU> gpus;

  std::vector<std::string> commandLine;
  std::string workingFolder;
  /// Absolute: paths are written relative to it.
  std::string root;
  std::optional<Revision> revision;
  /// What the findings were held against: "the baseline 'known.json'",
  /// "HEAD~1"; empty: nothing.
  std::string comparedWith;
  /// Whether that is a change of the sources.
  bool isChange = false;

  llvm::sys::TimePoint<> begin;
  llvm::sys::TimePoint<> end;
  int exitCode = 0;
  /// As the user named them.
  std::vector<std::string> sources;
  std::vector<Remark> remarks;

  /// Whether there is a remark of this kind, "error".
  bool hasRemark(llvm::StringRef kind) const;
};

/// Whether the remark names the file `source` as the user did: "a.cu: ...",
/// "cannot analyse 'a.cu': ...".
bool isAbout(const Remark &remark, llvm::StringRef source);

/// The numbers of `findings` from the worst level down, by place among equals.
std::vector<unsigned> worstFirst(const std::vector<ReportedFinding> &findings);

} // namespace coreside

#endif
