// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a run of `check`: from findings to output and exit code.
//
// In:   all findings; settings, a baseline
// Out:  those for the user on standard output, and 0 or 1

#ifndef CORESIDE_TOOLS_REPORT_H
#define CORESIDE_TOOLS_REPORT_H

#include "checking/Remarks.h"
#include "control/Selection.h"

#include "llvm/Support/Chrono.h"

namespace coreside {

/// What becomes of fixes.
enum class FixMode {
  /// They are named.
  None,
  /// They are printed as a patch, and nothing else is.
  DryRun,
  Apply
};

struct ReportOptions {
  /// Findings known from earlier; empty: none.
  std::string baseline;
  /// Where the findings go instead of being printed; empty: they are printed.
  std::string writeBaseline;
  bool warnUnusedAllows = false;
  bool color = false;
  FixMode fix = FixMode::None;
  /// As the user named them.
  std::vector<std::string> sources;
  /// When the run began to read.
  llvm::sys::TimePoint<> readAt;
  /// What was read, absolute, and the target GPUs.
  llvm::StringSet<> analyzed;
  llvm::StringSet<> gpus;
  /// Whether the findings are all that there are, not only those of a change.
  bool isWhole = true;
  /// Why some of what was to be analysed was not; empty where all was.
  std::string incomplete;
};

/// The exit code of the command.
int reportFindings(std::vector<Finding> findings, Configuration &configuration,
                   const ReportOptions &options, Remarks &remarks);

} // namespace coreside

#endif
