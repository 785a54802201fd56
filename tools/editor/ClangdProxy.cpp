// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangdProxy.h"

#include "MessageSplitter.h"
#include "OutputQueue.h"
#include "ProxySession.h"
#include "SignalPipe.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <vector>

using namespace coreside;

namespace {

/// More than this waits for the editor: servers are not read until it reads.
constexpr size_t maxWaitingForClient = size_t(64) << 20;

/// Waits for whoever has something to say, and lets the session know.
class Loop {
public:
  explicit Loop(const ClangdProxyOptions &options)
      : ToClient(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)),
        Session(options, ToClient) {}

  int run() {
    Session.begin();
    while (!Session.hasEnded()) {
      Session.expire(Clock::now());
      wait();
    }
    finish();
    return Session.exitCode();
  }

private:
  void wait();
  void readServer(ServerProcess &server, bool isClangd, bool isReadable);
  void readClient();
  void finish();

  OutputQueue ToClient;
  ProxySession Session;
  MessageSplitter FromClient;
  SignalPipe Signals;
  bool ClientIsGone = false;
  bool SaidNonsense = false;
};

void Loop::wait() {
  std::vector<pollfd> files;
  constexpr size_t none = ~size_t(0);
  auto add = [&](bool wanted, int file, short events) {
    if (!wanted)
      return none;
    files.push_back({file, events, 0});
    return files.size() - 1;
  };
  add(true, Signals.file(), POLLIN);
  size_t client =
      add(!ClientIsGone && !Session.isExiting(), STDIN_FILENO, POLLIN);
  size_t toClient = add(ToClient.waiting(), ToClient.file(), POLLOUT);
  bool clientReads = ToClient.waiting() < maxWaitingForClient;
  ServerProcess *servers[] = {&Session.clangd(), &Session.service()};
  size_t outputs[] = {none, none}, inputs[] = {none, none};
  for (int i : {0, 1})
    if (ChildProcess *child = servers[i]->child()) {
      outputs[i] = add(clientReads, child->output(), POLLIN);
      inputs[i] = add(child->input().waiting(), child->input().file(), POLLOUT);
    }

  int timeout = -1;
  if (std::optional<Clock::time_point> next = Session.nextDeadline()) {
    auto left = std::chrono::ceil<Milliseconds>(*next - Clock::now()).count();
    timeout = std::clamp<int64_t>(left, 0, 60000);
  }
  if (poll(files.data(), files.size(), timeout) < 0)
    return;
  auto ready = [&](size_t at) { return at != none && files[at].revents; };

  if (ready(toClient))
    ToClient.flush();
  for (int i : {0, 1}) {
    if (ready(inputs[i]))
      servers[i]->child()->input().flush();
    if (servers[i]->child())
      readServer(*servers[i], i == 0, ready(outputs[i]));
  }
  if (ready(client))
    readClient();

  bool end = Signals.take();
  // Before their input ends: else clangd may choose another exit code.
  if (end)
    for (ServerProcess *server : servers)
      if (server->child())
        server->child()->kill(SIGTERM);
  if (end || ClientIsGone || ToClient.isBroken())
    Session.beginExit(Clock::now());
}

void Loop::readServer(ServerProcess &server, bool isClangd, bool isReadable) {
  bool hasOutput = !isReadable || server.receive();
  // What it said before it ended is still there to be read.
  if (server.ended())
    while (hasOutput && server.receive()) {
      pollfd rest{server.child()->output(), POLLIN, 0};
      if (poll(&rest, 1, 0) <= 0)
        break;
    }
  while (std::optional<Message> message = server.next())
    isClangd ? Session.fromClangd(*message) : Session.fromService(*message);
  if (server.sawNonsense() && !SaidNonsense) {
    llvm::errs() << "coreside: warning: " << (isClangd ? "clangd" : "coreside")
                 << " has written something that is no message; it is left "
                    "out\n";
    SaidNonsense = true;
  }
  // Without an output it is of no use.
  if (!hasOutput && !server.ended())
    server.child()->kill(Session.isExiting() ? SIGTERM : SIGKILL);
  if (server.ended())
    isClangd ? Session.clangdEnded() : Session.serviceEnded();
}

void Loop::readClient() {
  char buffer[65536];
  ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0) {
    ClientIsGone = true;
    return;
  }
  FromClient.add({buffer, size_t(count)});
  while (!Session.isExiting())
    if (std::optional<Message> message = FromClient.next())
      Session.fromClient(*message);
    else
      return;
}

void Loop::finish() {
  // The last words; who does not read them for a second does not want them.
  Clock::time_point end = Clock::now() + std::chrono::seconds(1);
  while (ToClient.waiting() && Clock::now() < end) {
    pollfd file{ToClient.file(), POLLOUT, 0};
    poll(&file, 1, 100);
    ToClient.flush();
  }
}

} // namespace

int coreside::runClangdProxy(const ClangdProxyOptions &options) {
  std::signal(SIGPIPE, SIG_IGN);
  // Not to block belongs to the file, which others may have open, too.
  int flags = fcntl(STDOUT_FILENO, F_GETFL);
  int code = Loop(options).run();
  fcntl(STDOUT_FILENO, F_SETFL, flags);
  return code;
}
