// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputQueue.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace coreside;

OutputQueue::OutputQueue(int file) : File(file) {
  fcntl(File, F_SETFL, fcntl(File, F_GETFL) | O_NONBLOCK);
}

OutputQueue::~OutputQueue() { close(); }

void OutputQueue::close() {
  if (File >= 0)
    ::close(File);
  File = -1;
  Queue.clear();
  Written = Waiting = 0;
}

void OutputQueue::write(llvm::StringRef bytes) {
  if (File < 0 || Closing || bytes.empty())
    return;
  if (Queue.empty()) {
    // The common case costs no copy.
    ssize_t count = ::write(File, bytes.data(), bytes.size());
    if (count > 0)
      bytes = bytes.substr(count);
    else if (count < 0 && errno != EAGAIN && errno != EINTR) {
      Broken = true;
      close();
      return;
    }
    if (bytes.empty())
      return;
  }
  Waiting += bytes.size();
  Queue.push_back(bytes.str());
}

void OutputQueue::flush() {
  while (File >= 0 && !Queue.empty()) {
    const std::string &first = Queue.front();
    ssize_t count =
        ::write(File, first.data() + Written, first.size() - Written);
    if (count < 0) {
      if (errno == EINTR)
        continue;
      if (errno == EAGAIN)
        return;
      Broken = true;
      close();
      return;
    }
    Written += count;
    Waiting -= count;
    if (Written == first.size()) {
      Queue.pop_front();
      Written = 0;
    }
  }
  if (Closing)
    close();
}

void OutputQueue::closeWhenDone() {
  Closing = true;
  if (Queue.empty())
    close();
}
