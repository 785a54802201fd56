// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FindingActions.h"

#include "control/Fixes.h"
#include "source/TokenizedFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A file's name where it is open under another one (by way of a link).
std::string openName(const std::string &file, const OpenDocuments &documents) {
  if (documents.count(file))
    return file;
  llvm::SmallString<128> real;
  if (!llvm::sys::fs::real_path(file, real) &&
      documents.count(real.str().str()))
    return real.str().str();
  return file;
}

/// Whether actions of this kind are asked for.
bool isAsked(const json::Value &context, StringRef kind) {
  const json::Object *object = context.getAsObject();
  const json::Array *only = object ? object->getArray("only") : nullptr;
  if (!only)
    return true;
  return llvm::any_of(*only, [&](const json::Value &one) {
    StringRef asked = one.getAsString().value_or("-");
    return asked.empty() || kind == asked ||
           kind.starts_with((asked + ".").str());
  });
}

class Actions {
public:
  Actions(const OpenDocument &document, const CheckedFile &checked,
          const OpenDocuments &documents, const ClientAbilities &client)
      : Document(document), Checked(checked), Documents(documents),
        Client(client), Lines(checked.read->documents, client.encoding) {}

  void add(const Finding &finding, json::Array &actions) {
    json::Object diagnostic = diagnosticOf(finding, Checked, Lines, Client);
    bool isFirst = true;
    for (const Fix &fix : finding.fixes)
      if (std::optional<json::Object> edit = editOf(fix.edits)) {
        json::Object action{
            {"title", fix.title},
            {"kind", "quickfix"},
            {"diagnostics",
             json::Array({json::Value(json::Object(diagnostic))})},
            {"edit", std::move(*edit)}};
        if (std::exchange(isFirst, false))
          action["isPreferred"] = true;
        actions.push_back(std::move(action));
      }
    if (std::optional<SourceEdit> comment = allowing(finding))
      if (std::optional<json::Object> edit = editOf(*comment))
        actions.push_back(json::Object{
            {"title", fmt::format("allow {} here", finding.rule)},
            {"kind", "quickfix"},
            {"diagnostics", json::Array({json::Value(std::move(diagnostic))})},
            {"edit", std::move(*edit)}});
  }

  /// Whether the finding's place touches `range`.
  bool isAt(const Finding &finding, TextRange range) {
    if (finding.place.file != Document.path)
      return false;
    TextRange own = rangeOf(finding, Checked, Lines);
    return own.start <= range.end && range.start <= own.end;
  }

private:
  /// A comment on the line before the statement.
  std::optional<SourceEdit> allowing(const Finding &finding) {
    const TextPositions *lines = Lines.of(finding.place.file);
    if (!lines || !finding.place.line)
      return std::nullopt;
    TokenizedFile file(llvm::MemoryBuffer::getMemBufferCopy(lines->text()));
    unsigned line =
        file.statementAt(finding.place.line, finding.place.column).firstLine;
    // A comment would end a macro.
    if (line > 1 && lines->line(line - 2).rtrim().ends_with("\\"))
      return std::nullopt;
    StringRef first = lines->line(line - 1);
    SourceEdit edit;
    edit.file = finding.place.file;
    edit.line = edit.endLine = line;
    edit.column = edit.endColumn = 1;
    edit.text =
        fmt::format("{}// coreside: allow-next-line {}\n",
                    first.take_front(first.size() - first.ltrim().size()).str(),
                    finding.rule);
    return edit;
  }

  /// A WorkspaceEdit; nothing where a file has changed since.
  std::optional<json::Object> editOf(llvm::ArrayRef<SourceEdit> edits) {
    std::map<std::string, json::Array> byFile;
    for (const SourceEdit &edit : edits) {
      std::string file = openName(edit.file, Checked.read->documents);
      const TextPositions *lines = Lines.of(file);
      if (!lines)
        return std::nullopt;
      if (auto open = Documents.find(file); open != Documents.end()) {
        auto read = Checked.read->documents.find(file);
        if (read == Checked.read->documents.end() ||
            read->second.version != open->second.version)
          return std::nullopt;
      }
      bool returns =
          lines->text().count("\r\n") * 2 > lines->text().count('\n');
      byFile[file].push_back(json::Object{
          {"range", toJSON(Lines.range(file, edit.line, edit.column,
                                       edit.endLine, edit.endColumn))},
          {"newText", withLineEnds(edit.text, returns)}});
    }
    if (!Client.documentChanges) {
      json::Object changes;
      for (auto &[file, texts] : byFile)
        changes[Lines.uri(file)] = std::move(texts);
      return json::Object{{"changes", std::move(changes)}};
    }
    json::Array changes;
    for (auto &[file, texts] : byFile) {
      auto open = Documents.find(file);
      changes.push_back(json::Object{
          {"textDocument",
           json::Object{{"uri", Lines.uri(file)},
                        {"version", open == Documents.end()
                                        ? json::Value(nullptr)
                                        : json::Value(open->second.version)}}},
          {"edits", std::move(texts)}});
    }
    return json::Object{{"documentChanges", std::move(changes)}};
  }

  const OpenDocument &Document;
  const CheckedFile &Checked;
  const OpenDocuments &Documents;
  const ClientAbilities &Client;
  SourceLines Lines;
};

} // namespace

json::Array coreside::findingActions(
    const OpenDocument &document, TextRange range, const json::Value &context,
    llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
    const OpenDocuments &documents, const ClientAbilities &client) {
  json::Array actions;
  if (!isAsked(context, "quickfix"))
    return actions;
  // What several sources find in a header is one finding.
  std::set<std::string> known;
  for (const std::shared_ptr<const CheckedFile> &checked : checks) {
    auto read = checked->read->documents.find(document.path);
    if (read == checked->read->documents.end() ||
        read->second.version != document.version)
      continue;
    Actions all(document, *checked, documents, client);
    for (const Finding &finding : checked->findings)
      if (all.isAt(finding, range) &&
          known.insert(finding.rule + "\n" + finding.message).second)
        all.add(finding, actions);
  }
  return actions;
}
