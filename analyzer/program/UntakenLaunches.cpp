// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UntakenLaunches.h"

#include "ReadBody.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace coreside {
namespace {

/// From `body` down to `statement`, both included; empty if it is not in there.
bool findWay(const Stmt *body, const Stmt *statement,
             llvm::SmallVectorImpl<const Stmt *> &way) {
  if (!body)
    return false;
  way.push_back(body);
  if (body == statement)
    return true;
  for (const Stmt *child : body->children())
    if (findWay(child, statement, way))
      return true;
  way.pop_back();
  return false;
}

/// A statement that may leave out a part of itself.
bool decides(const Stmt *statement) {
  if (const auto *binary = dyn_cast<BinaryOperator>(statement))
    return binary->isLogicalOp();
  return isa<CompoundStmt, IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt,
             CXXForRangeStmt, AbstractConditionalOperator>(statement);
}

/// The calls of `callee` that are written in `statement`.
void findCalls(const Stmt *statement, const FunctionDecl *callee,
               llvm::SmallVectorImpl<const Stmt *> &calls) {
  if (!statement)
    return;
  const FunctionDecl *called = nullptr;
  if (const auto *call = dyn_cast<CallExpr>(statement))
    called = call->getDirectCallee();
  else if (const auto *construction = dyn_cast<CXXConstructExpr>(statement))
    called = construction->getConstructor();
  if (called && readDefinition(called) == callee)
    calls.push_back(statement);
  for (const Stmt *child : statement->children())
    findCalls(child, callee, calls);
}

} // namespace

bool UntakenLaunches::isUntaken(const Stmt *statement,
                                const FunctionDecl *function) {
  llvm::SmallVector<const Stmt *, 32> way;
  if (!findWay(function->getBody(), statement, way))
    return false;
  for (size_t i = way.size(); i-- > 0;)
    if (Followed.contains(way[i]))
      return i + 1 < way.size() && decides(way[i]);
  return isUncalled(function);
}

bool UntakenLaunches::isUncalled(const FunctionDecl *function) {
  auto [at, isNew] = Uncalled.try_emplace(function, true);
  if (!isNew)
    return at->second;
  bool isCalled = false, isUncalled = true;
  auto look = [&](const FunctionDecl *caller) {
    llvm::SmallVector<const Stmt *, 4> calls;
    findCalls(caller->getBody(), function, calls);
    for (const Stmt *call : calls)
      isUncalled = isUncalled && isUntaken(call, caller);
    isCalled |= !calls.empty();
    return !calls.empty();
  };
  for (const FunctionDecl *closure : Closures)
    look(closure);
  for (const FunctionDecl *caller : All) {
    auto callees = Callees.find(caller);
    if (callees == Callees.end() || !callees->second.contains(function))
      continue;
    // Called otherwise: at the end of an object, through a virtual function.
    if (!look(caller) && !Closures.contains(function))
      isUncalled = false;
  }
  return Uncalled[function] = isCalled && isUncalled;
}

} // namespace coreside
