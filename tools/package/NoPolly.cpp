// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In place of Polly, an optimizer of loops that LLVM is built with.
//
// In:   clang's code generator, which asks each extension for its passes
// Out:  none
//
// Debian has its archive in a package of its own. It does nothing unless it is
// asked for with -mllvm -polly, and PTX of ours only tells clang's numbers.

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "no Polly", "", [](llvm::PassBuilder &) {}};
}
