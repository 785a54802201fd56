// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside check: from source files to findings.
//
// In:   pair.cu, --gpu h100
// Out:  findings on standard output, remarks on standard error, an exit code:
//       0 nothing found, 1 findings at or above --fail-on, 2 nothing could be
//       analysed.

#ifndef CORESIDE_TOOLS_CHECKCOMMAND_H
#define CORESIDE_TOOLS_CHECKCOMMAND_H

#include "control/Settings.h"
#include "writers/ReportFindings.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

enum class Dump {
  None,
  Program,
  Timeline,
  /// The timelines as a drawing.
  TimelineMermaid,
  Resources,
  Verdicts
};

struct CheckOptions {
  std::vector<std::string> files;
  /// What the command line sets, over .coreside files.
  Settings given;
  /// The file to take settings from instead of the nearest .coreside.
  std::string config;
  /// Print the settings of each file, as a file or with their places, and do
  /// nothing else.
  bool dumpConfig = false;
  bool explainConfig = false;
  /// SMs of the target instead of the product's, 0 for all (MIG slices).
  unsigned SMs = 0;
  /// Folder of compile_commands.json; empty: the nearest above each file.
  std::string buildDirectory;
  /// What follows "--"; then no compile database is looked for.
  std::optional<std::vector<std::string>> flags;
  /// Saved build output, binaries, or JSON of `coreside resources` to take
  /// ptxas's numbers from instead of running nvcc.
  std::vector<std::string> resources;
  /// A run that Nsight Systems recorded, for sizes that the source leaves open;
  /// empty: none.
  std::string recorded;
  /// Ask what is kept of earlier runs of nvcc before running it.
  bool useCache = true;
  /// Where the CUDA toolkit is; empty: found by itself; "none": not used even
  /// if there is one.
  std::string cudaPath;
  Dump dump = Dump::None;
  /// Say where every number comes from.
  bool explain = false;
  /// Files read and compilers run at once; 0: as many as there are cores.
  unsigned jobs = 0;
  /// See UnitOptions.
  bool shortCuts = true;
  bool color = false;
  /// Print a table of verdicts instead of findings.
  bool matrix = false;
  /// Say which allow comments allow nothing.
  bool warnUnusedAllows = false;
  /// Findings that are known, and where to write those that there are; empty:
  /// neither.
  std::string baseline;
  /// Print only what has come since: a revision, "-" for a patch on standard
  /// input; empty: all.
  std::string diff;
  /// Further revisions: what any of them had is not printed either.
  std::vector<std::string> alsoSince;
  /// The files are those of a commit (CommitChange.h); `diff` may name another
  /// revision than its parents.
  bool staged = false;
  /// Keep remarks back unless something is printed as well.
  bool quiet = false;
  FixMode fix = FixMode::None;
  /// Try each fix before it is offered.
  bool verifyFixes = false;
  std::string writeBaseline;
  /// Where the findings go, in which formats.
  std::vector<Output> outputs;
  /// Also put what is known, allowed or gone where a format has a word for it.
  bool withKnown = false;
  /// A file to make anew where the exit code is 0, and one that says, in Make's
  /// language, what it depends on; empty: neither.
  std::string stamp;
  std::string depfile;
  /// As it was called.
  std::vector<std::string> commandLine;
};

int runCheck(const CheckOptions &options);

} // namespace coreside

#endif
