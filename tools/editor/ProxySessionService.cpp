// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProxySession.h"

#include "MergeAnswers.h"
#include "WrittenMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <unistd.h>

using namespace coreside;
namespace json = llvm::json;

namespace {

/// The parameters for our own part: those of the client's `initialize`, with
/// the encoding that clangd has chosen, if it has.
json::Object initializeParams(llvm::StringRef initialize,
                              const std::string &encoding) {
  json::Object params;
  MessageParts parts = messageParts(initialize);
  if (llvm::Expected<json::Value> value = json::parse(parts.params)) {
    if (const json::Object *object = value->getAsObject())
      params = *object;
  } else {
    llvm::consumeError(value.takeError());
  }
  // It has to go when we do, and to count as clangd does.
  params["processId"] = int64_t(getpid());
  if (!encoding.empty()) {
    json::Object *capabilities = params.getObject("capabilities");
    if (!capabilities) {
      params["capabilities"] = json::Object{};
      capabilities = params.getObject("capabilities");
    }
    json::Object *general = capabilities->getObject("general");
    if (!general) {
      (*capabilities)["general"] = json::Object{};
      general = capabilities->getObject("general");
    }
    (*general)["positionEncodings"] = json::Array{encoding};
    capabilities->erase("offsetEncoding");
  }
  return params;
}

} // namespace

void ProxySession::toService(const Message &message) {
  if (Service.isReady())
    Service.send(message);
}

uint64_t ProxySession::askService(llvm::StringRef method, json::Value params,
                                  ServiceRequest::Purpose purpose,
                                  std::string subject) {
  uint64_t number = ++ServiceNumber;
  Service.send(makeMessage(
      makeRequest(std::to_string(number), method, std::move(params))));
  ServiceRequests[number] = {purpose, std::move(subject), Clock::now()};
  return number;
}

uint64_t ProxySession::passRequestToService(const Message &message,
                                            const MessageParts &parts) {
  uint64_t number = ++ServiceNumber;
  Service.send(makeMessage(
      withPartReplaced(message.body(), parts.id, std::to_string(number))));
  ServiceRequests[number] = {ServiceRequest::Purpose::Client,
                             canonicalId(parts.id), Clock::now()};
  return number;
}

void ProxySession::startService() {
  if (llvm::Error error = Service.start()) {
    Service.setGone();
    say(2, llvm::toString(std::move(error)));
    return;
  }
  initializeService();
}

void ProxySession::initializeService() {
  bool clangdDecided = InitializeAnswered || Clangd.isGone();
  if (!Initialize || !clangdDecided)
    return;
  if (!Service.isRunning()) {
    if (!InitializeAnswered && Service.isGone() && Requests.erase(InitializeId))
      toClient(makeErrorResponse(InitializeId, requestFailed,
                                 "neither clangd nor coreside can be run"));
    return;
  }
  if (Service.state() != ServerProcess::State::Starting ||
      llvm::any_of(ServiceRequests, [](const auto &entry) {
        return entry.second.purpose == ServiceRequest::Purpose::Initialize;
      }))
    return;
  askService("initialize", initializeParams(Initialize->body(), Encoding),
             ServiceRequest::Purpose::Initialize, "");
}

void ProxySession::replayToService() {
  Service.setReady();
  for (const Message &message : Session.beforeDocuments())
    Service.send(message);
  askCommands();
  for (const auto &[key, document] : Session.documents())
    Service.send(SessionState::openMessage(document));
}

void ProxySession::fromService(const Message &message) {
  MessageParts parts = messageParts(message.body());
  if (parts.isResponse()) {
    serviceAnswered(message, parts);
    return;
  }
  if (parts.isRequest()) {
    serviceAsks(message, parts);
    return;
  }
  if (parts.method == "textDocument/publishDiagnostics") {
    std::string key = keyOfPublished(parts);
    auto found = Documents.find(key);
    if (found != Documents.end()) {
      DocumentDiagnostics &diagnostics = found->second.diagnostics;
      if (std::optional<std::string> together =
              diagnostics.fromUs(message.body()))
        toClient(*together);
      if (!diagnostics.isWaiting())
        WaitingDiagnostics.erase(key);
      else if (!Clangd.isRunning())
        publishAlone(key);
      else
        WaitingDiagnostics.emplace(key, Clock::now() + Options.silence);
      return;
    }
  }
  if (parts.isNotification())
    toClient(message);
}

void ProxySession::serviceAnswered(const Message &message,
                                   const MessageParts &parts) {
  uint64_t number = 0;
  auto found = parts.id.getAsInteger(10, number) ? ServiceRequests.end()
                                                 : ServiceRequests.find(number);
  if (found == ServiceRequests.end())
    return;
  ServiceRequest asked = std::move(found->second);
  ServiceRequests.erase(found);
  ServiceIsLate = false;
  switch (asked.purpose) {
  case ServiceRequest::Purpose::Client: {
    auto request = Requests.find(asked.subject);
    if (request == Requests.end() || request->second.serviceNumber != number)
      return;
    request->second.ours = message.body().str();
    settle(asked.subject);
    return;
  }
  case ServiceRequest::Purpose::Initialize: {
    if (parts.result.empty()) {
      Service.child()->kill(SIGKILL);
      return;
    }
    if (!InitializeAnswered) {
      // There is no clangd; ours is the only answer.
      std::string encoding =
          jsonMember(jsonMember(parts.result, "capabilities"),
                     "positionEncoding")
              .trim('"')
              .str();
      Encoding = encoding.empty() ? "utf-16" : encoding;
      if (std::optional<PositionEncoding> known = encodingNamed(Encoding))
        Session.setEncoding(*known);
      Requests.erase(InitializeId);
      toClient(withPartReplaced(message.body(), parts.id, InitializeId));
      InitializeAnswered = true;
      for (const Message &said : ToSay)
        toClient(said);
      ToSay.clear();
    }
    replayToService();
    return;
  }
  case ServiceRequest::Purpose::Command:
    gotCommand(asked.subject, parts.result);
    return;
  case ServiceRequest::Purpose::Shutdown:
    return;
  }
}

void ProxySession::serviceAsks(const Message &message,
                               const MessageParts &parts) {
  // A service that was started again registers what the client still has.
  if (parts.method == "client/registerCapability" &&
      !Registered.insert(parts.params.str()).second) {
    Service.send(makeMessage(makeResponse(parts.id, "null")));
    return;
  }
  std::string id = Asks.fromService(parts.id);
  toClient(withPartReplaced(message.body(), parts.id, id));
}

void ProxySession::serviceEnded() {
  int code = *Service.ended();
  bool again = Service.clear(!ShutdownSeen && !ExitSince, Clock::now());
  std::vector<std::string> open;
  for (const auto &[number, asked] : ServiceRequests)
    if (asked.purpose == ServiceRequest::Purpose::Client)
      open.push_back(asked.subject);
  ServiceRequests.clear();
  Asks.serviceEnded();
  ServiceIsLate = false;
  if (ExitSince)
    return;
  std::string how =
      "coreside's own part has ended (" + describeExit(code) + ")";
  if (again) {
    const char *what = "; it is started again, clangd goes on";
    if (SaidServiceEnded)
      llvm::errs() << "coreside: warning: " << how << what << '\n';
    else
      say(2, how + what);
    SaidServiceEnded = true;
  } else if (!ShutdownSeen) {
    say(1, how + " and is not started again; clangd goes on");
  }
  for (const std::string &id : open) {
    auto found = Requests.find(id);
    if (found == Requests.end() || found->second.ours)
      continue;
    found->second.serviceNumber = 0;
    settle(id);
  }
  if (!again) {
    initializeService();
    for (Held &held : ToClangd)
      held.key.clear();
    releaseHeld(Clock::now());
  }
}

void ProxySession::askCommand(const std::string &key) {
  auto document = Session.documents().find(key);
  // Otherwise asked when it is ready.
  if (!Service.isReady() || document == Session.documents().end())
    return;
  for (const auto &[number, asked] : ServiceRequests)
    if (asked.purpose == ServiceRequest::Purpose::Command &&
        asked.subject == key)
      return;
  askService("coreside/clangCommand",
             json::Object{
                 {"textDocument", json::Object{{"uri", document->second.uri}}}},
             ServiceRequest::Purpose::Command, key);
}

void ProxySession::askCommands() {
  if (Clangd.isGone())
    return;
  for (const auto &[key, document] : Session.documents())
    askCommand(key);
}
