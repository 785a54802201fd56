// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profiler saw of a run supplies what the source does not say.
//
// In:   report.sqlite (nsys export --type sqlite), in which 'blur' ran once,
// with
//       4,096 blocks of 256 threads and 40 registers
// Out:  blur<<<(n + 255) / 256, threads, 0, s>>> has a grid of 4,096 and blocks
//       of 256
//
// One run is not every run: findings that rest on it hold for launches like
// those that were recorded.

#ifndef CORESIDE_ANALYSIS_RECORDEDLAUNCHES_H
#define CORESIDE_ANALYSIS_RECORDEDLAUNCHES_H

#include "program/Program.h"
#include "resources/Resources.h"

#include "llvm/Support/Error.h"

#include <array>
#include <string>
#include <vector>

namespace coreside {

/// Launches of one kernel that were alike.
struct RecordedLaunch {
  /// Empty where the recorder did not say.
  std::string mangled;
  /// "blur(float *)"
  std::string demangled;
  std::array<int64_t, 3> grid = {};
  std::array<int64_t, 3> block = {};
  /// Bytes.
  int64_t dynamicShared = 0;
  int64_t staticShared = 0;
  int64_t registers = 0;
  /// Of the GPU it ran on, {0, 0} where that was not recorded.
  ComputeCapability capability;
  /// How many there were.
  int64_t count = 0;
};

/// Reads the kernels of a report that Nsight Systems exported to SQLite. Error:
/// the file, and why it is none.
llvm::Expected<std::vector<RecordedLaunch>>
readRecordedLaunches(const std::string &file);

/// What came of it.
struct RecordedUse {
  /// Launches of the program that were recorded, and those of kernels that
  /// were not.
  unsigned found = 0;
  unsigned missing = 0;
  /// Launches for which the source says other sizes than any that was recorded;
  /// these keep theirs.
  std::vector<SourcePlace> contradicted;
};

/// Takes from `recorded` the sizes of launches that `program` leaves open:
/// known where all recorded launches that can be it agree, else the range that
/// they span. Registers and static shared memory go into `resources` for
/// kernels that it knows nothing of; `file` is named as their source.
RecordedUse useRecordedLaunches(const std::vector<RecordedLaunch> &recorded,
                                const std::string &file, Program &program,
                                ResourceTable &resources);

} // namespace coreside

#endif
