// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProxySession.h"

#include "MergeAnswers.h"
#include "WrittenMessages.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace coreside;
namespace json = llvm::json;

namespace {

/// More than this waits for a server: it hangs, and is started again.
constexpr size_t maxWaitingForServer = size_t(256) << 20;

} // namespace

std::string coreside::keyOfDocument(const MessageParts &parts) {
  return SessionState::keyOf(
      jsonString(jsonMember(jsonMember(parts.params, "textDocument"), "uri")));
}

std::string coreside::keyOfPublished(const MessageParts &parts) {
  return SessionState::keyOf(jsonString(jsonMember(parts.params, "uri")));
}

void ProxySession::begin() {
  if (Options.clangd.empty()) {
    Clangd.setGone();
    say(1, Options.problem + "; coreside goes on alone");
  } else {
    startClangd();
  }
  startService();
}

void ProxySession::fromClient(const Message &message) {
  MessageParts parts = messageParts(message.body());
  if (parts.isRequest())
    request(message, parts);
  else if (parts.isNotification())
    notify(message, parts);
  else if (parts.isResponse())
    response(message, parts);
  else
    // clangd knows what to say to this.
    toClangd(message);
}

void ProxySession::request(const Message &message, const MessageParts &parts) {
  std::string id = canonicalId(parts.id);
  if (Requests.count(id)) {
    // Not to be told from the one before.
    toClangd(message);
    return;
  }
  ClientRequest &request = Requests[id];
  request.method = parts.method;
  request.joining = joiningOf(parts.method);
  request.since = Clock::now();

  if (parts.method == "initialize" && !Initialize) {
    Initialize = message;
    InitializeId = id;
    if (llvm::Expected<json::Value> params = json::parse(parts.params)) {
      if (const json::Object *object = params->getAsObject())
        Session.noteInitialize(*object);
    } else {
      llvm::consumeError(params.takeError());
    }
    if (Clangd.isGone()) {
      initializeService();
      return;
    }
    request.fromClangd = true;
    toClangd(message);
    return;
  }
  if (parts.method == "shutdown") {
    ShutdownSeen = true;
    if (Service.isReady() && !Clangd.isGone())
      askService("shutdown", nullptr, ServiceRequest::Purpose::Shutdown, "");
    request.deadline = request.since + Options.exitPatience;
  }

  bool clangdAnswers = Clangd.isRunning();
  if (clangdAnswers) {
    request.fromClangd = true;
    toClangd(message);
  }
  if (Service.isReady() &&
      (request.joining != Joining::None || Clangd.isGone())) {
    request.serviceNumber = passRequestToService(message, parts);
  } else if (!clangdAnswers) {
    toClient(
        parts.method == "shutdown"
            ? makeResponse(id, "null")
            : makeErrorResponse(id, requestFailed, "clangd is not running"));
    Requests.erase(id);
  }
}

void ProxySession::notify(const Message &message, const MessageParts &parts) {
  llvm::StringRef method = parts.method;
  if (method == "exit") {
    toClangd(message);
    beginExit(Clock::now());
    return;
  }
  if (method == "$/cancelRequest") {
    toClangd(message);
    auto found = Requests.find(canonicalId(jsonMember(parts.params, "id")));
    if (found != Requests.end() && found->second.serviceNumber &&
        !found->second.ours)
      toService(makeMessage(makeNotification(
          "$/cancelRequest",
          json::Object{{"id", int64_t(found->second.serviceNumber)}})));
    return;
  }
  if (method == "textDocument/didOpen") {
    didOpen(message, parts);
    return;
  }
  toClangd(message);
  Session.note(message, parts);
  toService(message);
  if (method == "textDocument/didChange") {
    std::string key = keyOfDocument(parts);
    auto changed = Session.documents().find(key);
    auto found = Documents.find(key);
    if (changed != Session.documents().end() && found != Documents.end())
      found->second.diagnostics.setVersion(changed->second.version);
  } else if (method == "textDocument/didClose") {
    std::string key = keyOfDocument(parts);
    Documents.erase(key);
    WaitingDiagnostics.erase(key);
  } else if (method == "textDocument/didSave" ||
             method == "workspace/didChangeWatchedFiles") {
    // Editors tell when a compile database changes only where they watch it.
    askCommands();
  }
}

void ProxySession::didOpen(const Message &message, const MessageParts &parts) {
  std::string key = keyOfDocument(parts);
  bool hold =
      !key.empty() && !ServiceIsLate && Clangd.isRunning() &&
      (Service.isReady() || Service.state() == ServerProcess::State::Starting);
  toClangd(message, hold ? key : "");
  Session.note(message, parts);
  auto opened = Session.documents().find(key);
  if (opened != Session.documents().end()) {
    Documents.erase(key);
    Documents.emplace(
        key, ProxiedDocument{DocumentDiagnostics(opened->second.version), ""});
  }
  askCommand(key);
  toService(message);
}

void ProxySession::response(const Message &message, const MessageParts &parts) {
  ServerAsks::Receiver receiver = Asks.answered(canonicalId(parts.id));
  switch (receiver.server) {
  case ServerAsks::Receiver::Server::Clangd:
    toClangd(message);
    return;
  case ServerAsks::Receiver::Server::Service:
    toService(
        makeMessage(withPartReplaced(message.body(), parts.id, receiver.id)));
    return;
  case ServerAsks::Receiver::Server::None:
    return;
  }
}

void ProxySession::settle(const std::string &id) {
  auto found = Requests.find(id);
  if (found == Requests.end())
    return;
  ClientRequest &request = found->second;
  bool waitsForUs = request.serviceNumber && !request.ours;
  TimePoint now = Clock::now();
  if (request.theirs) {
    if (waitsForUs && !ServiceIsLate) {
      request.deadline = now + Options.patience;
      return;
    }
    std::string body;
    if (request.ours)
      body = joinedAnswers(request);
    if (body.empty() || body == request.theirs->body())
      toClient(*request.theirs);
    else
      toClient(body);
  } else if (request.fromClangd) {
    // Something to show now is better than all of it in the end.
    if (request.ours && !saysNothing(messageParts(*request.ours).result))
      request.deadline = request.since + Options.silence;
    return;
  } else if (request.ours) {
    MessageParts parts = messageParts(*request.ours);
    toClient(withPartReplaced(*request.ours, parts.id, id));
  } else if (waitsForUs) {
    return;
  } else {
    toClient(makeErrorResponse(id, requestFailed, "clangd is not running"));
  }
  Requests.erase(found);
}

void ProxySession::publishAlone(const std::string &key) {
  WaitingDiagnostics.erase(key);
  auto found = Documents.find(key);
  if (found == Documents.end())
    return;
  if (std::optional<std::string> body =
          found->second.diagnostics.withoutClangd())
    toClient(*body);
}

void ProxySession::say(int type, llvm::StringRef text) {
  llvm::errs() << "coreside: " << (type == 1 ? "error: " : "warning: ") << text
               << '\n';
  Message message = makeMessage(makeNotification(
      "window/showMessage",
      json::Object{{"type", type}, {"message", ("coreside: " + text).str()}}));
  if (InitializeAnswered)
    toClient(message);
  else
    ToSay.push_back(std::move(message));
}

void ProxySession::expire(TimePoint now) {
  if (Clangd.startAt() && *Clangd.startAt() <= now && !ExitSince)
    startClangd();
  if (Service.startAt() && *Service.startAt() <= now && !ExitSince)
    startService();

  std::vector<std::string> due;
  for (const auto &[id, request] : Requests)
    if (request.deadline && *request.deadline <= now)
      due.push_back(id);
  for (const std::string &id : due) {
    ClientRequest &request = Requests[id];
    request.deadline.reset();
    if (request.method == "shutdown") {
      Abandoned.insert(id);
      toClient(makeResponse(id, "null"));
      Requests.erase(id);
    } else if (request.theirs) {
      ServiceIsLate = true;
      settle(id);
    } else {
      Abandoned.insert(id);
      request.fromClangd = false;
      settle(id);
    }
  }

  due.clear();
  for (const auto &[key, deadline] : WaitingDiagnostics)
    if (deadline <= now)
      due.push_back(key);
  for (const std::string &key : due)
    publishAlone(key);

  releaseHeld(now);

  bool hangs = llvm::any_of(ServiceRequests, [&](const auto &entry) {
    return now - entry.second.since > Options.serviceTimeout;
  });
  if (Service.child() &&
      (hangs || Service.child()->input().waiting() > maxWaitingForServer))
    Service.child()->kill(SIGKILL);
  if (Clangd.child() && Clangd.child()->input().waiting() > maxWaitingForServer)
    Clangd.child()->kill(SIGKILL);

  if (ExitSince) {
    if (ChildProcess *child = Clangd.child()) {
      if (now >= *ExitSince + Options.exitPatience) {
        bool longSince = now >= *ExitSince + 2 * Options.exitPatience;
        child->kill(longSince ? SIGKILL : SIGTERM);
        ClangdWasSlow = true;
      }
    }
    if (Service.child() && now >= *ExitSince + Options.exitPatience)
      Service.child()->kill(SIGKILL);
  }
}

std::optional<ProxySession::TimePoint> ProxySession::nextDeadline() const {
  std::optional<TimePoint> next;
  auto consider = [&](std::optional<TimePoint> time) {
    if (time && (!next || *time < *next))
      next = time;
  };
  if (!ExitSince) {
    consider(Clangd.startAt());
    consider(Service.startAt());
  }
  for (const auto &[id, request] : Requests)
    consider(request.deadline);
  for (const auto &[key, deadline] : WaitingDiagnostics)
    consider(deadline);
  if (!ToClangd.empty())
    consider(ToClangd.front().deadline);
  for (const auto &[number, asked] : ServiceRequests)
    consider(asked.since + Options.serviceTimeout);
  if (ExitSince) {
    TimePoint now = Clock::now();
    for (int times : {1, 2})
      if (*ExitSince + times * Options.exitPatience > now) {
        consider(*ExitSince + times * Options.exitPatience);
        break;
      }
  }
  return next;
}

void ProxySession::beginExit(TimePoint now) {
  if (ExitSince)
    return;
  ExitSince = now;
  for (Held &held : ToClangd)
    held.key.clear();
  releaseHeld(now);
  if (Clangd.child())
    Clangd.child()->input().closeWhenDone();
  if (Service.child()) {
    Service.send(makeMessage("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"));
    Service.child()->input().closeWhenDone();
  }
}

int ProxySession::exitCode() const {
  // That we have killed it is no failure of the client's.
  if (Clangd.exitCode() && !ClangdWasSlow)
    return *Clangd.exitCode();
  return ShutdownSeen ? 0 : 1;
}
