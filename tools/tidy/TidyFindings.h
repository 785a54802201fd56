// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of one translation unit of clang-tidy.
//
// In:   pair.cu, what clang-tidy was told of it, CheckOptions
// Out:  what `coreside check` finds in it, by rule
//
// The file is read once more, by coreside's own way from compile commands to
// findings. clang-tidy parses one side of a CUDA file, as a rule the device's,
// drops what nvcc's flags say, and knows nothing of registers.

#ifndef CORESIDE_TIDY_TIDYFINDINGS_H
#define CORESIDE_TIDY_TIDYFINDINGS_H

#include "control/Settings.h"
#include "rules/Finding.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// What CheckOptions say: "coreside.targets: 'h100;a100'".
struct TidyOptions {
  /// Over those of .coreside files.
  Settings given;
  /// "coreside.ptxas-log": saved build output, relative to the current folder.
  std::vector<std::string> resources;
  /// "coreside.cuda-path: none".
  bool withoutToolkit = false;
};

/// `options` are clang-tidy's, by key. Error: a value that is wrong, or a key
/// of ours that there is not.
llvm::Expected<TidyOptions>
readTidyOptions(const std::map<std::string, std::string> &options);

/// A file as clang-tidy was told to compile it.
struct TidyFile {
  /// Absolute.
  std::string path;
  /// The folder of its compile command.
  std::string directory;
  /// Flags for a file that is in no compile database.
  std::vector<std::string> flags;
};

/// Those that settings, comments and levels leave. What else there is to say
/// goes to standard error, but for notes. Error: it cannot be analysed.
llvm::Expected<std::vector<Finding>> findInFile(const TidyFile &file,
                                                const TidyOptions &options);

} // namespace coreside

#endif
