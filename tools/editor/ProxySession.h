// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `coreside clangd` does with each message: between a client, clangd, and
// our own part.
//
// In:   messages of the three, the ends of the two servers, the time
// Out:  messages to the three
//
// ProxySession.cpp is about the client, ProxySessionClangd.cpp about clangd,
// ProxySessionService.cpp about our own part. It never waits.

#ifndef CORESIDE_EDITOR_PROXYSESSION_H
#define CORESIDE_EDITOR_PROXYSESSION_H

#include "ClangdProxy.h"
#include "ClientRequest.h"
#include "DocumentDiagnostics.h"
#include "JSONMembers.h"
#include "MessageSplitter.h"
#include "OutputQueue.h"
#include "ServerAsks.h"
#include "ServerProcess.h"
#include "SessionState.h"

#include "llvm/Support/JSON.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coreside {

/// The key of the document that params.textDocument names.
std::string keyOfDocument(const MessageParts &parts);
/// The key of the document whose diagnostics are published.
std::string keyOfPublished(const MessageParts &parts);

class ProxySession {
public:
  using TimePoint = Clock::time_point;

  /// What it writes to `client` is not waited for.
  ProxySession(const ClangdProxyOptions &options, OutputQueue &client)
      : Options(options), Clangd(options.clangd, options.clangdArguments),
        Service(options.service, options.serviceArguments), ToClient(client) {}

  /// Starts both servers.
  void begin();

  /// Their processes; who reads them says what has come and when they have
  /// ended.
  ServerProcess &clangd() { return Clangd; }
  ServerProcess &service() { return Service; }

  void fromClient(const Message &message);
  void fromClangd(const Message &message);
  void fromService(const Message &message);
  void clangdEnded();
  void serviceEnded();

  /// Does what is due at `now`.
  void expire(TimePoint now);
  /// When something will be due.
  std::optional<TimePoint> nextDeadline() const;

  /// The client is gone, or has said so: the servers are to end.
  void beginExit(TimePoint now);
  bool isExiting() const { return ExitSince.has_value(); }
  /// Both have ended.
  bool hasEnded() const {
    return ExitSince && !Clangd.isRunning() && !Service.isRunning();
  }
  /// clangd's; where there is none, or it would not end, 0 if the client has
  /// ended in order.
  int exitCode() const;

private:
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

  // The client.
  void request(const Message &message, const MessageParts &parts);
  void notify(const Message &message, const MessageParts &parts);
  void didOpen(const Message &message, const MessageParts &parts);
  void response(const Message &message, const MessageParts &parts);
  void toClient(const Message &message) { ToClient.write(message.bytes); }
  void toClient(llvm::StringRef body) { toClient(makeMessage(body)); }
  /// Shown once the client can be shown something. `type` is LSP's.
  void say(int type, llvm::StringRef text);
  /// Answers the request if what is there is enough.
  void settle(const std::string &id);
  /// Shows our diagnostics of a document without clangd's.
  void publishAlone(const std::string &key);

  // clangd.
  void startClangd();
  /// `awaitedKey`: not before the command of that document is known.
  void toClangd(const Message &message, llvm::StringRef awaitedKey = "");
  void releaseHeld(TimePoint now);
  void initializeAnswered(const Message &message, const MessageParts &parts);
  /// Tells one that was started again all that it has to know.
  void replayToClangd();
  void clangdIsGone();
  /// Tells clangd how a document is compiled.
  void gotCommand(const std::string &key, llvm::StringRef command);

  // Our own part.
  void startService();
  void toService(const Message &message);
  uint64_t askService(llvm::StringRef method, llvm::json::Value params,
                      ServiceRequest::Purpose purpose, std::string subject);
  uint64_t passRequestToService(const Message &message,
                                const MessageParts &parts);
  /// As soon as it is known what clangd has answered.
  void initializeService();
  void replayToService();
  void serviceAnswered(const Message &message, const MessageParts &parts);
  void serviceAsks(const Message &message, const MessageParts &parts);
  void askCommand(const std::string &key);
  void askCommands();

  const ClangdProxyOptions &Options;
  ServerProcess Clangd;
  ServerProcess Service;
  OutputQueue &ToClient;

  SessionState Session;
  std::map<std::string, ProxiedDocument> Documents;
  /// Diagnostics of ours that wait for clangd's.
  std::map<std::string, TimePoint> WaitingDiagnostics;

  /// By the client's ids, as canonicalId gives them.
  std::map<std::string, ClientRequest> Requests;
  /// Ids that were answered without clangd, whose answer comes too late.
  std::set<std::string> Abandoned;
  std::deque<Held> ToClangd;
  ServerAsks Asks;
  /// Progress that clangd has begun to show.
  std::set<std::string> ClangdProgress;

  uint64_t ServiceNumber = 0;
  std::map<uint64_t, ServiceRequest> ServiceRequests;
  /// It has let an answer wait for longer than `patience`, and has said nothing
  /// since.
  bool ServiceIsLate = false;
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

  bool ShutdownSeen = false;
  /// It had to be killed after `exit`.
  bool ClangdWasSlow = false;
  std::optional<TimePoint> ExitSince;
};

} // namespace coreside

#endif
