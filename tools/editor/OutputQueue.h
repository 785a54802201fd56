// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes to someone who may not read.
//
// In:   messages, one after the other
// Out:  their bytes in order, as fast as they are taken; the rest waits here

#ifndef CORESIDE_EDITOR_OUTPUTQUEUE_H
#define CORESIDE_EDITOR_OUTPUTQUEUE_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <deque>
#include <string>

namespace coreside {

class OutputQueue {
public:
  /// Takes over `file`, a descriptor, and makes it not block.
  explicit OutputQueue(int file);
  ~OutputQueue();
  OutputQueue(const OutputQueue &) = delete;
  OutputQueue &operator=(const OutputQueue &) = delete;

  void write(llvm::StringRef bytes);
  /// Writes what can be written. To be called when poll() says so.
  void flush();
  /// Closes as soon as all is written.
  void closeWhenDone();

  /// Bytes that wait.
  size_t waiting() const { return Waiting; }
  /// Nobody will read any more.
  bool isBroken() const { return Broken; }
  /// -1 where it is closed.
  int file() const { return File; }

private:
  void close();

  int File;
  std::deque<std::string> Queue;
  /// What was written of the first.
  size_t Written = 0;
  size_t Waiting = 0;
  bool Broken = false;
  bool Closing = false;
};

} // namespace coreside

#endif
