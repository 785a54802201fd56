// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command says beside its output, each thing once.
//
// In:   ("note", "a.cu: options file 'x.rsp' cannot be read ...") twice
// Out:  one line: coreside: note: a.cu: options file 'x.rsp' cannot be read ...

#ifndef CORESIDE_TOOLS_REMARKS_H
#define CORESIDE_TOOLS_REMARKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace coreside {

struct Remark {
  /// "note", "warning", "error".
  std::string kind;
  std::string text;
};

/// One for each run of a command; of one thread.
class Remarks {
public:
  explicit Remarks(llvm::raw_ostream &out) : Out(out) {}

  /// Prints a line, `kind` one of "note", "warning" and "error", unless it was
  /// printed before: what holds for many files is not said for each.
  void say(llvm::StringRef kind, llvm::StringRef text);

  /// Says an error that ends the command, and gives its exit code.
  int fail(llvm::StringRef text);

  /// Whether a warning was said.
  bool warned() const { return Warned; }

  /// The first warning or error that was said; empty where none was.
  const std::string &firstProblem() const { return Problem; }

  /// What was said, in order.
  const std::vector<Remark> &all() const { return All; }

  llvm::raw_ostream &stream() { return Out; }

private:
  llvm::raw_ostream &Out;
  llvm::StringSet<> Said;
  bool Warned = false;
  std::string Problem;
  std::vector<Remark> All;
};

} // namespace coreside

#endif
