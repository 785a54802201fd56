// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteText.h"

#include "checking/ShortPath.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace coreside;

namespace {

/// The lines of the files that findings point into, each file read once.
class SourceLines {
public:
  llvm::StringRef get(const SourcePlace &place) {
    auto [entry, isNew] = Files.try_emplace(place.file);
    if (isNew)
      if (auto buffer = llvm::MemoryBuffer::getFile(place.file))
        entry->second = std::move(*buffer);
    if (!entry->second || place.line == 0)
      return {};
    llvm::StringRef rest = entry->second->getBuffer();
    for (unsigned line = 1; line != place.line && !rest.empty(); ++line)
      rest = rest.split('\n').second;
    return rest.split('\n').first.rtrim('\r');
  }

private:
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> Files;
};

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

void coreside::writeText(const std::vector<Finding> &findings,
                         llvm::raw_ostream &out, bool color) {
  SourceLines lines;
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
    llvm::StringRef line = lines.get(place);
    if (place.column && place.column <= line.size() &&
        shown.insert(place).second)
      writeSnippet(line, place.column, out);
  };
  for (const Finding &finding : findings) {
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
