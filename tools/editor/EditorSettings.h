// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line and the client set, for all files.
//
// In:   {"coreside": {"targets": ["h100"], "level": "note"}}
// Out:  settings over those of .coreside files
//
// What is run (the toolkit) is set by the command line alone: settings of a
// client may come from a repository.

#ifndef CORESIDE_EDITOR_EDITORSETTINGS_H
#define CORESIDE_EDITOR_EDITORSETTINGS_H

#include "control/Configuration.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace coreside {

struct EditorSettings {
  /// Over .coreside files.
  Settings given;
  /// The one file to take settings from; empty: the nearest .coreside.
  std::string config;
  unsigned SMs = 0;
  /// Findings that are known; empty: none.
  std::string baseline;

  Configuration configuration() const { return Configuration(config, given); }
};

/// The settings of a client. Error: a key that is not known or a value that is
/// wrong, with the key.
llvm::Expected<Settings> clientSettings(const llvm::json::Value &settings);

} // namespace coreside

#endif
