// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `coreside clangd` costs clangd's own answers.
//
//   build/bin/proxy-benchmark [FILE.cu [ROUNDS]]
//
// clangd and `coreside clangd` have the same two documents open. Each round
// asks both the same, one after the other. The second document is edited every
// 400 ms, so that clangd and coreside read it anew all the time.
//
//   hover at a launch            p50       p95       p99       max   (ms, ...
//     clangd                   0.456     2.063     6.547    30.821
//     coreside clangd          0.519     0.931     4.109    10.506
//     added                    0.062    -1.132    -2.438

#include "editor/ChildProcess.h"
#include "editor/JSONMembers.h"
#include "editor/MessageSplitter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace coreside;
namespace json = llvm::json;
using Clock = std::chrono::steady_clock;

namespace {

[[noreturn]] void fail(llvm::StringRef text) {
  llvm::errs() << "proxy-benchmark: " << text << '\n';
  std::exit(2);
}

std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << value;
  return text;
}

/// A language server and the documents that are open in it.
class Server {
public:
  Server(const std::string &program, std::vector<std::string> arguments) {
    llvm::Expected<std::unique_ptr<ChildProcess>> child =
        ChildProcess::start(program, arguments);
    if (!child)
      fail(llvm::toString(child.takeError()));
    Child = std::move(*child);
    ask("initialize",
        json::Object{
            {"processId", nullptr},
            {"rootUri", nullptr},
            {"capabilities",
             json::Object{
                 {"textDocument",
                  json::Object{
                      {"hover", json::Object{{"contentFormat",
                                              json::Array{"markdown"}}}}}}}}});
    notify("initialized", json::Object{});
  }

  void notify(llvm::StringRef method, json::Value params) {
    send(json::Object{
        {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }

  /// Milliseconds until the answer has come.
  double ask(llvm::StringRef method, json::Value params) {
    std::string id = std::to_string(++Id);
    std::string body = textOf(json::Object{{"jsonrpc", "2.0"},
                                           {"id", int64_t(Id)},
                                           {"method", method},
                                           {"params", std::move(params)}});
    Clock::time_point begin = Clock::now();
    Child->input().write(makeMessage(body).bytes);
    for (;;) {
      Message message = receive();
      if (messageParts(message.body()).id == id) {
        LastAnswer = message.body().size();
        return std::chrono::duration<double, std::milli>(Clock::now() - begin)
            .count();
      }
    }
  }

  void open(llvm::StringRef uri, llvm::StringRef text) {
    notify(
        "textDocument/didOpen",
        json::Object{{"textDocument", json::Object{{"uri", uri},
                                                   {"languageId", "cuda-cpp"},
                                                   {"version", 1},
                                                   {"text", text}}}});
  }

  /// Waits for the diagnostics of `uri` with the source `source`.
  void waitForDiagnostics(llvm::StringRef uri, llvm::StringRef source) {
    for (;;) {
      Message message = receive();
      if (message.body().contains("publishDiagnostics") &&
          message.body().contains(uri) && message.body().contains(source))
        return;
    }
  }

  size_t lastAnswer() const { return LastAnswer; }

private:
  void send(json::Value value) {
    Child->input().write(makeMessage(textOf(value)).bytes);
  }

  Message receive() {
    for (;;) {
      if (std::optional<Message> message = Reader.next())
        return std::move(*message);
      pollfd files[2] = {{Child->output(), POLLIN, 0},
                         {Child->input().file(), POLLOUT, 0}};
      if (poll(files, Child->input().waiting() ? 2 : 1, 120000) == 0)
        fail("no answer for two minutes");
      Child->input().flush();
      if (!files[0].revents)
        continue;
      char buffer[65536];
      ssize_t count = read(Child->output(), buffer, sizeof buffer);
      if (count == 0)
        fail("the server has ended");
      if (count > 0)
        Reader.add({buffer, size_t(count)});
    }
  }

  std::unique_ptr<ChildProcess> Child;
  MessageSplitter Reader;
  int64_t Id = 0;
  size_t LastAnswer = 0;
};

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, size_t(part * values.size()))];
}

void print(llvm::StringRef name, const std::vector<double> &values) {
  llvm::outs() << fmt::format("  {:<20} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}\n",
                              name.str(), percentile(values, 0.5),
                              percentile(values, 0.95),
                              percentile(values, 0.99), percentile(values, 1));
}

} // namespace

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::string file =
      argc > 1 ? argv[1] : CORESIDE_SOURCE_DIR "/docs/examples/pipeline.cu";
  unsigned rounds = argc > 2 ? std::atoi(argv[2]) : 1000;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(file);
  llvm::ErrorOr<std::string> clangd = llvm::sys::findProgramByName("clangd-22");
  if (!buffer || !clangd || !rounds)
    fail("usage: proxy-benchmark [FILE.cu [ROUNDS]], with clangd-22 in PATH");
  llvm::StringRef text = (*buffer)->getBuffer();

  // A launch to hover over.
  size_t launch = text.find("<<<");
  if (launch == llvm::StringRef::npos)
    fail("there is no launch in " + file);
  int64_t line = text.substr(0, launch).count('\n');
  int64_t character = launch - text.rfind('\n', launch) - 2;

  std::string coreside = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  coreside = coreside.substr(0, coreside.rfind('/')) + "/coreside";
  Server direct(*clangd, {"--log=error", "--background-index=0"});
  Server proxied(coreside, {"clangd", "--log=error", "--background-index=0",
                            "--coreside-clangd=" + *clangd});
  // A folder without a compile database: the same flags for both.
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("proxy-benchmark", folder))
    fail("no temporary folder");
  std::string uri = ("file://" + folder + "/still.cu").str();
  std::string edited = ("file://" + folder + "/edited.cu").str();
  for (Server *server : {&direct, &proxied}) {
    server->open(uri, text);
    server->open(edited, text);
    server->waitForDiagnostics(edited, "\"version\":1");
  }

  auto document = [](llvm::StringRef uri) {
    return json::Object{{"textDocument", json::Object{{"uri", uri}}}};
  };
  struct Question {
    const char *name;
    const char *method;
    bool atLaunch;
  } questions[] = {
      {"highlights (not ours)", "textDocument/documentHighlight", true},
      {"semantic tokens (not ours)", "textDocument/semanticTokens/full", false},
      {"hover at a launch", "textDocument/hover", true},
  };
  // Until coreside has read both once and knows what their kernels take.
  Clock::time_point begin = Clock::now();
  for (const std::string &opened : {uri, edited})
    for (;;) {
      size_t sizes[2];
      for (Server *server : {&direct, &proxied}) {
        json::Object params = document(opened);
        params["position"] =
            json::Object{{"line", line}, {"character", character}};
        server->ask("textDocument/hover", std::move(params));
        sizes[server == &proxied] = server->lastAnswer();
      }
      if (sizes[0] != sizes[1])
        break;
      if (Clock::now() - begin > std::chrono::minutes(2))
        fail("coreside has nothing to say about the launch");
      usleep(50000);
    }

  int64_t version = 1;
  Clock::time_point lastEdit;
  for (const Question &question : questions) {
    std::vector<double> times[2];
    size_t sizes[2] = {};
    for (unsigned round = 0; round < rounds; ++round) {
      // As a person would ask, and often enough for both to have work always.
      usleep(2000);
      if (Clock::now() - lastEdit > std::chrono::milliseconds(400)) {
        lastEdit = Clock::now();
        ++version;
        for (Server *server : {&direct, &proxied})
          server->notify(
              "textDocument/didChange",
              json::Object{
                  {"textDocument",
                   json::Object{{"uri", edited}, {"version", version}}},
                  {"contentChanges",
                   json::Array{json::Object{
                       {"text", text.str() + "\nvoid edited() { int i = " +
                                    std::to_string(version) + "; }\n"}}}}});
      }
      // Who comes first changes.
      double time[2];
      for (unsigned turn : {0u, 1u}) {
        unsigned which = (turn + round) % 2;
        Server &server = which == 0 ? direct : proxied;
        json::Object params = document(uri);
        if (question.atLaunch)
          params["position"] =
              json::Object{{"line", line}, {"character", character}};
        time[which] = server.ask(question.method, std::move(params));
        sizes[which] = server.lastAnswer();
      }
      times[0].push_back(time[0]);
      times[1].push_back(time[1]);
    }
    llvm::outs() << fmt::format(
        "{:<22} {:>9} {:>9} {:>9} {:>9}   (ms, {} rounds; "
        "answers of {} and {} bytes)\n",
        question.name, "p50", "p95", "p99", "max", rounds, sizes[0], sizes[1]);
    print("clangd", times[0]);
    print("coreside clangd", times[1]);
    llvm::outs() << fmt::format(
        "  {:<20} {:>9.3f} {:>9.3f} {:>9.3f}\n", "added",
        percentile(times[1], 0.5) - percentile(times[0], 0.5),
        percentile(times[1], 0.95) - percentile(times[0], 0.95),
        percentile(times[1], 0.99) - percentile(times[0], 0.99));
    llvm::outs().flush();
  }
  llvm::sys::fs::remove_directories(folder);
}
