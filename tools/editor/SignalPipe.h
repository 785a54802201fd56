// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals as something that poll() waits for.
//
// In:   SIGCHLD, SIGTERM, SIGINT, SIGHUP
// Out:  a file that can be read, and whether we are to end

#ifndef CORESIDE_EDITOR_SIGNALPIPE_H
#define CORESIDE_EDITOR_SIGNALPIPE_H

namespace coreside {

/// One at a time; what signals did before is lost.
class SignalPipe {
public:
  SignalPipe();
  ~SignalPipe();
  SignalPipe(const SignalPipe &) = delete;
  SignalPipe &operator=(const SignalPipe &) = delete;

  /// Readable after a signal.
  int file() const { return Read; }
  /// Makes it not readable; true where one of the signals asked us to end.
  bool take();

private:
  int Read = -1;
};

} // namespace coreside

#endif
