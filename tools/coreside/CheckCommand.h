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

#include "rules/Finding.h"
#include "timeline/Timeline.h"

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
  /// Names, files or "native", separated by commas; empty: from the compile
  /// command, else a100, h100 and rtx4090.
  std::string gpus;
  /// SMs of the target instead of the product's, 0 for all (MIG slices).
  unsigned SMs = 0;
  /// Folder of compile_commands.json; empty: the nearest above each file.
  std::string buildDirectory;
  /// What follows "--"; then no compile database is looked for.
  std::optional<std::vector<std::string>> flags;
  /// Saved build output, binaries, or JSON of `coreside resources` to take
  /// ptxas's numbers from instead of running nvcc.
  std::vector<std::string> resources;
  /// Ask what is kept of earlier runs of nvcc before running it.
  bool useCache = true;
  /// Where the CUDA toolkit is; empty: found by itself; "none": not used even
  /// if there is one.
  std::string cudaPath;
  Dump dump = Dump::None;
  /// How host calls are read that make the device finish first.
  TimelineOptions ordering;
  /// Findings below are not printed.
  Level level = Level::Warning;
  /// Findings from here on make the exit code 1.
  Level failOn = Level::Warning;
  /// Say where every number comes from.
  bool explain = false;
  bool color = false;
};

int runCheck(const CheckOptions &options);

} // namespace coreside

#endif
