// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as an editor shows them.
//
// In:   a finding of no-coresidency at a.cu:31:3
// Out:  {"range": ..., "severity": 2, "code": "no-coresidency",
//       "source": "coreside", "message": "'edge' cannot run beside ...",
//       "relatedInformation": [...], "data": {"fingerprint": "..."}}

#ifndef CORESIDE_EDITOR_FINDINGDIAGNOSTICS_H
#define CORESIDE_EDITOR_FINDINGDIAGNOSTICS_H

#include "CheckedFile.h"
#include "SourceLines.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <string>

namespace coreside {

/// What a client understands.
struct ClientAbilities {
  PositionEncoding encoding = PositionEncoding::UTF16;
  bool relatedInformation = false;
  bool codeDescription = false;
  /// Edits with the versions of documents.
  bool documentChanges = false;
  bool markdown = false;
  bool refreshHints = false;
  bool progress = false;
};

/// The place that a finding is about, as a range: the launch that begins there,
/// else the word.
TextRange rangeOf(const Finding &finding, const CheckedFile &checked,
                  SourceLines &lines);

llvm::json::Object diagnosticOf(const Finding &finding,
                                const CheckedFile &checked, SourceLines &lines,
                                const ClientAbilities &client);

/// By file.
std::map<std::string, llvm::json::Array>
diagnosticsOf(const CheckedFile &checked, const ClientAbilities &client);

/// Where the page of a rule can be read; empty where that is not known.
std::string rulePage(llvm::StringRef rule);

} // namespace coreside

#endif
