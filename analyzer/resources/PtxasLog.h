// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what ptxas and nvlink print among everything else a build prints.
//
// In:   ptxas info    : Compiling entry function '_Z4blurPf' for 'sm_90'
//       ptxas info    : Function properties for _Z4blurPf
//           0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
//       ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
// Out:  _Z4blurPf, sm_90: 40 registers, 2048 bytes, 1 barrier, 8/4 bytes spilt
//
// The "Used" line does not say whose it is, and a parallel build mixes the
// lines of several compilers, even halves of lines. So the reader keeps every
// kernel that may still get a "Used" line, and attaches one only when a single
// kernel can own it: a compiler prints the lines of a kernel in the order
// above, so a kernel whose "Function properties" have not come yet cannot.
// What stays uncertain is dropped, and a note says so.

#ifndef CORESIDE_RESOURCES_PTXASLOG_H
#define CORESIDE_RESOURCES_PTXASLOG_H

#include "Resources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// A function that is not a kernel, or a copy of one: its own spills.
struct DeviceFunction {
  /// As printed; nvcc -rdc adds "$5" to a copy.
  std::string name;
  /// The kernel it was compiled with; empty where the log does not tell.
  std::string kernel;
  /// Bytes per thread.
  std::optional<unsigned> stack;
  std::optional<unsigned> spillStores;
  std::optional<unsigned> spillLoads;
};

/// What a log said.
struct LogReading {
  std::vector<KernelResources> records;
  std::vector<DeviceFunction> functions;
  /// One line each, "build.log:17: ...": what was dropped and why.
  std::vector<std::string> notes;
  /// Errors that ptxas and nvlink printed, without their line's prefix.
  std::vector<std::string> errors;
};

struct LogOptions {
  /// For linker lines, which name no architecture when there is only one.
  std::optional<ComputeCapability> linkedFor;
  /// The files were compiled with -rdc=true: only the linker's numbers are
  /// final. A log often does not show it.
  bool relocatable = false;
  /// The most notes kept; one more then counts the rest.
  unsigned maxNotes = 50;
};

/// Reads a log piece by piece. Takes memory for what it found, none for what it
/// read.
class PtxasLogReader {
public:
  /// `name` stands in notes and in the records' source.
  explicit PtxasLogReader(llvm::StringRef name, LogOptions options = {});
  ~PtxasLogReader();

  /// Goes on with another file: the linker's output is often not in the
  /// compiler's.
  void open(llvm::StringRef name);
  void feed(llvm::StringRef bytes);
  LogReading finish();

private:
  struct State;
  std::unique_ptr<State> Now;
};

/// The whole of `log`. A log without records gives none, and is no error.
LogReading readPtxasLog(llvm::MemoryBufferRef log, LogOptions options = {});

/// Reads the files at `paths`, or standard input for "-", as one log. Errors:
/// one cannot be read; they hold no record at all ("no ptxas records in
/// 'x.log': ...").
llvm::Expected<LogReading> readPtxasLogFiles(llvm::ArrayRef<std::string> paths,
                                             LogOptions options = {});

/// The same for one file.
llvm::Expected<LogReading> readPtxasLogFile(llvm::StringRef path,
                                            LogOptions options = {});

} // namespace coreside

#endif
