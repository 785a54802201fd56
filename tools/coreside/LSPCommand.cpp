// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LSPCommand.h"

#include "editor/LanguageServer.h"

#include <csignal>
#include <unistd.h>

int coreside::runLSP(const EditorOptions &options) {
  // An editor that is gone is noticed where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  // Nothing else may print between messages.
  int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return serveLanguage(options, STDIN_FILENO, output);
}
