// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TranslatedCommand.h"

#include "OpenDocuments.h"
#include "source/CompileCommand.h"
#include "source/OwnHeaders.h"
#include "source/Parse.h"

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

std::optional<json::Object>
coreside::translatedCommand(const std::string &path,
                            const EditorOptions &options,
                            const std::optional<Toolkit> &toolkit) {
  if (!isDeviceSource(path, ""))
    return std::nullopt;
  auto commands =
      CompileCommands::find(path, options.flags, options.buildDirectory);
  if (!commands) {
    llvm::consumeError(commands.takeError());
    return std::nullopt;
  }
  CompileCommand command = commands->commandsFor(path).front();
  if (command.database.empty() && !options.flags)
    return std::nullopt;
  ParseOptions parsing;
  parsing.toolkit = toolkit;
  std::vector<std::string> all = clangCommandLine(command, parsing);
  json::Array words;
  for (size_t i = 0; i != all.size(); ++i) {
    StringRef word = all[i];
    // What is coreside's own: clangd has its own resources, shows warnings, and
    // has no headers that are in memory.
    if (word.starts_with("-resource-dir=") || word == "-w" ||
        word == "-fsyntax-only" || word == "-ferror-limit=0")
      continue;
    if (i + 1 != all.size() && StringRef(all[i + 1]).starts_with(ownHeaders)) {
      ++i;
      continue;
    }
    words.push_back(word.str());
  }
  return json::Object{{"workingDirectory", command.directory},
                      {"compilationCommand", std::move(words)}};
}
