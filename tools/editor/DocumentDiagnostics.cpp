// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DocumentDiagnostics.h"

#include "JSONMembers.h"
#include "MergeAnswers.h"

using namespace coreside;

namespace {

llvm::StringRef diagnosticsOf(llvm::StringRef body) {
  return jsonMember(messageParts(body).params, "diagnostics");
}

} // namespace

int64_t DocumentDiagnostics::versionOf(llvm::StringRef body) const {
  int64_t version = 0;
  // Without one, old servers mean what they were told last.
  if (jsonMember(messageParts(body).params, "version")
          .getAsInteger(10, version))
    return Version;
  return version;
}

std::optional<std::string>
DocumentDiagnostics::fromClangd(llvm::StringRef body) {
  Theirs = body.str();
  TheirVersion = versionOf(body);
  bool together = !Ours.empty() && OurVersion == TheirVersion;
  // Ours for a version that clangd has not come to go on waiting.
  if (together)
    Waiting = false;
  Shown = together && !saysNothing(diagnosticsOf(Ours));
  if (!Shown)
    return std::nullopt;
  return withDiagnostics(Theirs, diagnosticsOf(Ours));
}

std::optional<std::string> DocumentDiagnostics::fromUs(llvm::StringRef body) {
  Waiting = false;
  Ours = body.str();
  OurVersion = versionOf(body);
  if (OurVersion != Version)
    return std::nullopt;
  if (!Theirs.empty() && TheirVersion != OurVersion) {
    Waiting = true;
    return std::nullopt;
  }
  bool nothing = saysNothing(diagnosticsOf(Ours));
  if (nothing && !Shown)
    return std::nullopt;
  Shown = !nothing;
  if (Theirs.empty())
    return Ours;
  return withDiagnostics(Theirs, diagnosticsOf(Ours));
}

std::optional<std::string> DocumentDiagnostics::withoutClangd() {
  Waiting = false;
  Theirs.clear();
  if (Ours.empty() || OurVersion != Version)
    return std::nullopt;
  Shown = !saysNothing(diagnosticsOf(Ours));
  return Ours;
}
