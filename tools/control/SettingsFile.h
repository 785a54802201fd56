// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One .coreside file.
//
// In:   targets: [h100, rtx4090]
//       rules: [-tail-overlap-only]
//       paths:
//         - match: third_party/*
//           rules: [-all]
// Out:  the settings, and those of paths
//
// Keys that are not known are errors: a word that is off by a letter must not
// pass for a setting.

#ifndef CORESIDE_CONTROL_SETTINGSFILE_H
#define CORESIDE_CONTROL_SETTINGSFILE_H

#include "Settings.h"

#include "llvm/Support/GlobPattern.h"

#include <string>
#include <vector>

namespace coreside {

struct SettingsFile {
  /// Settings for files that a glob matches.
  struct OfPath {
    std::vector<llvm::GlobPattern> globs;
    Settings settings;
  };
  /// Absolute.
  std::string path;
  /// Whether files above add to it.
  bool inheritParent = false;
  Settings settings;
  std::vector<OfPath> paths;

  /// Takes what is set here for `file`, absolute, over what is in `settings`.
  void addTo(Settings &settings, llvm::StringRef file) const;
};

/// Keys of a file beside settingKeys(): "inherit-parent", "paths", and in one
/// of the paths "match".
llvm::ArrayRef<llvm::StringRef> fileKeys();

/// Reads `text`, the contents of `path` (absolute). GPU files among the targets
/// are made absolute. Error: "FILE:LINE: unknown key 'targts', did you mean
/// 'targets'?"
llvm::Expected<SettingsFile> parseSettings(llvm::StringRef text,
                                           llvm::StringRef path);

} // namespace coreside

#endif
