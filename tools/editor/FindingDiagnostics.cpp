// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FindingDiagnostics.h"

#include "DocumentURI.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace coreside;
namespace json = llvm::json;

/// DiagnosticSeverity.
static int severityOf(Level level) {
  switch (level) {
  case Level::Error:
    return 1;
  case Level::Warning:
    return 2;
  case Level::Note:
    return 3;
  case Level::Preview:
    return 4;
  }
  return 3;
}

std::string coreside::rulePage(llvm::StringRef rule) {
  if (llvm::StringRef base = CORESIDE_RULES_URL; !base.empty())
    return (base + rule + ".md").str();
  // Beside an installed program, and beside one that was just built.
  static const std::string program =
      llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  for (llvm::StringRef folder :
       {"../share/doc/coreside/rules", "../../docs/rules"}) {
    llvm::SmallString<128> page(llvm::sys::path::parent_path(program));
    llvm::sys::path::append(page, folder, rule + ".md");
    llvm::sys::path::remove_dots(page, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::exists(page))
      return uriOfPath(page);
  }
  return {};
}

TextRange coreside::rangeOf(const Finding &finding, const CheckedFile &checked,
                            SourceLines &lines) {
  for (const Analysis &analysis : checked.analyses)
    for (const StepText &text : analysis.program.stepTexts)
      if (text.call.line == finding.place.line &&
          text.call.column == finding.place.column &&
          text.call.file == finding.place.file)
        return lines.range(text.call);
  return lines.wordAt(finding.place);
}

json::Object coreside::diagnosticOf(const Finding &finding,
                                    const CheckedFile &checked,
                                    SourceLines &lines,
                                    const ClientAbilities &client) {
  std::string message = finding.message;
  if (checked.numbers == NumbersState::Stale)
    message += " (stale)";
  json::Array related;
  for (const FindingNote &note : finding.notes) {
    const SourcePlace &place = note.place.line ? note.place : finding.place;
    if (!client.relatedInformation) {
      message += "\n" + note.message;
      continue;
    }
    related.push_back(json::Object{
        {"location", json::Object{{"uri", lines.uri(place.file)},
                                  {"range", toJSON(lines.wordAt(place))}}},
        {"message", note.message}});
  }
  json::Object data{{"fingerprint", finding.fingerprint}};
  if (checked.numbers == NumbersState::Stale)
    data["stale"] = true;
  json::Object diagnostic{{"range", toJSON(rangeOf(finding, checked, lines))},
                          {"severity", severityOf(finding.level)},
                          {"code", finding.rule},
                          {"source", "coreside"},
                          {"message", std::move(message)},
                          {"data", std::move(data)}};
  if (!related.empty())
    diagnostic["relatedInformation"] = std::move(related);
  if (client.codeDescription)
    if (std::string page = rulePage(finding.rule); !page.empty())
      diagnostic["codeDescription"] = json::Object{{"href", std::move(page)}};
  return diagnostic;
}

std::map<std::string, json::Array>
coreside::diagnosticsOf(const CheckedFile &checked,
                        const ClientAbilities &client) {
  SourceLines lines(checked.read->documents, client.encoding);
  std::map<std::string, json::Array> result;
  for (const Finding &finding : checked.findings)
    result[finding.place.file].push_back(
        diagnosticOf(finding, checked, lines, client));
  return result;
}
