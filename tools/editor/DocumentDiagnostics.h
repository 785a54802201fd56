// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The diagnostics of one document, which two servers publish.
//
// In:   clangd's for version 4, ours for version 3, ours for version 4
// Out:  clangd's alone; nothing; clangd's again with ours
//
// An editor replaces what it shows with each publishDiagnostics. So both have
// to come in one, and are only put together where both are for the same text.

#ifndef CORESIDE_EDITOR_DOCUMENTDIAGNOSTICS_H
#define CORESIDE_EDITOR_DOCUMENTDIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace coreside {

/// Bodies are those of textDocument/publishDiagnostics.
class DocumentDiagnostics {
public:
  explicit DocumentDiagnostics(int64_t version) : Version(version) {}

  /// The document has been changed and is `version` now.
  void setVersion(int64_t version) { Version = version; }

  /// clangd published `body`: what to send instead, nothing where it is to be
  /// sent as it is.
  std::optional<std::string> fromClangd(llvm::StringRef body);

  /// We published `body`: what to send, if anything. It waits for clangd's of
  /// the same version where clangd has published some for an older one: those
  /// cannot be shown beside ours, and would vanish.
  std::optional<std::string> fromUs(llvm::StringRef body);

  /// Whether ours wait for clangd's.
  bool isWaiting() const { return Waiting; }

  /// clangd will say nothing soon: what to send of ours, if anything.
  std::optional<std::string> withoutClangd();

private:
  int64_t versionOf(llvm::StringRef body) const;

  int64_t Version;
  /// clangd's last, empty before the first.
  std::string Theirs;
  int64_t TheirVersion = 0;
  std::string Ours;
  int64_t OurVersion = 0;
  /// The editor shows something of ours.
  bool Shown = false;
  bool Waiting = false;
};

} // namespace coreside

#endif
