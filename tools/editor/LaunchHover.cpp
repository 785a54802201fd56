// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchHover.h"

#include "ChangedLines.h"
#include "LaunchTable.h"

using namespace coreside;
namespace json = llvm::json;

static json::Value hoverOf(std::string text, const TextRange &range,
                           const ClientAbilities &client) {
  return json::Object{
      {"contents",
       json::Object{{"kind", client.markdown ? "markdown" : "plaintext"},
                    {"value", std::move(text)}}},
      {"range", toJSON(range)}};
}

std::optional<json::Value>
coreside::launchHover(const OpenDocument &document, TextPosition position,
                      llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
                      const ClientAbilities &client) {
  for (const std::shared_ptr<const CheckedFile> &checked : checks) {
    auto read = checked->read->documents.find(document.path);
    if (read == checked->read->documents.end())
      continue;
    SourceLines lines(checked->read->documents, client.encoding);
    ChangedLines moved(*read->second.text, *document.text);
    // The place as it is now, if the cursor is on it.
    auto hit = [&](TextRange then) -> std::optional<TextRange> {
      std::optional<TextRange> now = moved.now(then);
      if (!now || position < now->start || now->end < position)
        return std::nullopt;
      return now;
    };
    for (const Analysis &analysis : checked->analyses) {
      for (const LaunchSummary &launch : launchesIn(analysis, document.path)) {
        if (!launch.text)
          continue;
        const SourceSpan &call = launch.text->call;
        auto [line, column] = endOfConfiguration(*launch.text);
        if (auto now = hit(
                lines.range(call.file, call.line, call.column, line, column)))
          return hoverOf(launchTable(launch, *checked, client.markdown), *now,
                         client);
      }
      std::string text;
      std::optional<TextRange> where;
      for (unsigned k = 0; k != analysis.program.kernels.size(); ++k) {
        const Kernel &kernel = analysis.program.kernels[k];
        if (kernel.place.file != document.path)
          continue;
        auto now = hit(lines.wordAt(kernel.place));
        if (!now)
          continue;
        // Each instantiation of a template.
        if (!text.empty())
          text += "\n";
        text += kernelTable(analysis, k, *checked, client.markdown);
        where = now;
      }
      if (where)
        return hoverOf(std::move(text), *where, client);
    }
  }
  return std::nullopt;
}
