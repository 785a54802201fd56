// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LanguageServer.h"

#include "MessageStream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <thread>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// JSON-RPC's and the protocol's numbers of errors.
enum ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParameters = -32602,
  ServerNotInitialized = -32002,
  RequestCancelled = -32800,
};

/// What goes out, written by a thread of its own.
class Outbox {
public:
  explicit Outbox(int file) : Writer(file), Thread([this] { work(); }) {}
  ~Outbox() {
    {
      std::lock_guard lock(Use);
      Ending = true;
    }
    Changed.notify_all();
    Thread.join();
  }
  /// A message becomes text at once: it may refer to words of its sender's.
  void send(json::Object message) {
    message["jsonrpc"] = "2.0";
    std::string text;
    llvm::raw_string_ostream(text) << json::Value(std::move(message));
    std::lock_guard lock(Use);
    Messages.push_back(std::move(text));
    Changed.notify_all();
  }

private:
  void work() {
    std::unique_lock lock(Use);
    while (true) {
      Changed.wait(lock, [&] { return Ending || !Messages.empty(); });
      if (Messages.empty())
        return;
      std::string text = std::move(Messages.front());
      Messages.pop_front();
      lock.unlock();
      bool isRead = Writer.write(text);
      lock.lock();
      if (!isRead)
        Messages.clear();
    }
  }

  MessageWriter Writer;
  std::mutex Use;
  std::condition_variable Changed;
  std::deque<std::string> Messages;
  bool Ending = false;
  std::thread Thread;
};

/// What came in and waits for its turn.
class Inbox {
public:
  struct Entry {
    json::Value message = nullptr;
    bool isNonsense = false;
    bool isCancelled = false;
  };

  void add(Entry entry) {
    std::lock_guard lock(Use);
    Entries.push_back(std::move(entry));
    Changed.notify_all();
  }
  /// The request that waits with this number is not wanted any more.
  void cancel(const json::Value &id) {
    std::lock_guard lock(Use);
    for (Entry &entry : Entries)
      if (const json::Object *message = entry.message.getAsObject())
        if (const json::Value *own = message->get("id"); own && *own == id)
          entry.isCancelled |= message->get("method") != nullptr;
  }
  void close() {
    std::lock_guard lock(Use);
    Closed = true;
    Changed.notify_all();
  }
  /// Nothing when no more will come.
  std::optional<Entry> next() {
    std::unique_lock lock(Use);
    Changed.wait(lock, [&] { return Closed || !Entries.empty(); });
    if (Entries.empty())
      return std::nullopt;
    Entry entry = std::move(Entries.front());
    Entries.pop_front();
    return entry;
  }

private:
  std::mutex Use;
  std::condition_variable Changed;
  std::deque<Entry> Entries;
  bool Closed = false;
};

const json::Object *object(const json::Object &from, StringRef key) {
  return from.getObject(key);
}

class Server {
public:
  Server(const EditorOptions &options, int output)
      : Options(options), Out(output) {
    addRequests();
    addNotifications();
  }

  /// False for the last message.
  bool handle(const Inbox::Entry &entry) {
    if (entry.isNonsense) {
      fail(nullptr, ParseError, "this is no message");
      return true;
    }
    const json::Object *message = entry.message.getAsObject();
    if (!message) {
      fail(nullptr, InvalidRequest, "a message is an object");
      return true;
    }
    const json::Value *id = message->get("id");
    if (id && !id->getAsString() && !id->getAsInteger()) {
      fail(nullptr, InvalidRequest, "an id is a number or a string");
      return true;
    }
    const json::Value *method = message->get("method");
    if (!method) {
      if (id)
        takeResponse(*id, *message);
      else
        fail(nullptr, InvalidRequest, "a message has a method or an id");
      return true;
    }
    std::optional<StringRef> name = method->getAsString();
    if (!name) {
      fail(id ? *id : json::Value(nullptr), InvalidRequest,
           "a method is a string");
      return true;
    }
    static const json::Object none;
    const json::Object *parameters = object(*message, "params");
    if (!parameters)
      parameters = &none;
    if (!id) {
      if (*name == "exit")
        return false;
      notify(*name, *parameters);
      return true;
    }
    if (entry.isCancelled)
      fail(*id, RequestCancelled, "cancelled");
    else
      answer(*id, *name, *parameters);
    return true;
  }

  bool wasShutDown() const { return ShutDown; }

  /// Ends the work; nothing is said afterwards.
  void end() { Service = nullptr; }

private:
  using Parameters = const json::Object &;
  /// Nothing for parameters that are wrong.
  using Request = std::function<std::optional<json::Value>(Parameters)>;
  /// False for parameters that are wrong.
  using Notification = std::function<bool(Parameters)>;

  //===-- Messages -------------------------------------------------------===//

  void fail(const json::Value &id, int code, StringRef text) {
    Out.send(json::Object{
        {"id", id},
        {"error", json::Object{{"code", code}, {"message", text}}}});
  }

  void answer(const json::Value &id, StringRef method, Parameters parameters) {
    if (ShutDown)
      return fail(id, InvalidRequest, "the server was shut down");
    if (!Service && method != "initialize")
      return fail(id, ServerNotInitialized, "the server is not initialized");
    if (Service && method == "initialize")
      return fail(id, InvalidRequest, "the server is initialized");
    auto request = Requests.find(method);
    if (request == Requests.end())
      return fail(id, MethodNotFound,
                  fmt::format("unknown method '{}'", method.str()));
    std::optional<json::Value> result = request->second(parameters);
    if (!result)
      return fail(id, InvalidParameters,
                  fmt::format("wrong parameters of '{}'", method.str()));
    Out.send(json::Object{{"id", id}, {"result", std::move(*result)}});
  }

  void notify(StringRef method, Parameters parameters) {
    if (!Service || ShutDown)
      return;
    auto notification = Notifications.find(method);
    if (notification != Notifications.end() &&
        !notification->second(parameters))
      log(fmt::format("wrong parameters of '{}'", method.str()));
  }

  void log(StringRef text) {
    Out.send(
        json::Object{{"method", "window/logMessage"},
                     {"params", json::Object{{"type", 4}, {"message", text}}}});
  }

  /// `then` gets the result, null where there was an error. From any thread.
  void ask(StringRef method, json::Value parameters,
           std::function<void(const json::Value *)> then) {
    std::string id;
    {
      std::lock_guard lock(Use);
      id = fmt::format("coreside-{}", ++LastId);
      if (then)
        Asked[id] = std::move(then);
    }
    Out.send(json::Object{
        {"id", id}, {"method", method}, {"params", std::move(parameters)}});
  }

  void takeResponse(const json::Value &id, const json::Object &message) {
    std::function<void(const json::Value *)> then;
    {
      std::lock_guard lock(Use);
      auto asked = Asked.find(id.getAsString().value_or("").str());
      if (asked == Asked.end())
        return;
      then = std::move(asked->second);
      Asked.erase(asked);
    }
    then(message.get("result"));
  }

  //===-- What the service says ------------------------------------------===//

  EditorCallbacks callbacks() {
    EditorCallbacks callbacks;
    callbacks.publish = [this](StringRef uri, std::optional<int64_t> version,
                               json::Array diagnostics) {
      json::Object parameters{{"uri", uri},
                              {"diagnostics", std::move(diagnostics)}};
      if (version)
        parameters["version"] = *version;
      Out.send(json::Object{{"method", "textDocument/publishDiagnostics"},
                            {"params", std::move(parameters)}});
    };
    callbacks.showMessage = [this](MessageType kind, StringRef text) {
      Out.send(json::Object{
          {"method", kind == MessageType::Log ? "window/logMessage"
                                              : "window/showMessage"},
          {"params", json::Object{{"type", int(kind)}, {"message", text}}}});
    };
    callbacks.refreshHints = [this] {
      ask("workspace/inlayHint/refresh", nullptr, nullptr);
    };
    callbacks.progress = [this](StringRef token, json::Object value) {
      progress(token.str(), std::move(value));
    };
    return callbacks;
  }

  /// A progress is shown once the client has agreed to its token; one that ends
  /// before is not.
  void progress(const std::string &of, json::Object value) {
    bool begins = value.getString("kind") == StringRef("begin");
    std::unique_lock lock(Use);
    if (begins) {
      std::string token = fmt::format("{}-{}", of, ++LastToken);
      Tokens[of] = {token, false};
      lock.unlock();
      ask("window/workDoneProgress/create", json::Object{{"token", token}},
          [this, of, token, value](const json::Value *result) {
            std::lock_guard lock(Use);
            auto now = Tokens.find(of);
            if (!result || now == Tokens.end() || now->second.first != token)
              return;
            now->second.second = true;
            sendProgress(token, value);
          });
      return;
    }
    auto now = Tokens.find(of);
    if (now == Tokens.end())
      return;
    if (now->second.second)
      sendProgress(now->second.first, std::move(value));
    if (value.getString("kind") == StringRef("end"))
      Tokens.erase(now);
  }

  void sendProgress(const std::string &token, json::Object value) {
    Out.send(
        json::Object{{"method", "$/progress"},
                     {"params", json::Object{{"token", token},
                                             {"value", std::move(value)}}}});
  }

  //===-- What the client says -------------------------------------------===//

  static std::optional<StringRef> uriOf(Parameters parameters) {
    const json::Object *document = object(parameters, "textDocument");
    return document ? document->getString("uri") : std::nullopt;
  }

  void addRequests() {
    Requests["initialize"] = [this](Parameters parameters) {
      Service = std::make_unique<EditorService>(Options, callbacks());
      Client = parameters;
      Service->setClient(parameters);
      return json::Object{
          {"serverInfo",
           json::Object{{"name", "coreside"}, {"version", CORESIDE_VERSION}}},
          {"capabilities",
           json::Object{
               {"positionEncoding", Service->positionEncoding()},
               {"textDocumentSync", json::Object{{"openClose", true},
                                                 {"change", 2},
                                                 {"save", true}}},
               {"hoverProvider", true},
               {"inlayHintProvider", true},
               {"codeActionProvider",
                json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
               {"workspace",
                json::Object{{"workspaceFolders",
                              json::Object{{"supported", true},
                                           {"changeNotifications", true}}}}}}}};
    };
    Requests["shutdown"] = [this](Parameters) {
      ShutDown = true;
      return json::Value(nullptr);
    };
    Requests["textDocument/hover"] =
        [this](Parameters parameters) -> std::optional<json::Value> {
      std::optional<StringRef> uri = uriOf(parameters);
      const json::Value *position = parameters.get("position");
      if (!uri || !position)
        return std::nullopt;
      return Service->hover(*uri, *position).value_or(nullptr);
    };
    Requests["textDocument/inlayHint"] =
        [this](Parameters parameters) -> std::optional<json::Value> {
      std::optional<StringRef> uri = uriOf(parameters);
      const json::Value *range = parameters.get("range");
      if (!uri || !range)
        return std::nullopt;
      return Service->inlayHints(*uri, *range);
    };
    Requests["textDocument/codeAction"] =
        [this](Parameters parameters) -> std::optional<json::Value> {
      std::optional<StringRef> uri = uriOf(parameters);
      const json::Value *range = parameters.get("range");
      const json::Value *context = parameters.get("context");
      if (!uri || !range)
        return std::nullopt;
      return Service->codeActions(*uri, *range, context ? *context : nullptr);
    };
    // Ours: how clangd should compile a file.
    Requests["coreside/clangCommand"] =
        [this](Parameters parameters) -> std::optional<json::Value> {
      std::optional<StringRef> uri = uriOf(parameters);
      if (!uri)
        return std::nullopt;
      std::optional<json::Object> command = Service->clangCommand(*uri);
      return command ? json::Value(std::move(*command)) : json::Value(nullptr);
    };
  }

  void addNotifications() {
    Notifications["initialized"] = [this](Parameters) {
      registerAndAsk();
      return true;
    };
    Notifications["textDocument/didOpen"] = [this](Parameters parameters) {
      const json::Object *document = object(parameters, "textDocument");
      std::optional<StringRef> uri, text;
      if (document) {
        uri = document->getString("uri");
        text = document->getString("text");
      }
      if (!uri || !text)
        return false;
      Service->open(*uri, document->getString("languageId").value_or(""),
                    document->getInteger("version").value_or(0), *text);
      return true;
    };
    Notifications["textDocument/didChange"] = [this](Parameters parameters) {
      const json::Object *document = object(parameters, "textDocument");
      std::optional<StringRef> uri =
          document ? document->getString("uri") : std::nullopt;
      const json::Array *changes = parameters.getArray("contentChanges");
      if (!uri || !changes)
        return false;
      Service->change(*uri, document->getInteger("version").value_or(0),
                      *changes);
      return true;
    };
    Notifications["textDocument/didSave"] = [this](Parameters parameters) {
      std::optional<StringRef> uri = uriOf(parameters);
      if (uri)
        Service->save(*uri);
      return uri.has_value();
    };
    Notifications["textDocument/didClose"] = [this](Parameters parameters) {
      std::optional<StringRef> uri = uriOf(parameters);
      if (uri)
        Service->close(*uri);
      return uri.has_value();
    };
    Notifications["workspace/didChangeWatchedFiles"] =
        [this](Parameters parameters) {
          const json::Array *changes = parameters.getArray("changes");
          if (changes)
            Service->filesChanged(*changes);
          return changes != nullptr;
        };
    Notifications["workspace/didChangeWorkspaceFolders"] =
        [this](Parameters parameters) {
          const json::Object *event = object(parameters, "event");
          if (!event)
            return false;
          static const json::Array none;
          const json::Array *added = event->getArray("added");
          const json::Array *removed = event->getArray("removed");
          Service->changeFolders(added ? *added : none,
                                 removed ? *removed : none);
          return true;
        };
    Notifications["workspace/didChangeConfiguration"] =
        [this](Parameters parameters) {
          const json::Value *settings = parameters.get("settings");
          // Without any they are to be asked for.
          if (settings && settings->getAsObject())
            Service->configure(*settings);
          else
            askConfiguration();
          return true;
        };
  }

  bool can(StringRef part, StringRef what, StringRef flag = "") const {
    const json::Object *capabilities = Client.getObject("capabilities");
    const json::Object *inner =
        capabilities ? capabilities->getObject(part) : nullptr;
    if (!inner)
      return false;
    if (flag.empty())
      return inner->getBoolean(what).value_or(false);
    const json::Object *one = inner->getObject(what);
    return one && one->getBoolean(flag).value_or(false);
  }

  void askConfiguration() {
    if (!can("workspace", "configuration"))
      return;
    ask("workspace/configuration",
        json::Object{
            {"items", json::Array({json::Object{{"section", "coreside"}}})}},
        [this](const json::Value *result) {
          const json::Array *values = result ? result->getAsArray() : nullptr;
          if (values && !values->empty() && Service)
            Service->configure(json::Object{{"coreside", values->front()}});
        });
  }

  void registerAndAsk() {
    json::Array wanted;
    if (can("workspace", "didChangeWatchedFiles", "dynamicRegistration")) {
      json::Array watchers;
      for (StringRef pattern : {"**/.coreside", "**/compile_commands.json",
                                "**/*.{cuh,h,hh,hpp,hxx,inl}"})
        watchers.push_back(json::Object{{"globPattern", pattern}});
      wanted.push_back(
          json::Object{{"id", "coreside-files"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions",
                        json::Object{{"watchers", std::move(watchers)}}}});
    }
    if (can("workspace", "didChangeConfiguration", "dynamicRegistration"))
      wanted.push_back(
          json::Object{{"id", "coreside-settings"},
                       {"method", "workspace/didChangeConfiguration"},
                       {"registerOptions",
                        json::Object{{"section", json::Array{"coreside"}}}}});
    if (!wanted.empty())
      ask("client/registerCapability",
          json::Object{{"registrations", std::move(wanted)}}, nullptr);
    askConfiguration();
  }

  const EditorOptions &Options;
  Outbox Out;
  json::Object Client;
  llvm::StringMap<Request> Requests;
  llvm::StringMap<Notification> Notifications;
  bool ShutDown = false;

  /// Of what follows.
  std::mutex Use;
  unsigned LastId = 0;
  unsigned LastToken = 0;
  std::map<std::string, std::function<void(const json::Value *)>> Asked;
  /// What is shown, with whether it has begun.
  std::map<std::string, std::pair<std::string, bool>> Tokens;

  /// Calls back, and so goes first.
  std::unique_ptr<EditorService> Service;
};

} // namespace

int coreside::serveLanguage(const EditorOptions &options, int input,
                            int output) {
  auto inbox = std::make_shared<Inbox>();
  // It may wait for a client that says nothing more: it is not waited for.
  std::thread([inbox, input] {
    MessageReader reader(input);
    std::string text;
    while (true) {
      MessageReader::Outcome outcome = reader.read(text);
      if (outcome == MessageReader::Outcome::End)
        break;
      Inbox::Entry entry;
      entry.isNonsense = true;
      if (outcome == MessageReader::Outcome::Message)
        if (std::optional<json::Value> message = readJSON(text)) {
          entry.message = std::move(*message);
          entry.isNonsense = false;
        }
      if (const json::Object *message = entry.message.getAsObject();
          message &&
          message->getString("method") == StringRef("$/cancelRequest"))
        if (const json::Object *parameters = message->getObject("params"))
          if (const json::Value *id = parameters->get("id")) {
            inbox->cancel(*id);
            continue;
          }
      inbox->add(std::move(entry));
    }
    inbox->close();
  }).detach();

  Server server(options, output);
  // What does not end by itself is not waited for: nobody would end it.
  auto end = [&](int code) {
    std::thread([code] {
      std::this_thread::sleep_for(std::chrono::seconds(5));
      std::_Exit(code);
    }).detach();
    server.end();
    return code;
  };
  while (std::optional<Inbox::Entry> entry = inbox->next())
    if (!server.handle(*entry))
      return end(server.wasShutDown() ? 0 : 1);
  return end(1);
}
