// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchHints.h"

#include "ChangedLines.h"
#include "LaunchTable.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace coreside;
namespace json = llvm::json;

json::Array
coreside::launchHints(const OpenDocument &document, TextRange range,
                      llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
                      const ClientAbilities &client) {
  json::Array hints;
  std::set<TextPosition> known;
  for (const std::shared_ptr<const CheckedFile> &checked : checks) {
    auto read = checked->read->documents.find(document.path);
    if (read == checked->read->documents.end())
      continue;
    SourceLines lines(checked->read->documents, client.encoding);
    ChangedLines moved(*read->second.text, *document.text);
    for (const Analysis &analysis : checked->analyses)
      for (const LaunchSummary &launch : launchesIn(analysis, document.path)) {
        if (!launch.text)
          continue;
        std::string label = launchLabel(launch, *checked);
        auto [line, column] = endOfConfiguration(*launch.text);
        TextPosition end = lines.of(document.path)->of(line, column);
        std::optional<TextRange> now = moved.now({end, end});
        if (label.empty() || !now || now->start < range.start ||
            range.end < now->start || !known.insert(now->start).second)
          continue;
        json::Object hint{{"position", toJSON(now->start)},
                          {"label", std::move(label)},
                          {"paddingLeft", true},
                          {"paddingRight", true}};
        std::string table = launchTable(launch, *checked, client.markdown);
        if (client.markdown)
          hint["tooltip"] =
              json::Object{{"kind", "markdown"}, {"value", std::move(table)}};
        else
          hint["tooltip"] = std::move(table);
        hints.push_back(std::move(hint));
      }
  }
  return hints;
}
