// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangdProxy.h"

#include "DocumentDiagnostics.h"
#include "DocumentURI.h"
#include "JSONMembers.h"
#include "MergeAnswers.h"
#include "MessageSplitter.h"
#include "OutputQueue.h"
#include "ServerProcess.h"
#include "SessionState.h"
#include "SignalPipe.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <set>
#include <unistd.h>

using namespace coreside;
namespace json = llvm::json;

namespace {

using TimePoint = Clock::time_point;

/// Of JSON-RPC and LSP.
constexpr int requestFailed = -32803;

/// More than this waits for the editor: servers are not read until it reads.
constexpr size_t maxWaitingForClient = size_t(64) << 20;
/// More than this waits for a server: it hangs, and is started again.
constexpr size_t maxWaitingForServer = size_t(256) << 20;

/// How the two answers to a request become one.
enum class Joining {
  /// Only clangd is asked.
  None,
  Items,
  Hover
};

Joining joiningOf(llvm::StringRef method) {
  if (method == "textDocument/codeAction" || method == "textDocument/inlayHint")
    return Joining::Items;
  if (method == "textDocument/hover")
    return Joining::Hover;
  return Joining::None;
}

/// A request of the client that has no answer yet.
struct Request {
  std::string method;
  Joining joining = Joining::None;
  TimePoint since;
  /// Whom it was sent to and who has not given up.
  bool fromClangd = false;
  /// Its number at our own part, 0 where that was not asked.
  uint64_t serviceNumber = 0;
  std::optional<Message> theirs;
  /// The body of the response.
  std::optional<std::string> ours;
  /// When what is there is sent without the other.
  std::optional<TimePoint> deadline;
};

/// A request of the proxy to our own part.
struct ServiceRequest {
  enum class Purpose { Client, Initialize, Command, Shutdown } purpose;
  /// The client's id, or the key of a document.
  std::string subject;
  TimePoint since;
};

/// A message to clangd that others stand behind.
struct Held {
  Message message;
  /// The document whose command it waits for; empty where it does not wait.
  std::string key;
  TimePoint deadline;
};

struct ProxiedDocument {
  DocumentDiagnostics diagnostics;
  /// What was said to clangd about it, {"workingDirectory": ...}.
  std::string command;
};

std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << value;
  return text;
}

Message notification(llvm::StringRef method, json::Value params) {
  return makeMessage(textOf(json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
}

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

/// The document that params.textDocument names.
std::string keyOfDocument(const MessageParts &parts) {
  return SessionState::keyOf(
      jsonString(jsonMember(jsonMember(parts.params, "textDocument"), "uri")));
}

/// The document whose diagnostics are published.
std::string keyOfPublished(const MessageParts &parts) {
  return SessionState::keyOf(jsonString(jsonMember(parts.params, "uri")));
}

class Proxy {
public:
  explicit Proxy(const ClangdProxyOptions &options)
      : Options(options), Clangd(options.clangd, options.clangdArguments),
        Service(options.service, options.serviceArguments),
        ToClient(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) {}

  int run();

private:
  // What comes in.
  void fromClient(const Message &message);
  void request(const Message &message, const MessageParts &parts);
  void notify(const Message &message, const MessageParts &parts);
  void response(const Message &message, const MessageParts &parts);
  void fromClangd(const Message &message);
  void fromService(const Message &message);
  void serviceAnswered(const Message &message, const MessageParts &parts);
  void serviceAsks(const Message &message, const MessageParts &parts);
  void clangdEnded();
  void serviceEnded();
  void expire(TimePoint now);

  // What goes out.
  void toClient(const Message &message) { ToClient.write(message.bytes); }
  void toClient(llvm::StringRef body) { toClient(makeMessage(body)); }
  void toClangd(const Message &message, llvm::StringRef awaitedKey = "");
  void releaseHeld(TimePoint now);
  void toService(const Message &message);
  uint64_t askService(llvm::StringRef method, json::Value params,
                      ServiceRequest::Purpose purpose, std::string subject);
  uint64_t passRequestToService(const Message &message,
                                const MessageParts &parts);
  /// Shown once the client can be shown something.
  void say(int type, llvm::StringRef text);

  /// Answers the request if what is there is enough.
  void settle(const std::string &id);
  std::string joined(const Request &request) const;

  void startClangd();
  void startService();
  void initializeService();
  void initializeAnswered(const Message &message, const MessageParts &parts);
  void replayToClangd();
  void clangdIsGone();
  void replayToService();
  void askCommand(const std::string &key);
  void askCommands();
  void gotCommand(const std::string &key, llvm::StringRef command);
  void publishAlone(const std::string &key);

  void beginExit(TimePoint now);
  void finish();
  int exitCode() const;

  std::optional<TimePoint> nextDeadline() const;
  void wait();

  const ClangdProxyOptions &Options;
  ServerProcess Clangd;
  ServerProcess Service;
  MessageSplitter FromClient;
  OutputQueue ToClient;
  SignalPipe Signals;

  SessionState Session;
  std::map<std::string, ProxiedDocument> Documents;
  /// Diagnostics of ours that wait for clangd's.
  std::map<std::string, TimePoint> WaitingDiagnostics;

  /// By the client's ids, as written.
  std::map<std::string, Request> Requests;
  /// Ids that were answered without clangd, whose answer comes too late.
  std::set<std::string> Abandoned;
  std::deque<Held> ToClangd;
  /// Ids of clangd's requests to the client that it has not answered, and of
  /// those the ones of a clangd that is no more.
  std::map<std::string, unsigned> ClangdAsks;
  std::map<std::string, unsigned> OldClangdAsks;
  /// Progress that clangd has begun to show.
  std::set<std::string> ClangdProgress;

  uint64_t ServiceNumber = 0;
  std::map<uint64_t, ServiceRequest> ServiceRequests;
  /// It has let an answer wait for longer than `patience`, and has said nothing
  /// since.
  bool ServiceIsLate = false;
  struct ServiceAsk {
    unsigned generation;
    std::string id;
  };
  uint64_t ServiceAskNumber = 0;
  std::map<std::string, ServiceAsk> ServiceAsks;
  /// Parameters of client/registerCapability: they last longer than the process
  /// that sent them.
  std::set<std::string> Registered;

  std::optional<Message> Initialize;
  std::string InitializeId;
  /// Empty where clangd chose none, or has not yet.
  std::string Encoding;
  bool InitializeAnswered = false;
  std::vector<Message> ToSay;
  bool SaidClangdEnded = false;
  bool SaidServiceEnded = false;
  bool SaidNonsense = false;

  bool ShutdownSeen = false;
  bool ClientIsGone = false;
  std::optional<TimePoint> ExitSince;
};

//===----------------------------------------------------------------------===//
// The client
//===----------------------------------------------------------------------===//

void Proxy::fromClient(const Message &message) {
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

void Proxy::request(const Message &message, const MessageParts &parts) {
  std::string id = canonicalId(parts.id);
  if (Requests.count(id)) {
    // Not to be told from the one before.
    toClangd(message);
    return;
  }
  Request &request = Requests[id];
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

void Proxy::notify(const Message &message, const MessageParts &parts) {
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
      toService(notification(
          "$/cancelRequest",
          json::Object{{"id", int64_t(found->second.serviceNumber)}}));
    return;
  }
  if (method == "textDocument/didOpen") {
    std::string key = keyOfDocument(parts);
    bool hold = !key.empty() && !ServiceIsLate && Clangd.isRunning() &&
                (Service.isReady() ||
                 Service.state() == ServerProcess::State::Starting);
    toClangd(message, hold ? key : "");
    Session.note(message, parts);
    auto opened = Session.documents().find(key);
    if (opened != Session.documents().end()) {
      Documents.erase(key);
      Documents.emplace(
          key,
          ProxiedDocument{DocumentDiagnostics(opened->second.version), ""});
    }
    askCommand(key);
    toService(message);
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

void Proxy::response(const Message &message, const MessageParts &parts) {
  auto asked = ServiceAsks.find(canonicalId(parts.id));
  if (asked != ServiceAsks.end()) {
    if (asked->second.generation == Service.generation())
      toService(makeMessage(
          withPartReplaced(message.body(), parts.id, asked->second.id)));
    ServiceAsks.erase(asked);
    return;
  }
  auto old = OldClangdAsks.find(canonicalId(parts.id));
  if (old != OldClangdAsks.end()) {
    if (!--old->second)
      OldClangdAsks.erase(old);
    return;
  }
  auto now = ClangdAsks.find(canonicalId(parts.id));
  if (now != ClangdAsks.end() && !--now->second)
    ClangdAsks.erase(now);
  toClangd(message);
}

//===----------------------------------------------------------------------===//
// clangd
//===----------------------------------------------------------------------===//

void Proxy::toClangd(const Message &message, llvm::StringRef awaitedKey) {
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

void Proxy::releaseHeld(TimePoint now) {
  while (!ToClangd.empty() &&
         (ToClangd.front().key.empty() || ToClangd.front().deadline <= now)) {
    if (!ToClangd.front().key.empty())
      ServiceIsLate = true;
    Clangd.send(ToClangd.front().message);
    ToClangd.pop_front();
  }
}

void Proxy::fromClangd(const Message &message) {
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
    ++ClangdAsks[canonicalId(parts.id)];
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

void Proxy::initializeAnswered(const Message &message,
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

void Proxy::startClangd() {
  if (llvm::Error error = Clangd.start()) {
    say(1, llvm::toString(std::move(error)));
    clangdIsGone();
    return;
  }
  if (Initialize)
    Clangd.send(*Initialize);
}

void Proxy::replayToClangd() {
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

void Proxy::clangdEnded() {
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
  for (const auto &[id, count] : ClangdAsks)
    OldClangdAsks[id] += count;
  ClangdAsks.clear();
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
    Request &request = Requests[id];
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

void Proxy::clangdIsGone() {
  Clangd.setGone();
  initializeService();
  for (auto &[key, document] : Documents)
    publishAlone(key);
}

//===----------------------------------------------------------------------===//
// Our own part
//===----------------------------------------------------------------------===//

void Proxy::toService(const Message &message) {
  if (Service.isReady())
    Service.send(message);
}

uint64_t Proxy::askService(llvm::StringRef method, json::Value params,
                           ServiceRequest::Purpose purpose,
                           std::string subject) {
  uint64_t number = ++ServiceNumber;
  Service.send(
      makeMessage(textOf(json::Object{{"jsonrpc", "2.0"},
                                      {"id", int64_t(number)},
                                      {"method", method},
                                      {"params", std::move(params)}})));
  ServiceRequests[number] = {purpose, std::move(subject), Clock::now()};
  return number;
}

uint64_t Proxy::passRequestToService(const Message &message,
                                     const MessageParts &parts) {
  uint64_t number = ++ServiceNumber;
  Service.send(makeMessage(
      withPartReplaced(message.body(), parts.id, std::to_string(number))));
  ServiceRequests[number] = {ServiceRequest::Purpose::Client,
                             canonicalId(parts.id), Clock::now()};
  return number;
}

void Proxy::startService() {
  if (llvm::Error error = Service.start()) {
    Service.setGone();
    say(2, llvm::toString(std::move(error)));
    return;
  }
  initializeService();
}

void Proxy::initializeService() {
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
  json::Object params;
  MessageParts parts = messageParts(Initialize->body());
  if (llvm::Expected<json::Value> value = json::parse(parts.params)) {
    if (const json::Object *object = value->getAsObject())
      params = *object;
  } else {
    llvm::consumeError(value.takeError());
  }
  // It has to go when we do, and to count as clangd does.
  params["processId"] = int64_t(getpid());
  if (!Encoding.empty()) {
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
    (*general)["positionEncodings"] = json::Array{Encoding};
    capabilities->erase("offsetEncoding");
  }
  askService("initialize", std::move(params),
             ServiceRequest::Purpose::Initialize, "");
}

void Proxy::replayToService() {
  Service.setReady();
  for (const Message &message : Session.beforeDocuments())
    Service.send(message);
  askCommands();
  for (const auto &[key, document] : Session.documents())
    Service.send(SessionState::openMessage(document));
}

void Proxy::fromService(const Message &message) {
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

void Proxy::serviceAnswered(const Message &message, const MessageParts &parts) {
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

void Proxy::serviceAsks(const Message &message, const MessageParts &parts) {
  // A service that was started again registers what the client still has.
  if (parts.method == "client/registerCapability" &&
      !Registered.insert(parts.params.str()).second) {
    Service.send(makeMessage(makeResponse(parts.id, "null")));
    return;
  }
  // clangd's ids are numbers; no other can be like this.
  std::string id = "\"coreside:" + std::to_string(++ServiceAskNumber) + "\"";
  ServiceAsks[id] = {Service.generation(), parts.id.str()};
  toClient(withPartReplaced(message.body(), parts.id, id));
}

void Proxy::serviceEnded() {
  int code = *Service.ended();
  bool again = Service.clear(!ShutdownSeen && !ExitSince, Clock::now());
  std::vector<std::string> open;
  for (const auto &[number, asked] : ServiceRequests)
    if (asked.purpose == ServiceRequest::Purpose::Client)
      open.push_back(asked.subject);
  ServiceRequests.clear();
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

void Proxy::askCommand(const std::string &key) {
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

void Proxy::askCommands() {
  if (Clangd.isGone())
    return;
  for (const auto &[key, document] : Session.documents())
    askCommand(key);
}

void Proxy::gotCommand(const std::string &key, llvm::StringRef command) {
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
            textOf(json::Value(*path)) + ":" + command.str() + "}}}}"));
    }
  }
  for (Held &held : ToClangd)
    if (held.key == key)
      held.key.clear();
  releaseHeld(Clock::now());
}

void Proxy::publishAlone(const std::string &key) {
  WaitingDiagnostics.erase(key);
  auto found = Documents.find(key);
  if (found == Documents.end())
    return;
  if (std::optional<std::string> body =
          found->second.diagnostics.withoutClangd())
    toClient(*body);
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::string Proxy::joined(const Request &request) const {
  llvm::StringRef theirs = request.theirs->body();
  llvm::StringRef ours = messageParts(*request.ours).result;
  if (saysNothing(ours))
    return theirs.str();
  MessageParts parts = messageParts(theirs);
  if (!parts.error.empty()) {
    // Cancelled, or the text has changed: the client does not want an answer.
    int code = 0;
    if (jsonMember(parts.error, "code").getAsInteger(10, code) ||
        (code <= -32800 && code >= -32802))
      return theirs.str();
    return makeResponse(parts.id, ours);
  }
  return request.joining == Joining::Hover ? withHover(theirs, ours)
                                           : withItems(theirs, ours);
}

void Proxy::settle(const std::string &id) {
  auto found = Requests.find(id);
  if (found == Requests.end())
    return;
  Request &request = found->second;
  bool waitsForUs = request.serviceNumber && !request.ours;
  TimePoint now = Clock::now();
  if (request.theirs) {
    if (waitsForUs && !ServiceIsLate) {
      request.deadline = now + Options.patience;
      return;
    }
    std::string body;
    if (request.ours)
      body = joined(request);
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

void Proxy::say(int type, llvm::StringRef text) {
  llvm::errs() << "coreside: " << (type == 1 ? "error: " : "warning: ") << text
               << '\n';
  Message message = notification(
      "window/showMessage",
      json::Object{{"type", type}, {"message", ("coreside: " + text).str()}});
  if (InitializeAnswered)
    toClient(message);
  else
    ToSay.push_back(std::move(message));
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

void Proxy::expire(TimePoint now) {
  if (Clangd.startAt() && *Clangd.startAt() <= now && !ExitSince)
    startClangd();
  if (Service.startAt() && *Service.startAt() <= now && !ExitSince)
    startService();

  std::vector<std::string> due;
  for (const auto &[id, request] : Requests)
    if (request.deadline && *request.deadline <= now)
      due.push_back(id);
  for (const std::string &id : due) {
    Request &request = Requests[id];
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
      if (now >= *ExitSince + 2 * Options.exitPatience)
        child->kill(SIGKILL);
      else if (now >= *ExitSince + Options.exitPatience)
        child->kill(SIGTERM);
    }
    if (Service.child() && now >= *ExitSince + Options.exitPatience)
      Service.child()->kill(SIGKILL);
  }
}

std::optional<TimePoint> Proxy::nextDeadline() const {
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

void Proxy::beginExit(TimePoint now) {
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

void Proxy::wait() {
  std::vector<pollfd> files;
  auto add = [&](int file, short events) {
    files.push_back({file, events, 0});
    return files.size() - 1;
  };
  constexpr size_t none = ~size_t(0);
  size_t client = ClientIsGone || ExitSince ? none : add(STDIN_FILENO, POLLIN);
  size_t clientOut = ToClient.waiting() ? add(ToClient.file(), POLLOUT) : none;
  bool clientReads = ToClient.waiting() < maxWaitingForClient;
  add(Signals.file(), POLLIN);
  size_t outputs[2], inputs[2];
  ServerProcess *servers[] = {&Clangd, &Service};
  for (int i : {0, 1}) {
    ChildProcess *child = servers[i]->child();
    outputs[i] = child && clientReads ? add(child->output(), POLLIN) : none;
    inputs[i] = child && child->input().waiting()
                    ? add(child->input().file(), POLLOUT)
                    : none;
  }

  int timeout = -1;
  if (std::optional<TimePoint> next = nextDeadline()) {
    auto left = std::chrono::ceil<Milliseconds>(*next - Clock::now()).count();
    timeout = std::clamp<int64_t>(left, 0, 60000);
  }
  int count = poll(files.data(), files.size(), timeout);
  if (count < 0)
    return;
  auto ready = [&](size_t at) { return at != none && files[at].revents; };

  if (ready(clientOut))
    ToClient.flush();
  for (int i : {0, 1})
    if (ready(inputs[i]))
      servers[i]->child()->input().flush();

  for (int i : {0, 1}) {
    ServerProcess &server = *servers[i];
    if (!server.child())
      continue;
    bool more = true;
    if (ready(outputs[i]))
      more = server.receive();
    // What it said before it ended is still there to be read.
    if (server.ended())
      while (more && server.receive()) {
        pollfd rest{server.child()->output(), POLLIN, 0};
        if (poll(&rest, 1, 0) <= 0)
          break;
      }
    while (std::optional<Message> message = server.next())
      i == 0 ? fromClangd(*message) : fromService(*message);
    if (server.sawNonsense() && !SaidNonsense) {
      llvm::errs() << "coreside: warning: " << (i == 0 ? "clangd" : "coreside")
                   << " has written something that is no message; it is left "
                      "out\n";
      SaidNonsense = true;
    }
    // Without an output it is of no use.
    if (!more && !server.ended())
      server.child()->kill(ExitSince ? SIGTERM : SIGKILL);
    if (server.ended())
      i == 0 ? clangdEnded() : serviceEnded();
  }

  if (ready(client)) {
    char buffer[65536];
    ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got > 0) {
      FromClient.add({buffer, size_t(got)});
      while (std::optional<Message> message = FromClient.next()) {
        fromClient(*message);
        if (ExitSince)
          break;
      }
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      ClientIsGone = true;
    }
  }
  if (ClientIsGone || ToClient.isBroken())
    beginExit(Clock::now());
  if (Signals.take()) {
    beginExit(Clock::now());
    for (ServerProcess *server : servers)
      if (server->child())
        server->child()->kill(SIGTERM);
  }
}

void Proxy::finish() {
  // The last words; who does not read them for a second does not want them.
  TimePoint end = Clock::now() + std::chrono::seconds(1);
  while (ToClient.waiting() && Clock::now() < end) {
    pollfd file{ToClient.file(), POLLOUT, 0};
    poll(&file, 1, 100);
    ToClient.flush();
  }
}

int Proxy::exitCode() const {
  if (Clangd.exitCode())
    return *Clangd.exitCode();
  return ShutdownSeen ? 0 : 1;
}

int Proxy::run() {
  if (Options.clangd.empty()) {
    Clangd.setGone();
    say(1, Options.problem + "; coreside goes on alone");
  } else {
    startClangd();
  }
  startService();
  while (!(ExitSince && !Clangd.isRunning() && !Service.isRunning())) {
    expire(Clock::now());
    wait();
  }
  finish();
  return exitCode();
}

} // namespace

int coreside::runClangdProxy(const ClangdProxyOptions &options) {
  std::signal(SIGPIPE, SIG_IGN);
  // Not to block belongs to the file, which others may have open, too.
  int flags = fcntl(STDOUT_FILENO, F_GETFL);
  int code = Proxy(options).run();
  fcntl(STDOUT_FILENO, F_SETFL, flags);
  return code;
}
