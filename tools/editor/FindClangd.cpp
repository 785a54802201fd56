// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FindClangd.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <optional>

using namespace coreside;

namespace {

/// A program that was named, by the option or the variable.
llvm::Expected<std::string> named(llvm::StringRef name, llvm::StringRef where,
                                  llvm::StringRef ourselves) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
  if (!program || !llvm::sys::fs::can_execute(*program))
    return llvm::createStringError("there is no program '" + name +
                                   "', which " + where + " names as clangd");
  if (llvm::sys::fs::equivalent(*program, ourselves))
    return llvm::createStringError("'" + name + "', which " + where +
                                   " names as clangd, is coreside itself");
  return *program;
}

} // namespace

llvm::Expected<std::string> coreside::findClangd(llvm::StringRef option,
                                                 llvm::StringRef ourselves) {
  if (!option.empty())
    return named(option, "--coreside-clangd", ourselves);
  std::optional<std::string> variable =
      llvm::sys::Process::GetEnv("CORESIDE_CLANGD");
  if (variable && !variable->empty())
    return named(*variable, "CORESIDE_CLANGD", ourselves);
  llvm::SmallVector<llvm::StringRef, 16> folders;
  std::string path = llvm::sys::Process::GetEnv("PATH").value_or("");
  llvm::StringRef(path).split(folders, llvm::sys::EnvPathSeparator);
  for (llvm::StringRef name : {"clangd-22", "clangd"})
    // One by one: a link to coreside may be called clangd, and stand first.
    for (llvm::StringRef folder : folders) {
      llvm::ErrorOr<std::string> program =
          llvm::sys::findProgramByName(name, {folder});
      if (program && !llvm::sys::fs::equivalent(*program, ourselves))
        return *program;
    }
  return llvm::createStringError("there is no clangd-22 or clangd in PATH; "
                                 "install clangd, or name it with "
                                 "--coreside-clangd=PATH or CORESIDE_CLANGD");
}
