// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteText.h"

#include "ReportedLines.h"
#include "checking/ShortPath.h"

#include <set>

using namespace coreside;

namespace {

llvm::raw_ostream::Colors colorOf(Level level) {
  switch (level) {
  case Level::Preview:
  case Level::Note:
    return llvm::raw_ostream::CYAN;
  case Level::Warning:
    return llvm::raw_ostream::MAGENTA;
  case Level::Error:
    return llvm::raw_ostream::RED;
  }
  return llvm::raw_ostream::SAVEDCOLOR;
}

/// The line and a caret under its column. Tabs stay tabs, so that the caret
/// stands where the terminal puts the character.
void writeSnippet(llvm::StringRef line, unsigned column,
                  llvm::raw_ostream &out) {
  out << line << '\n';
  for (char c : line.take_front(column - 1))
    out << (c == '\t' ? '\t' : ' ');
  out.changeColor(llvm::raw_ostream::GREEN, true) << '^';
  out.resetColor() << '\n';
}

} // namespace

void coreside::writeText(const Report &report, llvm::raw_ostream &out,
                         bool color) {
  ReportedLines lines;
  // A line is shown once for each finding.
  std::set<SourcePlace> shown;
  out.enable_colors(color);
  auto write = [&](const SourcePlace &place, Level level,
                   llvm::StringRef message) {
    out.changeColor(llvm::raw_ostream::SAVEDCOLOR, true)
        << shortPath(place.file) << ':' << place.line << ':' << place.column
        << ": ";
    out.changeColor(colorOf(level), true) << levelName(level) << ": ";
    out.resetColor() << message << '\n';
    llvm::StringRef line = lines.get(place.file, place.line);
    if (place.column && place.column <= line.size() &&
        shown.insert(place).second)
      writeSnippet(line, place.column, out);
  };
  for (const ReportedFinding &reported : report.findings) {
    const Finding &finding = reported.finding;
    shown.clear();
    write(finding.place, finding.level,
          finding.message + " [" + finding.rule + "]");
    for (const FindingNote &note : finding.notes)
      write(note.place, Level::Note, note.message);
    for (const Fix &fix : finding.fixes)
      if (!fix.edits.empty())
        write({fix.edits.front().file, fix.edits.front().line,
               fix.edits.front().column},
              Level::Note, "a fix: " + fix.title);
  }
}
