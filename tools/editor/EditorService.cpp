// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EditorService.h"

#include "BackgroundChecks.h"
#include "DocumentURI.h"
#include "FindingActions.h"
#include "LaunchHints.h"
#include "LaunchHover.h"
#include "TranslatedCommand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <mutex>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

/// The value at keys inside one another; null where there is none.
static const json::Value *at(const json::Object &object,
                             std::initializer_list<StringRef> keys) {
  const json::Object *inner = &object;
  const json::Value *value = nullptr;
  for (StringRef key : keys) {
    if (!inner)
      return nullptr;
    value = inner->get(key);
    if (!value)
      return nullptr;
    inner = value->getAsObject();
  }
  return value;
}

static bool isTrue(const json::Object &object,
                   std::initializer_list<StringRef> keys) {
  const json::Value *value = at(object, keys);
  return value && value->getAsBoolean().value_or(false);
}

static bool lists(const json::Value *value, StringRef word) {
  const json::Array *array = value ? value->getAsArray() : nullptr;
  return array && llvm::any_of(*array, [&](const json::Value &one) {
           return one.getAsString() == word;
         });
}

class EditorService::Implementation {
public:
  Implementation(EditorOptions options, EditorCallbacks callbacks)
      : Options(std::move(options)), Callbacks(std::move(callbacks)),
        Checks(Options, Callbacks) {}

  EditorOptions Options;
  EditorCallbacks Callbacks;

  /// Of what follows.
  std::mutex Use;
  ClientAbilities Client;
  std::vector<std::string> Folders;
  OpenDocuments Documents;
  /// By URI.
  std::map<std::string, std::string> Paths;
  BackgroundChecks Checks;

  void log(StringRef text) { Checks.say(MessageType::Log, text); }

  void configure(const json::Value &settings) {
    llvm::Expected<Settings> given = clientSettings(settings);
    if (!given)
      return Checks.say(MessageType::Error,
                        "coreside: " + llvm::toString(given.takeError()));
    Checks.setClientSettings(*given);
  }

  void addFolder(const json::Value &folder) {
    const json::Object *object = folder.getAsObject();
    std::optional<StringRef> uri =
        object ? object->getString("uri") : std::nullopt;
    if (std::optional<std::string> path = uri ? pathOfURI(*uri) : std::nullopt)
      Folders.push_back(*path);
  }

  /// A name for what is in no file: in the first folder, so that settings and
  /// headers are found.
  std::string pathFor(StringRef uri) const {
    if (std::optional<std::string> path = pathOfURI(uri))
      return *path;
    std::string name;
    for (char c : percentDecoded(uri))
      name += llvm::isAlnum(c) || c == '.' || c == '-' ? c : '_';
    llvm::SmallString<128> path(Folders.empty() ? StringRef("/")
                                                : StringRef(Folders.front()));
    llvm::sys::path::append(path, "." + name);
    return path.str().str();
  }

  const OpenDocument *document(StringRef uri) const {
    auto path = Paths.find(uri.str());
    if (path == Paths.end())
      return nullptr;
    auto document = Documents.find(path->second);
    return document == Documents.end() ? nullptr : &document->second;
  }
};

EditorService::EditorService(EditorOptions options, EditorCallbacks callbacks)
    : I(std::make_unique<Implementation>(std::move(options),
                                         std::move(callbacks))) {}

EditorService::~EditorService() = default;

void EditorService::setClient(const json::Object &parameters) {
  std::unique_lock lock(I->Use);
  ClientAbilities &client = I->Client;
  client = {};
  if (const json::Value *offered =
          at(parameters, {"capabilities", "general", "positionEncodings"}))
    if (const json::Array *names = offered->getAsArray())
      for (const json::Value &name : *names)
        if (auto encoding =
                encodingNamed(name.getAsString().value_or(StringRef()))) {
          client.encoding = *encoding;
          break;
        }
  client.relatedInformation =
      isTrue(parameters, {"capabilities", "textDocument", "publishDiagnostics",
                          "relatedInformation"});
  client.codeDescription =
      isTrue(parameters, {"capabilities", "textDocument", "publishDiagnostics",
                          "codeDescriptionSupport"});
  client.documentChanges =
      isTrue(parameters,
             {"capabilities", "workspace", "workspaceEdit", "documentChanges"});
  client.markdown = lists(at(parameters, {"capabilities", "textDocument",
                                          "hover", "contentFormat"}),
                          "markdown");
  client.refreshHints = isTrue(
      parameters, {"capabilities", "workspace", "inlayHint", "refreshSupport"});
  client.progress =
      isTrue(parameters, {"capabilities", "window", "workDoneProgress"});
  I->Folders.clear();
  if (const json::Array *folders = parameters.getArray("workspaceFolders"))
    for (const json::Value &folder : *folders)
      I->addFolder(folder);
  else if (auto root = parameters.getString("rootUri"))
    if (auto path = pathOfURI(*root))
      I->Folders.push_back(*path);
  I->Checks.setClient(client);
  lock.unlock();
  if (const json::Value *initial = parameters.get("initializationOptions"))
    I->configure(*initial);
}

StringRef EditorService::positionEncoding() const {
  std::lock_guard lock(I->Use);
  return encodingName(I->Client.encoding);
}

void EditorService::configure(const json::Value &settings) {
  I->configure(settings);
}

void EditorService::changeFolders(const json::Array &added,
                                  const json::Array &removed) {
  std::lock_guard lock(I->Use);
  for (const json::Value &folder : removed)
    if (const json::Object *object = folder.getAsObject())
      if (auto path = pathOfURI(object->getString("uri").value_or("")))
        llvm::erase(I->Folders, *path);
  for (const json::Value &folder : added)
    I->addFolder(folder);
}

void EditorService::open(StringRef uri, StringRef language, int64_t version,
                         StringRef text) {
  std::lock_guard lock(I->Use);
  OpenDocument document;
  document.uri = uri.str();
  document.path = I->pathFor(uri);
  document.language = language.str();
  document.version = version;
  document.text = std::make_shared<std::string>(text);
  I->Paths[document.uri] = document.path;
  std::string path = document.path;
  I->Documents[path] = std::move(document);
  I->Checks.opened(I->Documents, path);
}

void EditorService::change(StringRef uri, int64_t version,
                           const json::Array &changes) {
  std::lock_guard lock(I->Use);
  const OpenDocument *document = I->document(uri);
  if (!document)
    return I->log(
        fmt::format("a change of '{}', which is not open", uri.str()));
  auto text = applyChanges(*document->text, changes, I->Client.encoding);
  if (!text)
    return I->log(
        fmt::format("'{}': {}", uri.str(), llvm::toString(text.takeError())));
  OpenDocument &changed = I->Documents[document->path];
  changed.version = version;
  changed.text = std::make_shared<std::string>(std::move(*text));
  I->Checks.changed(I->Documents, changed.path);
}

void EditorService::save(StringRef uri) {
  std::lock_guard lock(I->Use);
  std::optional<std::string> path = pathOfURI(uri);
  StringRef name = path ? llvm::sys::path::filename(*path) : StringRef();
  // A client may not tell of files.
  if (name == ".coreside" || name == "compile_commands.json")
    I->Checks.filesChanged({*path});
  else if (const OpenDocument *document = I->document(uri))
    I->Checks.saved(document->path);
}

void EditorService::close(StringRef uri) {
  std::lock_guard lock(I->Use);
  const OpenDocument *document = I->document(uri);
  if (!document)
    return;
  std::string path = document->path;
  I->Documents.erase(path);
  I->Paths.erase(uri.str());
  I->Checks.closed(I->Documents, path, uri.str());
}

void EditorService::filesChanged(const json::Array &changes) {
  std::vector<std::string> paths;
  for (const json::Value &change : changes)
    if (const json::Object *object = change.getAsObject())
      if (auto path = pathOfURI(object->getString("uri").value_or("")))
        paths.push_back(*path);
  I->Checks.filesChanged(paths);
}

std::optional<json::Value> EditorService::hover(StringRef uri,
                                                const json::Value &position) {
  std::unique_lock lock(I->Use);
  const OpenDocument *open = I->document(uri);
  std::optional<TextPosition> where = positionFromJSON(position);
  if (!open || !where)
    return std::nullopt;
  OpenDocument document = *open;
  ClientAbilities client = I->Client;
  lock.unlock();
  return launchHover(document, *where, I->Checks.about(document.path), client);
}

json::Array EditorService::codeActions(StringRef uri, const json::Value &range,
                                       const json::Value &context) {
  std::unique_lock lock(I->Use);
  const OpenDocument *open = I->document(uri);
  std::optional<TextRange> where = rangeFromJSON(range);
  if (!open || !where)
    return {};
  OpenDocument document = *open;
  ClientAbilities client = I->Client;
  OpenDocuments documents = I->Documents;
  lock.unlock();
  return findingActions(document, *where, context,
                        I->Checks.about(document.path), documents, client);
}

json::Array EditorService::inlayHints(StringRef uri, const json::Value &range) {
  std::unique_lock lock(I->Use);
  const OpenDocument *open = I->document(uri);
  std::optional<TextRange> where = rangeFromJSON(range);
  if (!open || !where)
    return {};
  OpenDocument document = *open;
  ClientAbilities client = I->Client;
  lock.unlock();
  return launchHints(document, *where, I->Checks.about(document.path), client);
}

std::optional<json::Object> EditorService::clangCommand(StringRef uri) {
  std::unique_lock lock(I->Use);
  const OpenDocument *open = I->document(uri);
  std::string path = open ? open->path : I->pathFor(uri);
  lock.unlock();
  return translatedCommand(path, I->Options, I->Checks.toolkit());
}
