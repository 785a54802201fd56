// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch expressions that the file's own values keep from being reached.
//
// In:   the functions of a file, what they call, and what the interpreter
//       followed of them
// Out:  whether it is known that a launch is not made, and what decides that
//
//   switch (size) {           // size is 256 wherever this is called
//   case 128: a<128><<<...>>>(); break;   // not taken: 'size' is 256
//   case 256: a<256><<<...>>>(); break;
//   }

#ifndef CORESIDE_PROGRAM_UNTAKENLAUNCHES_H
#define CORESIDE_PROGRAM_UNTAKENLAUNCHES_H

#include "Interpreter.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace coreside {

class UntakenLaunches {
public:
  using Functions = llvm::SetVector<const clang::FunctionDecl *>;

  /// What keeps a statement from being run.
  struct Decision {
    /// The condition's statement, or the one that leaves the way.
    const clang::Stmt *at = nullptr;
    /// Null where there is none: a return.
    const clang::Expr *condition = nullptr;
    /// What the condition always is: "false", "128 or 256".
    std::string outcome = {};
  };

  /// `closures` holds what generic lambdas in the functions were instantiated
  /// to. `facts` may grow after.
  UntakenLaunches(
      const UnitFacts &facts, const Functions &functions,
      const Functions &closures,
      const llvm::DenseMap<const clang::FunctionDecl *, Functions> &callees)
      : Facts(facts), All(functions), Closures(closures), Callees(callees) {}

  /// What decides, on every way to `statement`, which stands in `function`, to
  /// go elsewhere: a condition, a loop without a turn, a return. Of several the
  /// first. Nothing where the way ends otherwise: nobody calls the function, a
  /// closure is handed to code that is not there, the reading was given up.
  std::optional<Decision> whyUntaken(const clang::Stmt *statement,
                                     const clang::FunctionDecl *function);

  /// Whether `function`, or a function that leads to it, was not followed to
  /// its end or with all that it is called with.
  bool isOpen(const clang::FunctionDecl *function);

private:
  const UnitFacts &Facts;
  const Functions &All, &Closures;
  const llvm::DenseMap<const clang::FunctionDecl *, Functions> &Callees;
  /// Functions that nothing was followed of, with what decides that none of
  /// their calls is made. A null decision while it is being found out: a
  /// function that only calls itself is not called.
  llvm::DenseMap<const clang::FunctionDecl *, std::optional<Decision>> Uncalled;
  /// All that open functions lead to, of so many of these.
  llvm::DenseSet<const clang::FunctionDecl *> Open;
  size_t Spread = 0;

  std::optional<Decision> whyUncalled(const clang::FunctionDecl *function);
  std::optional<Decision> decisionIn(const clang::Stmt *statement,
                                     const clang::Stmt *part) const;
  Decision whatLeft(const clang::Stmt *statement) const;
  Decision chosenIn(const clang::SwitchStmt *statement) const;
};

} // namespace coreside

#endif
