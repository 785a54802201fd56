// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which expressions of device code read or change memory in a way that other
// blocks notice, in any of the spellings there are.
//
// In:   atomicAdd(&g->count, 1u), flag.load(), __ldcg(p), inline PTX
// Out:  Add, pointer &g->count, operand 1u; Load, object flag; ...

#ifndef CORESIDE_PROGRAM_DEVICEACCESS_H
#define CORESIDE_PROGRAM_DEVICEACCESS_H

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class GCCAsmStmt;
} // namespace clang

namespace coreside {

struct DeviceAccess {
  enum class Kind {
    /// Reads anew each time.
    Load,
    Store,
    /// Adds, or another change whose result depends on what was there.
    Change,
    /// Takes away: atomicSub, atomicDec.
    Decrease,
    Exchange,
    CompareExchange,
    /// Waits in a library: std::atomic's wait, a latch's or a barrier's.
    Wait,
    /// Arrives at a library's barrier, and waits for it.
    Arrive,
    ArriveAndWait,
    /// Takes from and adds to a library's semaphore.
    Acquire,
    Release,
  };
  Kind kind = Kind::Load;
  /// What points to the memory; or the object itself where `isObject`.
  const clang::Expr *memory = nullptr;
  bool isObject = false;
  /// What is stored, added, exchanged; null where there is none.
  const clang::Expr *operand = nullptr;
  /// CompareExchange: what has to be there.
  const clang::Expr *expected = nullptr;
  /// Where the value goes that was read; null for the expression's own value.
  const clang::Expr *result = nullptr;
};

/// The access that a call is by itself; a function with a body of its own is
/// none, save a library's.
std::optional<DeviceAccess> accessOf(const clang::CallExpr &call,
                                     const clang::ASTContext &context);

/// What inline assembly does to memory that is not the block's own.
llvm::SmallVector<DeviceAccess, 2> accessesOf(const clang::GCCAsmStmt &text);

/// What else inline assembly does.
struct AssemblyFacts {
  /// bar.sync or barrier with a number that is not in the text.
  bool runTimeBarrier = false;
  /// Clobbers memory: what is read after it is read anew.
  bool memory = false;
  /// Ends the kernel: trap, exit.
  bool ends = false;
};
AssemblyFacts factsOf(const clang::GCCAsmStmt &text,
                      const clang::ASTContext &context);

} // namespace coreside

#endif
