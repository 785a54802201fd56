// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ServerProcess.h"

#include <cerrno>
#include <unistd.h>

using namespace coreside;

llvm::Error ServerProcess::start() {
  llvm::Expected<std::unique_ptr<ChildProcess>> child =
      ChildProcess::start(Program, Arguments);
  if (!child)
    return child.takeError();
  Child = std::move(*child);
  Reader = MessageSplitter();
  ExitCode.reset();
  StartAt.reset();
  Now = State::Starting;
  ++Generation;
  return llvm::Error::success();
}

void ServerProcess::send(const Message &message) {
  if (Child)
    Child->input().write(message.bytes);
}

bool ServerProcess::receive() {
  char buffer[65536];
  ssize_t count = ::read(Child->output(), buffer, sizeof buffer);
  if (count > 0)
    Reader.add({buffer, size_t(count)});
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

std::optional<int> ServerProcess::ended() {
  return Child ? Child->exitCode() : std::nullopt;
}

bool ServerProcess::clear(bool again, Clock::time_point now) {
  if (Child)
    ExitCode = Child->exitCode();
  Child.reset();
  StartAt = again ? Restarts.afterEnd(now) : std::nullopt;
  Now = StartAt ? State::Down : State::Gone;
  return Now == State::Down;
}
