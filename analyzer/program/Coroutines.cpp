// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   the bodies of coroutines.
// Out:  their steps: up to where it may first be suspended as a call, from
// there
//       on as a thread that nothing joins, since whoever resumes it is not
//       followed.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace coreside {

Interpreter::Flow
Interpreter::executeCoroutine(const CoroutineBodyStmt *statement) {
  const unsigned before = Thread;
  if (statement->getPromiseDeclStmt())
    execute(statement->getPromiseDeclStmt());
  if (const Expr *object = statement->getReturnValueInit())
    Frames.back().coroutineResult = evaluate(object);
  else
    Frames.back().coroutineResult = Datum::unknown("a coroutine");
  if (const Stmt *start = statement->getInitSuspendStmt())
    execute(start);
  Flow flow = execute(statement->getBody());
  if (flow == Flow::Normal)
    Frames.back().returns.push_back({Store.changesSince(Frames.back().depth),
                                     Frames.back().coroutineResult});
  Thread = before;
  return flow == Flow::Normal ? Flow::LeftFunction : flow;
}

Interpreter::Flow Interpreter::executeCoreturn(const CoreturnStmt *statement) {
  if (const Expr *call = statement->getPromiseCall())
    evaluate(call);
  else if (const Expr *operand = statement->getOperand())
    evaluate(operand);
  destroyLocals(0);
  Frame &frame = Frames.back();
  frame.returns.push_back(
      {Store.changesSince(frame.depth), frame.coroutineResult});
  return Flow::LeftFunction;
}

/// co_await and co_yield.
Datum Interpreter::evaluateSuspend(const CoroutineSuspendExpr *expression) {
  if (const OpaqueValueExpr *opaque = expression->getOpaqueValue()) {
    Place awaited = locate(expression->getCommonExpr());
    if (awaited.known())
      OpaquePlaces[opaque] = awaited.address;
  }
  std::optional<bool> ready = truthOf(evaluate(expression->getReadyExpr()));
  if (!ready || !*ready) {
    evaluate(expression->getSuspendExpr());
    const CXXRecordDecl *awaiter = expression->getCommonExpr()
                                       ->getType()
                                       .getNonReferenceType()
                                       ->getAsCXXRecordDecl();
    const bool never = awaiter && awaiter->isInStdNamespace() &&
                       awaiter->getIdentifier() &&
                       awaiter->getName() == "suspend_never";
    bool isOutside = true;
    for (const Frame &frame : Frames)
      isOutside = isOutside && frame.suspended != Thread;
    if (!never && (isOutside || Thread == 0)) {
      Step step;
      step.kind = Step::Kind::ThreadStart;
      step.otherThread = ++Threads;
      emit(std::move(step), expression);
      Thread = Threads;
      Frames.back().suspended = Thread;
    }
  }
  const Expr *resumed = expression->getResumeExpr();
  return resumed->isGLValue()
             ? read(locate(resumed), resumed->getType(), resumed)
             : evaluate(resumed);
}

} // namespace coreside
