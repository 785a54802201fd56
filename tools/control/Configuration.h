// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of a source file: of the nearest .coreside above it, under those
// of the command line.
//
// In:   src/blur.cu; ./.coreside; --level=note
// Out:  targets from ./.coreside, level from the command line
//
// Files of a repository set what is looked for, not what is run or written.

#ifndef CORESIDE_CONTROL_CONFIGURATION_H
#define CORESIDE_CONTROL_CONFIGURATION_H

#include "SettingsFile.h"

#include "llvm/ADT/StringMap.h"

namespace coreside {

class Configuration {
public:
  /// `file`: the one and only file, for --config; empty: the nearest .coreside.
  /// `given` is what the command line sets.
  explicit Configuration(std::string file = "", Settings given = {});

  /// The settings of `source`, which need not exist. Error: a file that cannot
  /// be read or is wrong.
  llvm::Expected<Settings> of(llvm::StringRef source);

  /// The files that settings were taken from so far.
  std::vector<std::string> filesRead() const;

private:
  /// Null where there is none.
  llvm::Expected<const SettingsFile *> read(llvm::StringRef file);
  /// Adds that of the nearest file in `folder` or above it.
  llvm::Error addNearest(llvm::StringRef folder, llvm::StringRef source,
                         Settings &settings);

  std::string File;
  Settings Given;
  llvm::StringMap<std::optional<SettingsFile>> Files;
};

} // namespace coreside

#endif
