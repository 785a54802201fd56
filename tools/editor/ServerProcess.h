// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of the two servers behind `coreside clangd`: the process, what it says,
// and when it is started again.
//
//   down --start--> starting --isReady--> ready --it ends--> down ... gone

#ifndef CORESIDE_EDITOR_SERVERPROCESS_H
#define CORESIDE_EDITOR_SERVERPROCESS_H

#include "ChildProcess.h"
#include "MessageSplitter.h"
#include "RestartPolicy.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

class ServerProcess {
public:
  enum class State {
    /// Not running; startAt says when it will.
    Down,
    /// Running, and has not answered `initialize`.
    Starting,
    Ready,
    /// Not running, for good.
    Gone
  };

  ServerProcess(std::string program, std::vector<std::string> arguments)
      : Program(std::move(program)), Arguments(std::move(arguments)) {}

  State state() const { return Now; }
  bool isRunning() const { return Child != nullptr; }
  bool isReady() const { return Now == State::Ready; }
  bool isGone() const { return Now == State::Gone; }
  /// How often it was started; tells one process from the next.
  unsigned generation() const { return Generation; }

  llvm::Error start();
  void setReady() { Now = State::Ready; }
  void setGone() { Now = State::Gone; }

  /// When to start it; only while it is down.
  std::optional<Clock::time_point> startAt() const {
    return Now == State::Down ? StartAt : std::nullopt;
  }

  /// Lost where it is not running.
  void send(const Message &message);
  /// Reads what is there; false at the end.
  bool receive();
  std::optional<Message> next() { return Reader.next(); }
  /// As MessageSplitter has it.
  bool sawNonsense() { return Reader.sawNonsense(); }

  /// Whether it has ended; then its exit code.
  std::optional<int> ended();
  /// Forgets the process that has ended; it is started again if `again` and it
  /// has not ended too often. False where it is gone.
  bool clear(bool again, Clock::time_point now);

  ChildProcess *child() { return Child.get(); }
  /// The last that was known, as shells say it.
  std::optional<int> exitCode() const { return ExitCode; }

private:
  std::string Program;
  std::vector<std::string> Arguments;
  std::unique_ptr<ChildProcess> Child;
  MessageSplitter Reader;
  RestartPolicy Restarts;
  State Now = State::Down;
  std::optional<Clock::time_point> StartAt;
  std::optional<int> ExitCode;
  unsigned Generation = 0;
};

} // namespace coreside

#endif
