// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that runs beside us and is spoken to over pipes.
//
// In:   /usr/bin/clangd, its arguments
// Out:  where to write its input, where to read its output, how it ended
//
// llvm/Support/Program.h starts programs with files only. Its standard error is
// ours.

#ifndef CORESIDE_EDITOR_CHILDPROCESS_H
#define CORESIDE_EDITOR_CHILDPROCESS_H

#include "OutputQueue.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

namespace coreside {

class ChildProcess {
public:
  /// Starts `program` with `arguments`, which do not repeat its name.
  static llvm::Expected<std::unique_ptr<ChildProcess>>
  start(const std::string &program, llvm::ArrayRef<std::string> arguments);

  ~ChildProcess();

  /// What it reads.
  OutputQueue &input() { return Input; }
  /// Where its output is read; it does not block.
  int output() const { return Output; }

  /// How it ended as shells say it, 128 and more for a signal; nothing while it
  /// runs.
  std::optional<int> exitCode();
  void kill(int signal);

private:
  ChildProcess(pid_t id, int input, int output)
      : Id(id), Input(input), Output(output) {}

  pid_t Id;
  OutputQueue Input;
  int Output;
  std::optional<int> ExitCode;
};

/// "exit code 1", "signal 11 (Segmentation fault)".
std::string describeExit(int code);

} // namespace coreside

#endif
