// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangdCommand.h"

#include "editor/ClangdProxy.h"
#include "editor/FindClangd.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>
#include <vector>

using namespace coreside;

namespace {

/// Set for what we start: a script called clangd that starts us would go round
/// for ever.
constexpr const char *insideVariable = "CORESIDE_CLANGD_INSIDE";

/// Whether clangd prints something for people and ends.
bool isForPeople(llvm::StringRef argument) {
  if (!argument.consume_front("--") && !argument.consume_front("-"))
    return false;
  return argument == "version" || argument == "help" || argument == "h" ||
         argument == "help-hidden" || argument == "help-list" ||
         argument == "help-list-hidden" || argument == "check" ||
         argument.starts_with("check=");
}

/// Which of the times that one waits for the other `name` sets.
Milliseconds *timeNamed(ClangdProxyOptions &options, llvm::StringRef name) {
  return llvm::StringSwitch<Milliseconds *>(name)
      .Case("patience", &options.patience)
      .Case("silence", &options.silence)
      .Case("command-patience", &options.commandPatience)
      .Case("service-timeout", &options.serviceTimeout)
      .Case("exit-patience", &options.exitPatience)
      .Default(nullptr);
}

int fail(llvm::StringRef text) {
  llvm::errs() << "coreside: error: " << text << '\n';
  return 2;
}

} // namespace

int coreside::runClangd(llvm::ArrayRef<std::string> arguments,
                        const std::string &ourselves) {
  ClangdProxyOptions options;
  options.service = ourselves;
  options.serviceArguments = {"lsp"};
  std::string named;
  for (llvm::StringRef argument : arguments) {
    llvm::StringRef ours = argument;
    if (!ours.consume_front("--coreside-") &&
        !ours.consume_front("-coreside-")) {
      options.clangdArguments.push_back(argument.str());
      continue;
    }
    auto [name, value] = ours.split('=');
    if (name == "clangd") {
      if (value.empty())
        return fail("--coreside-clangd: it takes a program: "
                    "--coreside-clangd=/usr/bin/clangd-22");
      named = value.str();
    } else if (Milliseconds *time = timeNamed(options, name)) {
      unsigned milliseconds = 0;
      if (value.getAsInteger(10, milliseconds))
        return fail("--coreside-" + name.str() + ": '" + value.str() +
                    "' is not a number of milliseconds");
      *time = Milliseconds(milliseconds);
    } else if (name == "service") {
      // For tests of what happens when it hangs.
      options.service = value.str();
      options.serviceArguments.clear();
    } else {
      options.serviceArguments.push_back("--" + ours.str());
    }
  }

  if (llvm::sys::Process::GetEnv(insideVariable))
    return fail("the program that was found as clangd starts coreside again; "
                "name the real one with --coreside-clangd=PATH");
  setenv(insideVariable, "1", true);
  llvm::Expected<std::string> clangd = findClangd(named, ourselves);
  bool forPeople = llvm::any_of(arguments, isForPeople);
  if (clangd)
    options.clangd = *clangd;
  else if (forPeople)
    return fail(llvm::toString(clangd.takeError()));
  else
    options.problem = llvm::toString(clangd.takeError());

  if (forPeople) {
    // Editors and people ask clangd for its version.
    std::vector<char *> words{options.clangd.data()};
    for (std::string &argument : options.clangdArguments)
      words.push_back(argument.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    return fail(options.clangd +
                ": cannot be started: " + llvm::sys::StrError());
  }
  return runClangdProxy(options);
}
