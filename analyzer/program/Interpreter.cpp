// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   statements and function definitions.
// Out:  steps, in host order.

#include "Interpreter.h"

#include "NamedRecords.h"
#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {

Interpreter::Interpreter(ASTContext &context, KernelTable &kernels,
                         StepTexts &texts, UnitFacts &facts,
                         const ReadOptions &options,
                         bool perThreadDefaultStream)
    : Context(context), Kernels(kernels), Texts(texts), Facts(facts),
      Options(options), PerThread(perThreadDefaultStream),
      Store([this](const Address &address) -> std::optional<Datum> {
        auto at = Initials.find({address, 0});
        return at == Initials.end() ? std::nullopt : std::optional(at->second);
      }) {}

Trace Interpreter::run(const FunctionDecl *function) {
  Result.function = nameOf(*function);
  Result.place = placeOf(function->getLocation(), Context);
  MainTrace = function->isMain();
  Device = {Store.create("the current device"), {}};
  Store.store(Device, Datum::of(0));

  Frame frame;
  frame.function = function;
  for (const ParmVarDecl *parameter : function->parameters()) {
    std::string name = parameter->getNameAsString();
    frame.variables[parameter] = {Store.create(name, /*external=*/true), {}};
  }
  if (const auto *method = dyn_cast<CXXMethodDecl>(function))
    if (method->isInstance())
      frame.thisObject = {
          Store.create("this", /*external=*/true, /*pointee=*/true), {"[0]"}};
  nameParameters(function, frame);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function)) {
    Frames.push_back(frame);
    initialiseMembers(constructor);
    frame = std::move(Frames.back());
    Frames.pop_back();
  }
  const Frame outermost = frame;
  Datum returned = runBody(function, std::move(frame), nullptr);
  leave(function, outermost, returned);
  Result.evaluations = Evaluations;
  for (const auto &[before, call] : Met)
    Facts.reached.insert(call);

  addImpliedGuards();
  numberConditions();
  // What nothing names is not told.
  dropUnnamed(Result);
  return std::move(Result);
}

Interpreter::Flow Interpreter::execute(const Stmt *statement) {
  if (!statement)
    return Flow::Normal;
  if (Stopped)
    return Flow::LeftProgram;
  Facts.followed.insert(statement);
  auto afterExpression = [&] {
    if (Dead) {
      Dead = false;
      return Flow::LeftProgram;
    }
    return Flow::Normal;
  };
  if (const auto *expression = dyn_cast<Expr>(statement)) {
    size_t temporaries = Temporaries.size();
    discard(expression);
    endTemporaries(temporaries);
    return afterExpression();
  }
  switch (statement->getStmtClass()) {
  case Stmt::CompoundStmtClass: {
    std::vector<const Stmt *> statements;
    for (const Stmt *one : cast<CompoundStmt>(statement)->body())
      statements.push_back(one);
    return executeCompound(statements, statement);
  }
  case Stmt::DeclStmtClass:
    for (const Decl *declaration : cast<DeclStmt>(statement)->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
        declare(variable);
        declareBindings(variable);
      }
    return afterExpression();
  case Stmt::IfStmtClass:
    return executeIf(cast<IfStmt>(statement));
  case Stmt::SwitchStmtClass:
    return executeSwitch(cast<SwitchStmt>(statement));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return execute(cast<SwitchCase>(statement)->getSubStmt());
  case Stmt::LabelStmtClass:
    return execute(cast<LabelStmt>(statement)->getSubStmt());
  case Stmt::AttributedStmtClass:
    return execute(cast<AttributedStmt>(statement)->getSubStmt());
  case Stmt::CXXTryStmtClass:
    return executeTry(cast<CXXTryStmt>(statement));
  case Stmt::ForStmtClass:
    return executeFor(cast<ForStmt>(statement));
  case Stmt::CXXForRangeStmtClass:
    return executeRangeFor(cast<CXXForRangeStmt>(statement));
  case Stmt::WhileStmtClass:
    return executeWhile(cast<WhileStmt>(statement));
  case Stmt::DoStmtClass:
    return executeDo(cast<DoStmt>(statement));
  case Stmt::ReturnStmtClass:
    return executeReturn(cast<ReturnStmt>(statement));
  case Stmt::BreakStmtClass: {
    Frame &frame = Frames.back();
    for (size_t l = frame.loops.size(); l > 0; --l)
      if (!frame.loops[l - 1].isLabel) {
        destroyLocals(frame.loops[l - 1].locals);
        LoopContext &loop = Frames.back().loops[l - 1];
        loop.breaks.push_back({Store.changesSince(loop.depth), std::nullopt});
        return Flow::LeftLoop;
      }
    return Flow::Normal;
  }
  case Stmt::ContinueStmtClass: {
    Frame &frame = Frames.back();
    for (LoopContext &loop : llvm::reverse(frame.loops))
      if (!loop.isSwitch && !loop.isLabel) {
        destroyLocals(loop.locals);
        loop.continues.push_back(
            {Store.changesSince(loop.turnDepth), std::nullopt});
        break;
      }
    return Flow::LeftTurn;
  }
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    return executeGoto(statement);
  default:
    break;
  }
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return executeDirective(directive);
  if (const auto *coroutine = dyn_cast<CoroutineBodyStmt>(statement))
    return executeCoroutine(coroutine);
  if (const auto *coreturn = dyn_cast<CoreturnStmt>(statement))
    return executeCoreturn(coreturn);
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    return execute(captured->getCapturedStmt());
  return Flow::Normal;
}

/// Whether something in `statement` may throw. What the C language calls,
/// CUDA's runtime included, does not.
static bool mayThrow(const Stmt *statement) {
  if (!statement || isa<LambdaExpr>(statement))
    return false;
  if (isa<CXXThrowExpr, CXXNewExpr, CXXDynamicCastExpr, CoroutineSuspendExpr>(
          statement))
    return true;
  auto isQuiet = [](const FunctionDecl *callee) {
    if (!callee)
      return false;
    const auto *type = callee->getType()->getAs<FunctionProtoType>();
    return callee->isTrivial() || callee->isExternC() ||
           callee->getBuiltinID() || callee->hasAttr<CUDAGlobalAttr>() ||
           (callee->getIdentifier() && isRuntimeFunction(callee->getName())) ||
           (type && type->isNothrow());
  };
  if (const auto *call = dyn_cast<CallExpr>(statement);
      call && !isQuiet(call->getDirectCallee()) &&
      !isa<CUDAKernelCallExpr>(call))
    return true;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(statement);
      construction && !isQuiet(construction->getConstructor()))
    return true;
  return llvm::any_of(statement->children(), mayThrow);
}

/// What a `throw` ends on its way to the innermost handlers; without any the
/// program ends.
void Interpreter::unwind() {
  if (Tries.empty())
    return;
  const auto [first, kept] = Tries.back();
  for (size_t f = Frames.size(); f-- > first;)
    for (size_t i = Frames[f].locals.size(); i > (f == first ? kept : 0); --i) {
      auto [address, type] = Frames[f].locals[i - 1];
      endLifetime(address, type);
    }
}

/// Calls succeed, but each may fail as well: a handler is entered perhaps, with
/// whatever the block had stored until then.
Interpreter::Flow Interpreter::executeTry(const CXXTryStmt *statement) {
  llvm::SmallVector<const Stmt *> handlers;
  if (mayThrow(statement->getTryBlock()))
    for (unsigned i = 0; i != statement->getNumHandlers(); ++i)
      handlers.push_back(statement->getHandler(i)->getHandlerBlock());
  // But what would have been thrown may have been caught, so a check in the
  // block says nothing about what follows.
  const size_t facts = Learnt.size(), guards = Guards.size();
  if (handlers.empty()) {
    Flow flow = execute(statement->getTryBlock());
    Learnt.resize(std::min(facts, Learnt.size()));
    return flow;
  }
  const unsigned emitted = Emitted;
  // Also what is stored where the way then leaves the block.
  std::map<Address, bool> stored;
  addStored(statement->getTryBlock(), stored);
  Store.beginChanges();
  Tries.push_back({Frames.size() - 1, Frames.back().locals.size()});
  Flow flow = execute(statement->getTryBlock());
  Tries.pop_back();
  const unsigned tried = Emitted - emitted;
  Learnt.resize(std::min(facts, Learnt.size()));
  const Memory::Changes changes = Store.takeBack();
  // An arm that threw does not exclude what follows: the handlers run after it.
  Guards.resize(std::min(guards, Guards.size()));
  const char *why = "depends on what was thrown";
  std::vector<std::function<Flow()>> ways;
  ways.push_back([&] {
    Store.join({changes});
    // What follows the handlers does not run together with what the block did
    // before it left.
    if (flow != Flow::Normal)
      Emitted += tried;
    return flow;
  });
  for (const Stmt *handler : handlers)
    ways.push_back([&, handler] {
      Store.join({changes});
      for (const auto &[object, root] : changes)
        Store.storeNode({object, {}}, withoutNumbers(root, why));
      for (const auto &[address, whole] : stored)
        if (auto node = Store.find(address))
          Store.storeNode(address, withoutNumbers(node, why));
      return execute(handler);
    });
  std::vector<llvm::function_ref<Flow()>> arms(ways.begin(), ways.end());
  return branch({Conditions++}, arms);
}

Interpreter::Flow
Interpreter::executeCompound(llvm::ArrayRef<const Stmt *> statements,
                             const Stmt *braces) {
  size_t locals = Frames.back().locals.size();
  Flow flow = Flow::Normal;
  if (hasLabels()) {
    flow = executeLabelled(statements, braces);
  } else {
    const Stmt *outer = Statement;
    for (const Stmt *statement : statements) {
      Statement = Texts.statementToChange(outer, braces, statement);
      flow = execute(statement);
      Statement = outer;
      if (flow != Flow::Normal)
        break;
    }
  }
  if (flow == Flow::Normal)
    destroyLocals(locals);
  Frames.back().locals.resize(locals);
  return flow;
}

/// auto [a, b] = pair; each of the names is a variable of its own.
void Interpreter::declareBindings(const VarDecl *variable) {
  if (const auto *decomposed = dyn_cast<DecompositionDecl>(variable))
    for (const BindingDecl *binding : decomposed->bindings())
      if (const VarDecl *holding = binding->getHoldingVar())
        declare(holding);
}

void Interpreter::declare(const VarDecl *variable) {
  if (variable->isInvalidDecl() && variable->getType()->isDependentType())
    return;
  QualType type = variable->getType();
  if (variable->hasExternalStorage())
    return;
  if (variable->isStaticLocal()) {
    globalAddress(variable);
    return;
  }
  Frame &frame = Frames.back();
  if (type->isReferenceType()) {
    Place place;
    // The end of a temporary that the reference keeps is the scope's.
    if (variable->getInit())
      place = locate(variable->getInit());
    Address address = addressOrStandIn(place, variable->getNameAsString());
    Frames.back().variables[variable] = address;
    return;
  }
  Address address{Store.create(variable->getNameAsString()), {}};
  Store.setType(address.object, type->getAsCXXRecordDecl());
  frame.variables[variable] = address;
  if (const Expr *initialiser = variable->getInit()) {
    initialise(address, type, initialiser);
    // A number that cannot be calculated is called what its variable is.
    if (auto node = Store.find(address);
        node && node->datum && node->datum->isNumber() &&
        node->datum->number.kind == coreside::Value::Kind::Unknown &&
        integerType(type)) {
      Datum named = symbol(variable->getNameAsString(), type, /*stable=*/true);
      if (!named.known()) {
        named.number.low = std::max(named.number.low, node->datum->number.low);
        named.number.high =
            std::min(named.number.high, node->datum->number.high);
      }
      // How it came about says more than the name, where it is told in short.
      if (!named.known() && !node->datum->number.formula.empty())
        named.number.formula = node->datum->number.formula;
      named.sample = node->datum->sample;
      Store.store(address, named);
    }
    if (auto node = Store.find(address); node && node->datum &&
                                         integerType(type) &&
                                         !Options.assumptions.empty()) {
      Datum datum = *node->datum;
      assume(datum, variable->getName(), type, variable->getLocation());
      Store.store(address, datum);
    }
    // Whichever stream it is, it is one and the same as long as the variable
    // holds it.
    if (auto node = Store.find(address);
        isStreamType(type) && node && node->datum && node->datum->isUnknown()) {
      Stream stream;
      stream.name = variable->getNameAsString();
      stream.place = placeOf(variable->getLocation(), Context);
      Store.store(address, Datum::stream(newStream(std::move(stream))));
    }
  }
  endWithScope(Frames.back(), address, type);
}

Interpreter::Flow Interpreter::executeReturn(const ReturnStmt *statement) {
  std::optional<Datum> value;
  if (const Expr *expression = statement->getRetValue()) {
    if (Frames.back().function->getReturnType()->isReferenceType()) {
      value = pointerTo(locate(expression));
    } else if (const VarDecl *returned = statement->getNRVOCandidate();
               returned && hasEnd(returned->getType())) {
      // Not copied.
      value = readAddress(variableAddress(returned), returned->getType());
    } else {
      value = evaluate(expression);
    }
  }
  if (Dead) {
    Dead = false;
    return Flow::LeftProgram;
  }
  // What is returned without a copy lives on.
  if (const VarDecl *returned = statement->getNRVOCandidate())
    if (auto at = Frames.back().variables.find(returned);
        at != Frames.back().variables.end())
      llvm::erase_if(Frames.back().locals, [&](const auto &local) {
        return local.first == at->second;
      });
  destroyLocals(0);
  Frame &frame = Frames.back();
  frame.returns.push_back({Store.changesSince(frame.depth), std::move(value)});
  return Flow::LeftFunction;
}

} // namespace coreside
