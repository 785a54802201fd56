// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"

#include "llvm/ADT/Twine.h"

using namespace coreside;

void Remarks::say(llvm::StringRef kind, llvm::StringRef text) {
  Warned |= kind == "warning";
  if (Problem.empty() && kind != "note")
    Problem = text.str();
  std::string line =
      ("coreside: " + llvm::Twine(kind) + ": " + text + "\n").str();
  if (!Said.insert(line).second)
    return;
  Out << line;
  All.push_back({kind.str(), text.str()});
}

int Remarks::fail(llvm::StringRef text) {
  say("error", text);
  return 2;
}
