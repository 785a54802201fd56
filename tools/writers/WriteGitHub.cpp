// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteGitHub.h"

#include "ReportPaths.h"
#include "ReportedLines.h"

#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

namespace {

/// Of each kind and step.
constexpr unsigned annotations = 10;

/// A message, or with `isProperty` what stands behind a '='.
std::string escaped(StringRef text, bool isProperty = false) {
  std::string result;
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '%' || c == '\r' || c == '\n' ||
        (isProperty && (c == ':' || c == ',')))
      result += fmt::format("%{:02X}", c);
    else
      result += c;
  }
  return result;
}

/// In a line of the log nothing may begin a command of its own.
std::string plain(StringRef text) {
  std::string result;
  for (char c : llvm::json::fixUTF8(text))
    result += c == '\n' || c == '\r' ? ' ' : c;
  return result;
}

const char *commandOf(Level level) {
  switch (level) {
  case Level::Preview:
  case Level::Note:
    return "notice";
  case Level::Warning:
    return "warning";
  case Level::Error:
    return "error";
  }
  return "";
}

} // namespace

void coreside::writeGitHub(const Report &report, llvm::raw_ostream &out) {
  ReportPaths paths(report.root);
  ReportedLines lines;
  unsigned written[4] = {};
  unsigned beyond = 0;
  for (unsigned number : worstFirst(report.findings)) {
    const Finding &finding = report.findings[number].finding;
    const char *command = commandOf(finding.level);
    const std::string &file = paths.of(finding.place.file);
    // Notices are of two levels.
    unsigned kind = std::max(unsigned(finding.level), unsigned(Level::Note));
    if (written[kind] == annotations) {
      ++beyond;
      out << "  "
          << plain(fmt::format("{}:{}:{}: {}: {} [{}]", file,
                               finding.place.line, finding.place.column,
                               levelName(finding.level), finding.message,
                               finding.rule))
          << '\n';
      continue;
    }
    ++written[kind];
    out << "::" << command << " file=" << escaped(file, true)
        << ",line=" << finding.place.line;
    if (finding.place.column) {
      SourcePlace end = finding.place;
      end.column = lines.endOfName(finding.place);
      out << ",col=" << lines.utf16Column(finding.place)
          << ",endColumn=" << lines.utf16Column(end);
    }
    out << ",title=" << escaped("coreside: " + finding.rule, true)
        << "::" << escaped(finding.message);
    for (const FindingNote &note : finding.notes)
      out << escaped(fmt::format("\n{}:{}: {}", paths.of(note.place.file),
                                 note.place.line, note.message));
    for (const Fix &fix : finding.fixes)
      out << escaped("\na fix: " + fix.title);
    out << '\n';
  }
  if (beyond)
    out << "::notice title=coreside::"
        << escaped(
               fmt::format("{} more than GitHub shows of a step {} in the log",
                           beyond, beyond == 1 ? "is" : "are"))
        << '\n';
}
