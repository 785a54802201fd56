// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SessionState.h"

#include "DocumentURI.h"
#include "WrittenMessages.h"

using namespace coreside;

namespace {

constexpr llvm::StringLiteral databaseChanges = "compilationDatabaseChanges";

std::string textOf(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

} // namespace

std::string SessionState::keyOf(llvm::StringRef uri) {
  if (std::optional<std::string> path = pathOfURI(uri))
    return *path;
  return uri.str();
}

void SessionState::noteSettings(const llvm::json::Object &settings) {
  for (const auto &[key, value] : settings) {
    const llvm::json::Object *changes =
        llvm::StringRef(key) == databaseChanges ? value.getAsObject() : nullptr;
    llvm::json::Object *known = Settings.getObject(databaseChanges);
    if (changes && known) {
      for (const auto &[file, command] : *changes)
        (*known)[file] = command;
      continue;
    }
    Settings[key] = value;
  }
}

void SessionState::noteInitialize(const llvm::json::Object &params) {
  if (const llvm::json::Object *options =
          params.getObject("initializationOptions"))
    if (const llvm::json::Object *changes = options->getObject(databaseChanges))
      InitialCommands = *changes;
}

bool SessionState::hasCommandOfClient(llvm::StringRef path) const {
  const llvm::json::Object *changes = Settings.getObject(databaseChanges);
  return InitialCommands.get(path) || (changes && changes->get(path));
}

void SessionState::note(const Message &message, const MessageParts &parts) {
  llvm::StringRef method = parts.method;
  if (method == "initialized") {
    Initialized = message;
    return;
  }
  if (method == "workspace/didChangeWorkspaceFolders") {
    Folders.push_back(message);
    return;
  }
  if (method != "textDocument/didOpen" && method != "textDocument/didChange" &&
      method != "textDocument/didClose" &&
      method != "workspace/didChangeConfiguration")
    return;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(parts.params);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return;
  }
  const llvm::json::Object *params = parsed->getAsObject();
  if (!params)
    return;
  if (method == "workspace/didChangeConfiguration") {
    if (const llvm::json::Object *settings = params->getObject("settings"))
      noteSettings(*settings);
    return;
  }
  const llvm::json::Object *document = params->getObject("textDocument");
  if (!document || !document->getString("uri"))
    return;
  std::string uri = textOf(*document, "uri");
  std::string key = keyOf(uri);
  if (method == "textDocument/didClose") {
    Documents.erase(key);
    return;
  }
  if (method == "textDocument/didOpen") {
    SessionDocument &opened = Documents[key];
    opened.uri = std::move(uri);
    opened.language = textOf(*document, "languageId");
    opened.version = document->getInteger("version").value_or(0);
    opened.text = textOf(*document, "text");
    return;
  }
  auto found = Documents.find(key);
  const llvm::json::Array *changes = params->getArray("contentChanges");
  if (found == Documents.end() || !changes)
    return;
  SessionDocument &changed = found->second;
  // Servers leave a document as it is, too, when a change does not fit.
  llvm::Expected<std::string> text =
      applyChanges(changed.text, *changes, Encoding);
  if (text)
    changed.text = std::move(*text);
  else
    llvm::consumeError(text.takeError());
  changed.version =
      document->getInteger("version").value_or(changed.version + 1);
}

std::vector<Message> SessionState::beforeDocuments() const {
  std::vector<Message> messages;
  if (Initialized)
    messages.push_back(*Initialized);
  messages.insert(messages.end(), Folders.begin(), Folders.end());
  if (!Settings.empty())
    messages.push_back(makeMessage(makeNotification(
        "workspace/didChangeConfiguration",
        llvm::json::Object{{"settings", llvm::json::Object(Settings)}})));
  return messages;
}

Message SessionState::openMessage(const SessionDocument &document) {
  return makeMessage(makeNotification(
      "textDocument/didOpen",
      llvm::json::Object{
          {"textDocument", llvm::json::Object{{"uri", document.uri},
                                              {"languageId", document.language},
                                              {"version", document.version},
                                              {"text", document.text}}}}));
}
