// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch expressions that the file's own values keep from being reached.
//
// In:   the functions of a file, what they call, and what the interpreter
//       followed of them
// Out:  whether it is known that a launch is not made
//
//   switch (size) {           // size is 256 wherever this is called
//   case 128: a<128><<<...>>>(); break;   // not taken
//   case 256: a<256><<<...>>>(); break;
//   }

#ifndef CORESIDE_PROGRAM_UNTAKENLAUNCHES_H
#define CORESIDE_PROGRAM_UNTAKENLAUNCHES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace coreside {

class UntakenLaunches {
public:
  using Functions = llvm::SetVector<const clang::FunctionDecl *>;

  /// `followed` holds the statements that were executed, `closures` what
  /// generic lambdas in the functions were instantiated to.
  UntakenLaunches(
      const llvm::DenseSet<const clang::Stmt *> &followed,
      const Functions &functions, const Functions &closures,
      const llvm::DenseMap<const clang::FunctionDecl *, Functions> &callees)
      : Followed(followed), All(functions), Closures(closures),
        Callees(callees) {}

  /// Whether on every way to `statement`, which stands in `function`, something
  /// decides to go elsewhere: a condition, a loop without a turn, a return.
  /// False where the way ends otherwise: nobody calls the function, a closure
  /// is handed to code that is not there.
  bool isUntaken(const clang::Stmt *statement,
                 const clang::FunctionDecl *function);

private:
  const llvm::DenseSet<const clang::Stmt *> &Followed;
  const Functions &All, &Closures;
  const llvm::DenseMap<const clang::FunctionDecl *, Functions> &Callees;
  /// Functions that nothing was followed of; true while it is being found out:
  /// a function that only calls itself is not called.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Uncalled;

  bool isUncalled(const clang::FunctionDecl *function);
};

} // namespace coreside

#endif
