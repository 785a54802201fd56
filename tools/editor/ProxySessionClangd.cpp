// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProxySession.h"

#include "DocumentURI.h"
#include "MergeAnswers.h"
#include "WrittenMessages.h"

#include "llvm/Support/raw_ostream.h"

using namespace coreside;
namespace json = llvm::json;

namespace {

/// Whether `text` is a command as clangd takes it.
bool isCommand(llvm::StringRef text) {
  llvm::Expected<json::Value> command = json::parse(text);
  if (!command) {
    llvm::consumeError(command.takeError());
    return false;
  }
  const json::Object *object = command->getAsObject();
  return object && object->getString("workingDirectory") &&
         object->getArray("compilationCommand");
}

} // namespace

void ProxySession::toClangd(const Message &message,
                            llvm::StringRef awaitedKey) {
  if (!Clangd.isRunning())
    return;
  // A clangd that was started again is told the state of the session when it is
  // ready, and nothing in between but requests.
  if (InitializeAnswered && !Clangd.isReady()) {
    if (messageParts(message.body()).isRequest())
      ToClangd.push_back({message, "", {}});
    return;
  }
  if (awaitedKey.empty() && ToClangd.empty())
    Clangd.send(message);
  else
    ToClangd.push_back(
        {message, awaitedKey.str(), Clock::now() + Options.commandPatience});
}

void ProxySession::releaseHeld(TimePoint now) {
  while (!ToClangd.empty() &&
         (ToClangd.front().key.empty() || ToClangd.front().deadline <= now)) {
    if (!ToClangd.front().key.empty())
      ServiceIsLate = true;
    Clangd.send(ToClangd.front().message);
    ToClangd.pop_front();
  }
}

void ProxySession::fromClangd(const Message &message) {
  MessageParts parts = messageParts(message.body());
  if (parts.isResponse()) {
    std::string id = canonicalId(parts.id);
    if (InitializeAnswered && !Clangd.isReady() && id == InitializeId) {
      replayToClangd();
      return;
    }
    if (Abandoned.erase(id))
      return;
    auto found = Requests.find(id);
    if (found == Requests.end()) {
      toClient(message);
      return;
    }
    if (id == InitializeId && !InitializeAnswered) {
      Requests.erase(found);
      initializeAnswered(message, parts);
      return;
    }
    found->second.theirs = message;
    settle(id);
    return;
  }
  if (parts.isRequest()) {
    Asks.fromClangd(canonicalId(parts.id));
  } else if (parts.method == "textDocument/publishDiagnostics") {
    std::string key = keyOfPublished(parts);
    auto found = Documents.find(key);
    if (found != Documents.end()) {
      DocumentDiagnostics &diagnostics = found->second.diagnostics;
      std::optional<std::string> together =
          diagnostics.fromClangd(message.body());
      if (!diagnostics.isWaiting())
        WaitingDiagnostics.erase(key);
      if (together) {
        toClient(*together);
        return;
      }
    }
  } else if (parts.method == "$/progress") {
    llvm::StringRef kind =
        jsonMember(jsonMember(parts.params, "value"), "kind");
    std::string token = jsonMember(parts.params, "token").str();
    if (kind == "\"begin\"")
      ClangdProgress.insert(token);
    else if (kind == "\"end\"")
      ClangdProgress.erase(token);
  }
  toClient(message);
}

void ProxySession::initializeAnswered(const Message &message,
                                      const MessageParts &parts) {
  if (parts.result.empty()) {
    // Refused; the client may try again.
    Initialize.reset();
    toClient(message);
    return;
  }
  llvm::StringRef encoding =
      jsonMember(jsonMember(parts.result, "capabilities"), "positionEncoding");
  if (encoding.empty())
    encoding = jsonMember(parts.result, "offsetEncoding");
  Encoding = encoding.trim('"').str();
  if (Encoding.empty())
    Encoding = "utf-16";
  if (std::optional<PositionEncoding> known = encodingNamed(Encoding))
    Session.setEncoding(*known);
  std::string more = withCapabilities(message.body());
  if (Service.isGone() || more == message.body())
    toClient(message);
  else
    toClient(more);
  InitializeAnswered = true;
  Clangd.setReady();
  for (const Message &said : ToSay)
    toClient(said);
  ToSay.clear();
  initializeService();
}

void ProxySession::startClangd() {
  if (llvm::Error error = Clangd.start()) {
    say(1, llvm::toString(std::move(error)));
    clangdIsGone();
    return;
  }
  if (Initialize)
    Clangd.send(*Initialize);
}

void ProxySession::replayToClangd() {
  Clangd.setReady();
  for (const Message &message : Session.beforeDocuments())
    Clangd.send(message);
  for (const auto &[key, document] : Session.documents()) {
    auto found = Documents.find(key);
    if (found != Documents.end() && !found->second.command.empty()) {
      std::string command = std::move(found->second.command);
      found->second.command.clear();
      gotCommand(key, command);
    }
    Clangd.send(SessionState::openMessage(document));
  }
  releaseHeld(Clock::now());
}

void ProxySession::clangdEnded() {
  TimePoint now = Clock::now();
  int code = *Clangd.ended();
  bool again = !ShutdownSeen && !ExitSince;
  bool answered = InitializeAnswered;
  // What refuses its arguments ends at once, each time. A crash may be chance.
  if (!answered && Clangd.generation() > 1)
    again = false;
  again = Clangd.clear(again, now);

  ToClangd.clear();
  Abandoned.clear();
  Asks.clangdEnded();
  for (const std::string &token : ClangdProgress)
    toClient("{\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{"
             "\"token\":" +
             token + ",\"value\":{\"kind\":\"end\"}}}");
  ClangdProgress.clear();
  if (ExitSince)
    return;

  std::string how = "clangd has ended (" + describeExit(code) + ")";
  if (again) {
    const char *what = "; it is started again";
    if (SaidClangdEnded)
      llvm::errs() << "coreside: warning: " << how << what << '\n';
    else
      say(2, how + what);
    SaidClangdEnded = true;
  } else if (!ShutdownSeen) {
    say(1, how + " and is not started again; coreside goes on alone");
  }

  // Nobody else will answer.
  std::vector<std::string> open;
  for (const auto &[id, request] : Requests)
    if (request.fromClangd)
      open.push_back(id);
  for (const std::string &id : open) {
    ClientRequest &request = Requests[id];
    request.fromClangd = false;
    if (id == InitializeId && !answered) {
      // Asked again.
      request.fromClangd = again;
      continue;
    }
    if (request.theirs || request.serviceNumber) {
      settle(id);
      continue;
    }
    toClient(request.method == "shutdown"
                 ? makeResponse(id, "null")
                 : makeErrorResponse(id, requestFailed, how));
    Requests.erase(id);
  }
  if (!again)
    clangdIsGone();
}

void ProxySession::clangdIsGone() {
  Clangd.setGone();
  initializeService();
  for (auto &[key, document] : Documents)
    publishAlone(key);
}

void ProxySession::gotCommand(const std::string &key, llvm::StringRef command) {
  auto document = Documents.find(key);
  auto opened = Session.documents().find(key);
  if (document != Documents.end() && opened != Session.documents().end() &&
      isCommand(command) && document->second.command != command) {
    std::optional<std::string> path = pathOfURI(opened->second.uri);
    // What the client says of a file stands.
    if (path && !Session.hasCommandOfClient(*path)) {
      document->second.command = command.str();
      if (Clangd.isRunning() && Clangd.isReady())
        Clangd.send(makeMessage(
            "{\"jsonrpc\":\"2.0\",\"method\":\"workspace/"
            "didChangeConfiguration\",\"params\":{\"settings\":{"
            "\"compilationDatabaseChanges\":{" +
            jsonText(json::Value(*path)) + ":" + command.str() + "}}}}"));
    }
  }
  for (Held &held : ToClangd)
    if (held.key == key)
      held.key.clear();
  releaseHeld(Clock::now());
}
