// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SignalPipe.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace coreside;

namespace {

int writeEnd = -1;

void handle(int signal) {
  int before = errno;
  char byte = char(signal);
  (void)!write(writeEnd, &byte, 1);
  errno = before;
}

constexpr int handled[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};

} // namespace

SignalPipe::SignalPipe() {
  int files[2];
  if (pipe2(files, O_CLOEXEC | O_NONBLOCK))
    return;
  Read = files[0];
  writeEnd = files[1];
  for (int signal : handled) {
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

SignalPipe::~SignalPipe() {
  for (int signal : handled)
    std::signal(signal, SIG_DFL);
  if (Read >= 0) {
    close(Read);
    close(writeEnd);
  }
  writeEnd = -1;
}

bool SignalPipe::take() {
  bool end = false;
  char bytes[64];
  ssize_t count;
  while ((count = read(Read, bytes, sizeof bytes)) > 0)
    for (ssize_t i = 0; i < count; ++i)
      end |= bytes[i] != SIGCHLD;
  return end;
}
