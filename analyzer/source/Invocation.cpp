// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Invocation.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"

std::shared_ptr<clang::CompilerInvocation>
coreside::invocationOf(llvm::ArrayRef<std::string> commandLine,
                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  std::vector<const char *> arguments;
  for (const std::string &word : commandLine)
    arguments.push_back(word.c_str());
  clang::DiagnosticOptions options;
  clang::IgnoringDiagConsumer ignore;
  clang::CreateInvocationOptions how;
  how.Diags = clang::CompilerInstance::createDiagnostics(
      *files, options, &ignore, /*ShouldOwnClient=*/false);
  how.VFS = files;
  how.RecoverOnError = true;
  return clang::createInvocation(arguments, how);
}
