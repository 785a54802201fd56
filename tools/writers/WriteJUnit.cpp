// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteJUnit.h"

#include "FindingJSON.h"
#include "ReportPaths.h"

#include "llvm/ADT/StringSet.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

std::string coreside::xmlText(StringRef text) {
  static constexpr StringRef replacement = "\xEF\xBF\xBD";
  std::string valid = llvm::json::fixUTF8(text);
  std::string result;
  for (size_t i = 0; i != valid.size(); ++i) {
    char c = valid[i];
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\n' || c == '\t' || c == '\r')
      result += fmt::format("&#{};", int(c));
    else if (static_cast<unsigned char>(c) < ' ')
      result += replacement;
    else if (StringRef(valid).substr(i).starts_with("\xEF\xBF\xBE") ||
             StringRef(valid).substr(i).starts_with("\xEF\xBF\xBF")) {
      // U+FFFE and U+FFFF.
      result += replacement;
      i += 2;
    } else
      result += c;
  }
  return result;
}

void coreside::writeJUnit(const Report &report, llvm::raw_ostream &out) {
  ReportPaths paths(report.root);
  std::string cases;
  unsigned tests = 0, failures = 0, errors = 0, skipped = 0;
  auto open = [&](StringRef file, StringRef name) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                         xmlText(file), xmlText(name));
  };
  llvm::StringSet<> named;
  for (const ReportedFinding &reported : report.findings) {
    const Finding &finding = reported.finding;
    const std::string &file = paths.of(finding.place.file);
    named.insert(file);
    std::string text =
        fmt::format("{}:{}:{}: {}: {} [{}]\n", file, finding.place.line,
                    finding.place.column, levelName(finding.level),
                    finding.message, finding.rule);
    for (const FindingNote &note : finding.notes)
      text += fmt::format("{}:{}:{}: note: {}\n", paths.of(note.place.file),
                          note.place.line, note.place.column, note.message);
    for (const Fix &fix : finding.fixes)
      text += fmt::format("a fix: {}\n", fix.title);
    open(file, fmt::format("{}, {}:{}", finding.rule, finding.place.line,
                           finding.place.column));
    if (reported.fails) {
      ++failures;
      cases += fmt::format(
          " file=\"{}\" line=\"{}\">\n      <failure message=\"{}\" "
          "type=\"{}\">{}</failure>\n    </testcase>\n",
          xmlText(file), finding.place.line, xmlText(finding.message),
          levelName(finding.level), xmlText(text));
    } else {
      ++skipped;
      cases += fmt::format(">\n      <skipped message=\"{}\"/>\n      "
                           "<system-out>{}</system-out>\n    </testcase>\n",
                           xmlText(finding.message), xmlText(text));
    }
  }
  for (const std::string &source : report.sources) {
    const std::string &file = paths.of(source);
    if (named.contains(file))
      continue;
    std::string why;
    for (const Remark &remark : report.remarks)
      if (remark.kind == "error" && isAbout(remark, source))
        why = remark.text;
    open(file, "coreside");
    if (why.empty() && report.exitCode != 2) {
      cases += "/>\n";
      continue;
    }
    ++errors;
    if (why.empty())
      why = "not analysed";
    cases += fmt::format(">\n      <error message=\"{}\"/>\n    </testcase>\n",
                         xmlText(why));
  }
  std::string remarks;
  for (const Remark &remark : report.remarks)
    remarks += fmt::format("{}: {}\n", remark.kind, remark.text);
  double seconds =
      std::chrono::duration<double>(report.end - report.begin).count();
  std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
                  "time=\"{:.3f}\"",
                  tests, failures, errors, skipped, seconds);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << "<testsuites name=\"coreside\" " << counts << ">\n"
      << "  <testsuite name=\"coreside\" " << counts << " timestamp=\""
      << utcTime(report.begin) << "\">\n"
      << cases;
  if (!remarks.empty())
    out << "    <system-err>" << xmlText(remarks) << "</system-err>\n";
  out << "  </testsuite>\n</testsuites>\n";
}
