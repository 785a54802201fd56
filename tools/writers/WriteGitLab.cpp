// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteGitLab.h"

#include "FindingJSON.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

using namespace coreside;
namespace json = llvm::json;

static const char *severityOf(Level level) {
  switch (level) {
  case Level::Preview:
    return "info";
  case Level::Note:
    return "minor";
  case Level::Warning:
    return "major";
  case Level::Error:
    return "critical";
  }
  return "";
}

void coreside::writeGitLab(const Report &report, llvm::raw_ostream &out) {
  ReportPaths paths(report.root);
  json::Array entries;
  llvm::StringMap<unsigned> seen;
  for (const ReportedFinding &reported : report.findings) {
    const Finding &finding = reported.finding;
    std::string words = finding.message;
    for (const FindingNote &note : finding.notes)
      words += "\n" + note.message;
    // GitLab shows one of those that are alike.
    std::string fingerprint = finding.fingerprint;
    if (unsigned number = seen[fingerprint]++)
      fingerprint += fmt::format("-{}", number);
    entries.push_back(json::Object{
        {"description", textJSON(finding.message)},
        {"content", json::Object{{"body", textJSON(words)}}},
        {"check_name", finding.rule},
        {"fingerprint", fingerprint},
        {"severity", severityOf(finding.level)},
        {"location",
         json::Object{
             {"path", textJSON(paths.of(finding.place.file))},
             {"lines", json::Object{{"begin", finding.place.line}}}}}});
  }
  out << llvm::formatv("{0:2}\n", json::Value(std::move(entries)));
}
