// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `coreside clangd`: clangd, and what coreside knows, as one language server.
//
//   coreside clangd --background-index --coreside-gpu=h100
//
// All arguments are clangd's but those that begin with --coreside-:
//
//   --coreside-clangd=PATH    the clangd to run; else $CORESIDE_CLANGD,
//                             clangd-22 or clangd from PATH
//   --coreside-patience=MS    how long an answer of clangd waits for ours;
//                             silence, command-patience, service-timeout and
//                             exit-patience are the other times of
//                             ClangdProxyOptions
//   --coreside-NAME[=VALUE]   --NAME=VALUE of `coreside lsp`

#ifndef CORESIDE_TOOLS_CLANGDCOMMAND_H
#define CORESIDE_TOOLS_CLANGDCOMMAND_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace coreside {

/// `arguments` are those behind `clangd`, `ourselves` the path of this program.
/// To be called on the main thread: it starts programs that end with the thread
/// that started them. The exit code is clangd's.
int runClangd(llvm::ArrayRef<std::string> arguments,
              const std::string &ourselves);

} // namespace coreside

#endif
