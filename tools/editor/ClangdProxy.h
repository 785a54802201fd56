// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands where an editor expects clangd: `coreside clangd`.
//
//              +-------- clangd, with the arguments it was given
//   editor --- proxy
//              +-------- coreside lsp
//
// In:   what the editor and the two servers write
// Out:  clangd's messages byte for byte, with ours added to diagnostics,
// hovers,
//       code actions and inlay hints
//
// The proxy holds no compiler. What reads sources may crash or hang over them,
// and a crash takes its process along; so our own part is a process of its own
// as clangd is, and both can be started again from what the proxy knows of the
// session (SessionState.h).
//
// One thread waits for all of them in poll() and never for one alone: nothing
// it does takes longer for a hanging server. Only these wait, and not for long:
// - an answer of clangd for ours, `patience`, and not at all while our part is
//   behind; it was asked at the same time
// - an answer of ours for clangd's, `silence`
// - didOpen for the command of a file, `commandPatience`: clangd would read it
//   with nvcc's flags otherwise, and again with those it can understand

#ifndef CORESIDE_EDITOR_CLANGDPROXY_H
#define CORESIDE_EDITOR_CLANGDPROXY_H

#include "RestartPolicy.h"

#include <string>
#include <vector>

namespace coreside {

struct ClangdProxyOptions {
  /// The program; empty where there is none.
  std::string clangd;
  /// Why there is none.
  std::string problem;
  std::vector<std::string> clangdArguments;
  /// What answers as `coreside lsp` does.
  std::string service;
  std::vector<std::string> serviceArguments;

  Milliseconds patience{100};
  Milliseconds silence{5000};
  Milliseconds commandPatience{1000};
  /// How long our own part may leave a request unanswered before it is taken
  /// for dead.
  Milliseconds serviceTimeout{30000};
  /// How long clangd has to end after `exit`; twice as long and it is killed.
  Milliseconds exitPatience{3000};
};

/// Serves the client on standard input and output until it goes. The exit code
/// of clangd.
int runClangdProxy(const ClangdProxyOptions &options);

} // namespace coreside

#endif
