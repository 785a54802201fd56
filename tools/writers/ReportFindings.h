// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a run of `check`: from findings to output and exit code.
//
// In:   all findings; settings, a baseline
// Out:  those for the user where they are to go, and 0 or 1

#ifndef CORESIDE_WRITERS_REPORTFINDINGS_H
#define CORESIDE_WRITERS_REPORTFINDINGS_H

#include "Outputs.h"
#include "checking/UnitFindings.h"
#include "control/Selection.h"

namespace coreside {

/// What becomes of fixes.
enum class FixMode {
  /// They are named.
  None,
  /// They are printed as a patch, in place of what goes to standard output.
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
  /// The text of files before that change, by absolute path.
  std::map<std::string, std::string> oldTexts;
  /// Why some of what was to be analysed was not; empty where all was.
  std::string incomplete;
  std::vector<Output> outputs;
};

/// Chooses from what `units` found, puts it into `report`, which knows the rest
/// of the run, and writes the outputs. The exit code of the command.
int reportFindings(std::vector<UnitFindings> units, Report &report,
                   Configuration &configuration, const ReportOptions &options,
                   Remarks &remarks);

/// Writes the outputs of `report`, which is whole but for its end: the exit
/// code, the remarks and the time. The exit code, 2 where something cannot be
/// written.
int writeReport(Report &report, int exitCode, const ReportOptions &options,
                Remarks &remarks);

} // namespace coreside

#endif
