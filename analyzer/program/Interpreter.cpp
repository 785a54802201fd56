// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   statements and function definitions.
// Out:  steps, in host order.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace coreside {

/// Expressions evaluated for one trace before loops are no longer unrolled, and
/// before functions that ask nothing of the device are no longer followed.
constexpr uint64_t unrollBudget = 500000;
constexpr uint64_t followBudget = 2000000;
/// The same for loops that only calculate.
constexpr uint64_t calculationBudget = 100000;

Interpreter::Interpreter(ASTContext &context, KernelTable &kernels,
                         UnitFacts &facts, const ReadOptions &options,
                         bool perThreadDefaultStream)
    : Context(context), Kernels(kernels), Facts(facts), Options(options),
      PerThread(perThreadDefaultStream) {}

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
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function)) {
    Frames.push_back(frame);
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      if (initialiser->isAnyMemberInitializer()) {
        Place member = partOf({frame.thisObject, false, {}, {}},
                              initialiser->getAnyMember());
        this->initialise(member.address, initialiser->getAnyMember()->getType(),
                         initialiser->getInit());
      }
    frame = std::move(Frames.back());
    Frames.pop_back();
  }
  runBody(function, std::move(frame), nullptr);

  // What no step names is not told.
  auto compact = [&](auto &records, auto member) {
    std::vector<int> index(records.size(), -1);
    std::remove_reference_t<decltype(records)> kept;
    for (Step &step : Result.steps)
      if (int &at = step.*member; at >= 0) {
        if (index[at] < 0) {
          index[at] = kept.size();
          kept.push_back(std::move(records[at]));
        }
        at = index[at];
      }
    records = std::move(kept);
  };
  compact(Result.streams, &Step::stream);
  compact(Result.events, &Step::event);
  return std::move(Result);
}

// Steps.

void Interpreter::emit(Step step, const Expr *at) {
  if (Dead || Stopped)
    return;
  ++Emitted;
  if (Dry)
    return;
  if (Result.steps.size() >= Options.stepLimit) {
    cut("more than " + std::to_string(Options.stepLimit) + " steps");
    Stopped = true;
    return;
  }
  if (at)
    step.place = placeOf(at->getBeginLoc(), Context);
  step.path = Path;
  for (const ActiveGuard &active : Guards)
    if (!llvm::is_contained(step.guards, active.guard))
      step.guards.push_back(active.guard);
  step.loops = Loops;
  step.turns = Turns;
  step.device = currentDevice();
  step.thread = Thread;
  Result.steps.push_back(std::move(step));
}

void Interpreter::cut(const std::string &why) {
  if (!llvm::is_contained(Result.cuts, why))
    Result.cuts.push_back(why);
}

int Interpreter::newStream(Stream stream) {
  Result.streams.push_back(std::move(stream));
  return Result.streams.size() - 1;
}

int Interpreter::newGraph(Graph graph) {
  Result.graphs.push_back(std::move(graph));
  return Result.graphs.size() - 1;
}

/// The number of the current device; a negative one stands for a device that is
/// not known, the same for the same text.
int Interpreter::currentDevice() {
  auto node = Store.find(Device);
  const Datum *datum = node && node->datum ? &*node->datum : nullptr;
  if (datum)
    if (auto number = datum->pick(); number && *number >= 0)
      return *number;
  std::string name = !datum              ? ""
                     : datum->isNumber() ? datum->number.text
                                         : datum->text;
  return UnknownDevices.try_emplace(name, -1 - int(UnknownDevices.size()))
      .first->second;
}

/// Runs what another host thread does, there and then: its steps are marked as
/// that thread's.
unsigned Interpreter::startThread(const Expr *call,
                                  llvm::function_ref<void()> body) {
  unsigned before = Thread, started = ++Threads;
  Step step;
  step.kind = Step::Kind::ThreadStart;
  step.otherThread = started;
  emit(std::move(step), call);
  Thread = started;
  body();
  Thread = before;
  Dead = false;
  return started;
}

void Interpreter::joinThread(const Datum &handle, llvm::StringRef name,
                             const Expr *call) {
  auto number = handle.pick();
  if (!number)
    return;
  Step step;
  step.kind = Step::Kind::ThreadJoin;
  step.function = name.str();
  step.otherThread = *number;
  emit(std::move(step), call);
}

int Interpreter::newEvent(Event event) {
  Result.events.push_back(std::move(event));
  return Result.events.size() - 1;
}

int Interpreter::legacyStream() {
  if (LegacyStream < 0) {
    Stream stream;
    stream.origin = Stream::Origin::LegacyDefault;
    stream.name = "default stream";
    stream.blocking = Stream::Blocking::Yes;
    LegacyStream = newStream(std::move(stream));
  }
  return LegacyStream;
}

int Interpreter::perThreadStream() {
  if (PerThreadStream < 0) {
    Stream stream;
    stream.origin = Stream::Origin::PerThreadDefault;
    stream.name = "per-thread default stream";
    stream.blocking = Stream::Blocking::Yes;
    PerThreadStream = newStream(std::move(stream));
  }
  return PerThreadStream;
}

int Interpreter::defaultStream() {
  return PerThread ? perThreadStream() : legacyStream();
}

int Interpreter::streamOf(const Datum &datum, const Expr *expression) {
  if (datum.kind == Datum::Kind::Stream)
    return datum.handle;
  if (datum.kind == Datum::Kind::Null)
    return defaultStream();
  if (auto number = datum.known()) {
    // cudaStreamLegacy and cudaStreamPerThread are (cudaStream_t)1 and 2.
    if (*number == 0)
      return defaultStream();
    if (*number == 1)
      return legacyStream();
    if (*number == 2)
      return perThreadStream();
  }
  std::string name = expression ? textOf(expression) : "";
  if (name.empty())
    name = datum.text.empty() ? "unknown stream" : datum.text;
  auto [at, isNew] = UnknownStreams.try_emplace(name, -1);
  if (isNew) {
    Stream unknown;
    unknown.name = name;
    // Another time, the same expression may pick another stream.
    unknown.isOne = false;
    if (expression)
      unknown.place = placeOf(expression->getBeginLoc(), Context);
    at->second = newStream(std::move(unknown));
  }
  return at->second;
}

int Interpreter::eventOf(const Datum &datum, const Expr *expression) {
  if (datum.kind == Datum::Kind::Event)
    return datum.handle;
  std::string name = expression ? textOf(expression) : "";
  if (name.empty())
    name = "unknown event";
  auto [at, isNew] = UnknownEvents.try_emplace(name, -1);
  if (isNew)
    at->second =
        newEvent({name, false,
                  expression ? placeOf(expression->getBeginLoc(), Context)
                             : SourcePlace()});
  return at->second;
}

int Interpreter::kernelOf(const Datum &datum) {
  return datum.kind == Datum::Kind::Function ? Kernels.indexOf(datum.function)
                                             : -1;
}

// Conditions.

/// Whether every name in `formula` has stood for one thing only, so that two
/// conditions of this text are one.
bool Interpreter::hasStableNames(llvm::StringRef formula) const {
  bool any = false;
  for (size_t i = 0; i < formula.size();) {
    if (!llvm::isAlpha(formula[i]) && formula[i] != '_') {
      i += llvm::isDigit(formula[i])
               ? formula.drop_front(i)
                     .take_while([](char c) { return llvm::isAlnum(c); })
                     .size()
               : 1;
      continue;
    }
    // A name of ours goes on through p->x, s.x and a[2].
    size_t end = i;
    while (end < formula.size() &&
           (llvm::isAlnum(formula[end]) || formula[end] == '_' ||
            formula[end] == '.' || formula[end] == '[' || formula[end] == ']' ||
            (formula[end] == '-' && end + 1 < formula.size() &&
             formula[end + 1] == '>') ||
            (formula[end] == '>' && formula[end - 1] == '-')))
      ++end;
    std::string name = formula.slice(i, end).str();
    auto at = SymbolUses.find(name);
    if (at == SymbolUses.end() || at->second != 1)
      return false;
    any = true;
    i = end;
  }
  return any;
}

static bool mayStore(const Stmt *statement, const VarDecl *variable);

std::optional<bool> Interpreter::decide(const Expr *condition,
                                        unsigned *number) {
  Datum datum = evaluate(condition);
  std::optional<bool> truth = truthOf(datum);
  if (truth || !number)
    return truth;
  *number = conditionNumber(datum, "");
  // Whether a pointer is null stays as it is as long as nothing stores to it.
  const Expr *inner = condition->IgnoreParenImpCasts();
  std::string negations;
  for (const auto *negation = dyn_cast<UnaryOperator>(inner);
       negation && negation->getOpcode() == UO_LNot;
       negation = dyn_cast<UnaryOperator>(inner)) {
    negations += '!';
    inner = negation->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto *reference = dyn_cast<DeclRefExpr>(inner);
  const auto *variable =
      reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->getType()->isPointerType() &&
      !mayStore(Frames.back().function->getBody(), variable))
    if (Datum pointer = evaluate(inner); pointer.isPointer())
      *number = ConditionNumbers
                    .try_emplace(negations + "object " +
                                     std::to_string(pointer.pointer.object),
                                 *number)
                    .first->second;
  return std::nullopt;
}

/// The number of the condition that `datum`, which is not known, decides: the
/// same for what is certainly the same. `statement` tells those apart that take
/// other arms for one number.
unsigned Interpreter::conditionNumber(const Datum &datum,
                                      const std::string &statement) {
  if (!datum.isNumber() ||
      datum.number.kind != coreside::Value::Kind::Symbolic ||
      !hasStableNames(datum.number.text))
    return Conditions++;
  auto [at, isNew] =
      ConditionNumbers.try_emplace(statement + datum.number.text, Conditions);
  if (isNew)
    ++Conditions;
  return at->second;
}

/// Whether two numbers that change from turn to turn, `i == j`, are the same in
/// the turns that stand for all.
std::optional<bool> Interpreter::truthInTurn(const Expr *condition) {
  const auto *compare =
      dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (Turns.empty() || !compare || !compare->isEqualityOp() ||
      compare->HasSideEffects(Context))
    return std::nullopt;
  Datum left = evaluate(compare->getLHS()), right = evaluate(compare->getRHS());
  if (!left.isNumber() || !right.isNumber() || left.known() || right.known() ||
      !left.sample || !right.sample)
    return std::nullopt;
  return (*left.sample == *right.sample) == (compare->getOpcode() == BO_EQ);
}

Interpreter::Flow
Interpreter::branch(unsigned condition,
                    llvm::ArrayRef<llvm::function_ref<Flow()>> arms) {
  struct Way {
    Memory::Changes changes;
    Flow flow;
    unsigned steps;
  };
  std::vector<Way> ways;
  size_t guards = Guards.size();
  for (unsigned arm = 0; arm < arms.size(); ++arm) {
    Store.beginChanges();
    Guards.push_back({{condition, arm}, Flow::Normal});
    unsigned before = Emitted;
    Flow flow = arms[arm]();
    if (Dead) {
      Dead = false;
      flow = Flow::LeftProgram;
    }
    Guards.resize(guards);
    ways.push_back({Store.takeBack(), flow, Emitted - before});
  }
  std::vector<Memory::Changes> alive;
  unsigned aliveArm = 0;
  Flow left = Flow::LeftProgram;
  unsigned leftSteps = 0;
  for (unsigned arm = 0; arm < ways.size(); ++arm) {
    if (ways[arm].flow == Flow::Normal) {
      alive.push_back(std::move(ways[arm].changes));
      aliveArm = arm;
    } else {
      left = std::min(left, ways[arm].flow);
      leftSteps += ways[arm].steps;
    }
  }
  if (alive.empty())
    return left;
  Store.join(alive);
  // What follows does not run together with the arm that left.
  if (arms.size() == 2 && alive.size() == 1 && leftSteps)
    Guards.push_back({{condition, aliveArm}, left});
  return Flow::Normal;
}

void Interpreter::endGuards(size_t from, Flow level) {
  Guards.erase(std::remove_if(Guards.begin() + std::min(from, Guards.size()),
                              Guards.end(),
                              [&](const ActiveGuard &guard) {
                                return guard.until <= level;
                              }),
               Guards.end());
}

// Statements.

/// Whether a loop with this body may be left by a break.
static bool hasBreak(const Stmt *statement) {
  if (!statement ||
      isa<LambdaExpr, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(
          statement))
    return false;
  return isa<BreakStmt, GotoStmt>(statement) ||
         llvm::any_of(statement->children(), hasBreak);
}

Interpreter::Flow Interpreter::execute(const Stmt *statement) {
  if (!statement)
    return Flow::Normal;
  if (Stopped)
    return Flow::LeftProgram;
  auto afterExpression = [&] {
    if (Dead) {
      Dead = false;
      return Flow::LeftProgram;
    }
    return Flow::Normal;
  };
  if (const auto *expression = dyn_cast<Expr>(statement)) {
    evaluate(expression);
    return afterExpression();
  }
  switch (statement->getStmtClass()) {
  case Stmt::CompoundStmtClass: {
    std::vector<const Stmt *> statements;
    for (const Stmt *one : cast<CompoundStmt>(statement)->body())
      statements.push_back(one);
    return executeCompound(statements);
  }
  case Stmt::DeclStmtClass:
    for (const Decl *declaration : cast<DeclStmt>(statement)->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        declare(variable);
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
    // Calls succeed: no handler is entered.
    return execute(cast<CXXTryStmt>(statement)->getTryBlock());
  case Stmt::ForStmtClass:
    return executeFor(cast<ForStmt>(statement));
  case Stmt::CXXForRangeStmtClass:
    return executeRangeFor(cast<CXXForRangeStmt>(statement));
  case Stmt::WhileStmtClass: {
    const auto *loop = cast<WhileStmt>(statement);
    Loop shape;
    auto condition = [&]() -> std::optional<bool> {
      if (const VarDecl *variable = loop->getConditionVariable())
        declare(variable);
      return decide(loop->getCond());
    };
    auto body = [&] { return execute(loop->getBody()); };
    auto next = [] {};
    shape.statement = loop;
    shape.condition = condition;
    shape.body = body;
    shape.next = next;
    shape.turns = coreside::Value::unknown("the loop's condition decides");
    bool value;
    shape.endless =
        !loop->getCond()->isValueDependent() &&
        loop->getCond()->EvaluateAsBooleanCondition(value, Context) && value;
    Flow flow = runLoop(shape);
    if (flow == Flow::Normal && !hasBreak(loop->getBody()))
      waitedFor(loop->getCond(), false);
    return flow;
  }
  case Stmt::DoStmtClass: {
    const auto *loop = cast<DoStmt>(statement);
    Loop shape;
    auto condition = [&] { return decide(loop->getCond()); };
    auto body = [&] { return execute(loop->getBody()); };
    auto next = [] {};
    shape.statement = loop;
    shape.condition = condition;
    shape.body = body;
    shape.next = next;
    shape.bodyFirst = true;
    shape.turns = coreside::Value::unknown("the loop's condition decides");
    Flow flow = runLoop(shape);
    if (flow == Flow::Normal && !hasBreak(loop->getBody()))
      waitedFor(loop->getCond(), false);
    return flow;
  }
  case Stmt::ReturnStmtClass:
    return executeReturn(cast<ReturnStmt>(statement));
  case Stmt::BreakStmtClass: {
    Frame &frame = Frames.back();
    if (frame.loops.empty())
      return Flow::Normal;
    LoopContext &loop = frame.loops.back();
    loop.breaks.push_back({Store.changesSince(loop.depth), std::nullopt});
    return Flow::LeftLoop;
  }
  case Stmt::ContinueStmtClass: {
    Frame &frame = Frames.back();
    for (LoopContext &loop : llvm::reverse(frame.loops))
      if (!loop.isSwitch) {
        loop.continues.push_back(
            {Store.changesSince(loop.turnDepth), std::nullopt});
        break;
      }
    return Flow::LeftTurn;
  }
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    // Nearly always on the way out after an error: what stands behind the label
    // is not followed from here.
    cut("goto in '" + nameOf(*Frames.back().function) + "'");
    Frames.back().returns.push_back(
        {Store.changesSince(Frames.back().depth), std::nullopt});
    return Flow::LeftFunction;
  default:
    break;
  }
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (!directive->hasAssociatedStmt())
      return Flow::Normal;
    const Stmt *body = directive->getInnermostCapturedStmt()->getCapturedStmt();
    if (!isOpenMPParallelDirective(directive->getDirectiveKind()) ||
        !isRelevant(body, Facts))
      return execute(body);
    // Two threads stand for the whole team, and do everything twice.
    unsigned team[2];
    for (unsigned &member : team)
      member = startThread(nullptr, [&] { execute(body); });
    for (unsigned member : team)
      joinThread(Datum::of(member), "omp parallel", nullptr);
    return Flow::Normal;
  }
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    return execute(captured->getCapturedStmt());
  return Flow::Normal;
}

Interpreter::Flow
Interpreter::executeCompound(llvm::ArrayRef<const Stmt *> statements) {
  size_t locals = Frames.back().locals.size();
  for (const Stmt *statement : statements) {
    Flow flow = execute(statement);
    if (flow != Flow::Normal) {
      Frames.back().locals.resize(locals);
      return flow;
    }
  }
  destroyLocals(locals);
  Frames.back().locals.resize(locals);
  return Flow::Normal;
}

/// Runs the destructors of the frame's locals from the last to `from`.
void Interpreter::destroyLocals(size_t from) {
  for (size_t i = Frames.back().locals.size(); i > from; --i) {
    auto [address, record] = Frames.back().locals[i - 1];
    const CXXDestructorDecl *destructor = record->getDestructor();
    const FunctionDecl *definition = nullptr;
    if (!destructor || !destructor->hasBody(definition) ||
        definition->hasSkippedBody() ||
        llvm::any_of(Frames, [&](const Frame &frame) {
          return frame.function == definition;
        }))
      continue;
    Frame frame;
    frame.function = definition;
    frame.thisObject = address;
    runBody(definition, std::move(frame), nullptr);
  }
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
    if (variable->getInit())
      place = locate(variable->getInit());
    Address address = place.address;
    if (!place.known())
      address = {Store.create(variable->getNameAsString(), /*external=*/true),
                 {}};
    Frames.back().variables[variable] = address;
    return;
  }
  Address address{Store.create(variable->getNameAsString()), {}};
  frame.variables[variable] = address;
  if (const Expr *initialiser = variable->getInit()) {
    initialise(address, type, initialiser);
    // A number that cannot be calculated is called what its variable is.
    if (auto node = Store.find(address);
        node && node->datum && node->datum->isNumber() &&
        node->datum->number.kind == coreside::Value::Kind::Unknown &&
        integerType(type)) {
      Datum named = symbol(variable->getNameAsString(), type, /*stable=*/true);
      named.number.low = std::max(named.number.low, node->datum->number.low);
      named.number.high = std::min(named.number.high, node->datum->number.high);
      named.sample = node->datum->sample;
      Store.store(address, named);
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
  if (const auto *record = type->getAsCXXRecordDecl())
    if (const auto *destructor =
            record->hasDefinition() ? record->getDestructor() : nullptr)
      if (const FunctionDecl *definition = nullptr;
          destructor->hasBody(definition) && !definition->isDefaulted() &&
          !definition->hasSkippedBody() &&
          isRelevant(definition->getBody(), Facts))
        Frames.back().locals.push_back({address, record});
}

Interpreter::Flow Interpreter::executeIf(const IfStmt *statement) {
  if (statement->getInit())
    if (Flow flow = execute(statement->getInit()); flow != Flow::Normal)
      return flow;
  if (const VarDecl *variable = statement->getConditionVariable())
    declare(variable);
  if (statement->isConsteval())
    return execute(statement->isNegatedConsteval() ? statement->getThen()
                                                   : statement->getElse());
  unsigned number = 0;
  std::optional<bool> truth = decide(statement->getCond(), &number);
  if (Dead) {
    Dead = false;
    return Flow::LeftProgram;
  }
  if (truth)
    return execute(*truth ? statement->getThen() : statement->getElse());
  std::optional<bool> inTurn = truthInTurn(statement->getCond());
  auto arm = [&](bool truth, const Stmt *body) {
    waitedFor(statement->getCond(), truth);
    bool otherTurn = inTurn && *inTurn != truth;
    OtherTurns += otherTurn;
    Flow flow = execute(body);
    OtherTurns -= otherTurn;
    return flow;
  };
  auto thenArm = [&] { return arm(true, statement->getThen()); };
  auto elseArm = [&] { return arm(false, statement->getElse()); };
  return branch(number, {thenArm, elseArm});
}

Interpreter::Flow Interpreter::executeSwitch(const SwitchStmt *statement) {
  if (statement->getInit())
    execute(statement->getInit());
  if (const VarDecl *variable = statement->getConditionVariable())
    declare(variable);
  Datum datum = evaluate(statement->getCond());
  if (Dead) {
    Dead = false;
    return Flow::LeftProgram;
  }
  const auto *body = dyn_cast_or_null<CompoundStmt>(statement->getBody());
  if (!body)
    return Flow::Normal;
  std::vector<const Stmt *> statements(body->body_begin(), body->body_end());

  // Where each value enters. `case 1: case 2: x;` is one statement.
  struct Entry {
    size_t at;
    bool isDefault = false;
    std::vector<int64_t> values;
  };
  std::vector<Entry> entries;
  for (size_t i = 0; i < statements.size(); ++i) {
    Entry entry{i, false, {}};
    const Stmt *inner = statements[i];
    bool any = false;
    while (const auto *label = dyn_cast<SwitchCase>(inner)) {
      any = true;
      if (const auto *value = dyn_cast<CaseStmt>(label)) {
        Expr::EvalResult result;
        if (!value->getLHS()->isValueDependent() &&
            value->getLHS()->EvaluateAsInt(result, Context))
          entry.values.push_back(result.Val.getInt().getExtValue());
      } else {
        entry.isDefault = true;
      }
      inner = label->getSubStmt();
    }
    if (any)
      entries.push_back(std::move(entry));
  }

  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size();
  LoopContext context;
  context.depth = depth;
  context.isSwitch = true;
  Frames.back().loops.push_back(std::move(context));
  auto from = [&](size_t at) {
    return executeCompound(llvm::ArrayRef(statements).drop_front(at));
  };
  Flow flow = Flow::Normal;
  if (auto value = datum.known()) {
    const Entry *chosen = nullptr;
    for (const Entry &entry : entries)
      if (llvm::is_contained(entry.values, *value))
        chosen = &entry;
    if (!chosen)
      for (const Entry &entry : entries)
        if (entry.isDefault)
          chosen = &entry;
    if (chosen)
      flow = from(chosen->at);
  } else {
    bool hasDefault = false;
    std::vector<std::function<Flow()>> bodies;
    for (const Entry &entry : entries) {
      hasDefault |= entry.isDefault;
      bodies.push_back([&from, at = entry.at] { return from(at); });
    }
    if (!hasDefault)
      bodies.push_back([] { return Flow::Normal; });
    // A break ends an arm like its last statement would: each arm keeps its
    // own.
    std::vector<std::function<Flow()>> arms;
    for (auto &one : bodies)
      arms.push_back([this, &one] {
        size_t armDepth = Store.depth();
        Store.beginChanges();
        LoopContext inner;
        inner.depth = armDepth;
        inner.isSwitch = true;
        Frames.back().loops.push_back(std::move(inner));
        Flow flow = one();
        std::vector<Exit> breaks = std::move(Frames.back().loops.back().breaks);
        Frames.back().loops.pop_back();
        std::vector<Memory::Changes> ways;
        if (flow == Flow::Normal)
          ways.push_back(Store.changesSince(armDepth));
        for (Exit &exit : breaks)
          ways.push_back(std::move(exit.changes));
        Store.takeBack();
        if (ways.empty())
          return flow;
        Store.join(ways);
        return Flow::Normal;
      });
    std::vector<llvm::function_ref<Flow()>> references(arms.begin(),
                                                       arms.end());
    SourcePlace place = placeOf(statement->getBeginLoc(), Context);
    std::string which = "switch " + place.file + ":" +
                        std::to_string(place.line) + ":" +
                        std::to_string(place.column) + " ";
    flow = branch(conditionNumber(datum, which), references);
  }
  std::vector<Exit> breaks = std::move(Frames.back().loops.back().breaks);
  Frames.back().loops.pop_back();
  std::vector<Memory::Changes> ways;
  if (flow == Flow::Normal)
    ways.push_back(Store.changesSince(depth));
  for (Exit &exit : breaks)
    ways.push_back(std::move(exit.changes));
  Store.takeBack();
  endGuards(guards, Flow::LeftLoop);
  if (ways.empty())
    return flow;
  Store.join(ways);
  return Flow::Normal;
}

Interpreter::Flow Interpreter::executeReturn(const ReturnStmt *statement) {
  std::optional<Datum> value;
  if (const Expr *expression = statement->getRetValue()) {
    if (Frames.back().function->getReturnType()->isReferenceType()) {
      Place place = locate(expression);
      value =
          place.known() ? Datum::to(place.address) : Datum::unknown(place.why);
    } else {
      value = evaluate(expression);
    }
  }
  if (Dead) {
    Dead = false;
    return Flow::LeftProgram;
  }
  destroyLocals(0);
  Frame &frame = Frames.back();
  frame.returns.push_back({Store.changesSince(frame.depth), std::move(value)});
  return Flow::LeftFunction;
}

// Loops.

/// Whether `statement` stores to `variable` or lets go of its address.
static bool mayStore(const Stmt *statement, const VarDecl *variable) {
  if (!statement)
    return false;
  auto names = [&](const Expr *expression) {
    const auto *reference =
        dyn_cast<DeclRefExpr>(expression->IgnoreParenCasts());
    return reference && reference->getDecl() == variable;
  };
  if (const auto *binary = dyn_cast<BinaryOperator>(statement))
    if (binary->isAssignmentOp() && names(binary->getLHS()))
      return true;
  if (const auto *unary = dyn_cast<UnaryOperator>(statement))
    if ((unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf) &&
        names(unary->getSubExpr()))
      return true;
  if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee())
      for (unsigned i = 0;
           i < std::min(call->getNumArgs(), callee->getNumParams()); ++i) {
        QualType type = callee->getParamDecl(i)->getType();
        if (type->isReferenceType() &&
            !type.getNonReferenceType().isConstQualified() &&
            names(call->getArg(i)))
          return true;
      }
  if (isa<LambdaExpr>(statement))
    return true;
  for (const Stmt *child : statement->children())
    if (mayStore(child, variable))
      return true;
  return false;
}

Interpreter::Flow Interpreter::executeFor(const ForStmt *statement) {
  if (statement->getInit())
    if (Flow flow = execute(statement->getInit()); flow != Flow::Normal)
      return flow;
  Loop shape;
  auto condition = [&]() -> std::optional<bool> {
    if (const VarDecl *variable = statement->getConditionVariable())
      declare(variable);
    return statement->getCond() ? decide(statement->getCond())
                                : std::optional(true);
  };
  auto body = [&] { return execute(statement->getBody()); };
  auto next = [&] {
    if (statement->getInc())
      evaluate(statement->getInc());
  };
  shape.statement = statement;
  shape.condition = condition;
  shape.body = body;
  shape.next = next;
  shape.endless = !statement->getCond();
  shape.turns = coreside::Value::unknown("the loop's condition decides");

  // for (i = from; i < to; i += step)
  const auto *compare = dyn_cast_or_null<BinaryOperator>(
      statement->getCond() ? statement->getCond()->IgnoreParenImpCasts()
                           : nullptr);
  if (compare && compare->isComparisonOp() && statement->getInc()) {
    const auto *reference =
        dyn_cast<DeclRefExpr>(compare->getLHS()->IgnoreParenImpCasts());
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const Expr *increment = statement->getInc()->IgnoreParens();
    std::optional<int64_t> step;
    auto changes = [&](const Expr *expression) {
      const auto *changed =
          dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
      return changed && variable && changed->getDecl() == variable;
    };
    if (const auto *unary = dyn_cast<UnaryOperator>(increment)) {
      if (unary->isIncrementDecrementOp() && changes(unary->getSubExpr()))
        step = unary->isIncrementOp() ? 1 : -1;
    } else if (const auto *compound =
                   dyn_cast<CompoundAssignOperator>(increment);
               compound && changes(compound->getLHS()) &&
               (compound->getOpcode() == BO_AddAssign ||
                compound->getOpcode() == BO_SubAssign) &&
               !compound->getRHS()->HasSideEffects(Context)) {
      step = evaluate(compound->getRHS()).known();
      if (step && compound->getOpcode() == BO_SubAssign)
        step = -*step;
    }
    std::optional<IntegerType> type =
        variable ? integerType(variable->getType()) : std::nullopt;
    if (variable && type && step && *step != 0 &&
        !mayStore(statement->getBody(), variable) &&
        !compare->getRHS()->HasSideEffects(Context)) {
      coreside::Value from =
          numberOf(readAddress(variableAddress(variable), variable->getType()),
                   variable->getType(), nullptr);
      coreside::Value to = numberOf(evaluate(compare->getRHS()),
                                    compare->getRHS()->getType(), nullptr);
      shape.variable = variableAddress(variable);
      IntegerType wide{64, true};
      bool up = *step > 0;
      BinaryOperatorKind kind = compare->getOpcode();
      bool inclusive = kind == BO_LE || kind == BO_GE;
      bool fits = kind == BO_NE ? (*step == 1 || *step == -1)
                                : up == (kind == BO_LT || kind == BO_LE);
      if (fits && kind != BO_EQ) {
        coreside::Value distance =
            up ? apply(coreside::Operation::Subtract, to, from, wide)
               : apply(coreside::Operation::Subtract, from, to, wide);
        int64_t stride = up ? *step : -*step;
        if (inclusive)
          distance = apply(coreside::Operation::Add, distance,
                           coreside::Value::known(1), wide);
        if (stride > 1)
          distance = apply(coreside::Operation::Divide,
                           apply(coreside::Operation::Add, distance,
                                 coreside::Value::known(stride - 1), wide),
                           coreside::Value::known(stride), wide);
        if (distance.isKnown())
          shape.turns =
              coreside::Value::known(std::max<int64_t>(0, distance.low));
        else
          shape.turns =
              within(distance, 0, std::max<int64_t>(0, distance.high));
        int64_t low = up ? from.low : (inclusive ? to.low : to.low + 1);
        int64_t high = up ? (inclusive ? to.high : to.high - 1) : from.high;
        if (kind != BO_NE && low <= high && to.low > coreside::Value::lowest &&
            to.high < coreside::Value::highest)
          shape.range = {low, high};
      }
    }
  }
  return runLoop(shape);
}

Interpreter::Flow
Interpreter::executeRangeFor(const CXXForRangeStmt *statement) {
  if (statement->getInit())
    execute(statement->getInit());
  const VarDecl *variable = statement->getLoopVariable();
  const Expr *range = statement->getRangeInit();
  Place place = locate(range);
  Loop shape;
  shape.statement = statement;
  std::optional<int64_t> count;
  QualType type = range->getType().getNonReferenceType();
  if (const auto *array = Context.getAsConstantArrayType(type))
    count = array->getSize().getSExtValue();
  else if (place.known())
    count = sizeOf(place.address);
  shape.turns =
      count ? coreside::Value::known(*count)
            : coreside::Value::unknown("the length of '" + textOf(range) + "'");
  int64_t at = 0;
  auto condition = [&]() -> std::optional<bool> {
    if (!count)
      return std::nullopt;
    return at < *count;
  };
  auto body = [&] {
    Address element = place.known()
                          ? place.address.part("[" + std::to_string(at) + "]")
                          : Address{Store.create(variable->getNameAsString(),
                                                 /*external=*/true),
                                    {}};
    if (variable->getType()->isReferenceType()) {
      Frames.back().variables[variable] = element;
    } else {
      Address copy{Store.create(variable->getNameAsString()), {}};
      Store.store(copy, readAddress(element, variable->getType()));
      Frames.back().variables[variable] = copy;
    }
    return execute(statement->getBody());
  };
  auto next = [&] { ++at; };
  // Each attempt at the loop starts with the first element.
  auto fresh = [&]() -> std::optional<bool> { return condition(); };
  shape.condition = fresh;
  shape.body = body;
  shape.next = next;
  if (count && *count <= Options.turnLimit && Evaluations < unrollBudget)
    if (auto flow = unroll(shape))
      return *flow;
  at = 0;
  count.reset();
  auto restartingBody = [&] {
    if (at > 1)
      at = 0;
    return body();
  };
  shape.body = restartingBody;
  return runGeneral(shape);
}

Interpreter::Flow Interpreter::runLoop(Loop &loop) {
  bool tooMany = loop.turns.low > int64_t(Options.turnLimit);
  bool open = !loop.turns.isKnown() &&
              loop.turns.kind != coreside::Value::Kind::Unknown;
  if (!tooMany && !open) {
    // Loops that only calculate are many, and deep: inside of a loop that is
    // looked at in general their exact result is seldom worth its time.
    bool relevant = isRelevant(loop.statement, Facts);
    uint64_t budget = relevant                ? unrollBudget
                      : Loops.empty() && !Dry ? calculationBudget
                                              : calculationBudget / 10;
    if (Evaluations < budget)
      if (auto flow = unroll(loop))
        return *flow;
  }
  return runGeneral(loop);
}

/// Runs the body once, with its own `continue`s. Whether the loop goes on; if
/// not, `flow` says where to.
bool Interpreter::runTurn(Loop &loop, Flow &flow) {
  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size();
  Frames.back().loops.back().turnDepth = depth;
  flow = loop.body();
  std::vector<Exit> continues = std::move(Frames.back().loops.back().continues);
  Frames.back().loops.back().continues.clear();
  std::vector<Memory::Changes> ways;
  if (flow == Flow::Normal)
    ways.push_back(Store.changesSince(depth));
  for (Exit &exit : continues)
    ways.push_back(std::move(exit.changes));
  Store.takeBack();
  endGuards(guards, Flow::LeftTurn);
  if (ways.empty())
    return false;
  Store.join(ways);
  flow = Flow::Normal;
  return true;
}

/// Turn after turn while the condition is decided. Nothing, and no trace of the
/// attempt, where it is not or where there are too many turns.
std::optional<Interpreter::Flow> Interpreter::unroll(Loop &loop) {
  size_t steps = Result.steps.size();
  unsigned emitted = Emitted;
  std::vector<ActiveGuard> guardsBefore = Guards;
  size_t returns = Frames.back().returns.size();
  size_t cuts = Result.cuts.size();
  size_t depth = Store.depth();
  auto changedBefore = Dry ? Changed : std::map<Address, bool>();
  Store.beginChanges();
  LoopContext context;
  context.depth = depth;
  Frames.back().loops.push_back(std::move(context));

  Flow flow = Flow::Normal;
  bool through = false, giveUp = false;
  for (unsigned turn = 0;; ++turn) {
    if (turn > 0 || !loop.bodyFirst) {
      std::optional<bool> goOn = loop.condition();
      if (Dead) {
        Dead = false;
        flow = Flow::LeftProgram;
        break;
      }
      if (!goOn) {
        giveUp = true;
        break;
      }
      if (!*goOn) {
        through = true;
        break;
      }
    }
    if (turn >= Options.turnLimit || Stopped) {
      giveUp = !Stopped;
      flow = Flow::LeftProgram;
      break;
    }
    size_t breaks = Frames.back().loops.back().breaks.size();
    if (!runTurn(loop, flow))
      break;
    if (Result.steps.size() > steps + Options.unrolledSteps ||
        Evaluations > unrollBudget) {
      giveUp = !Stopped;
      break;
    }
    // `while (true) { ... if (unknown) break; }`: any turn may be the last.
    if (loop.endless && Frames.back().loops.back().breaks.size() > breaks) {
      giveUp = true;
      break;
    }
    loop.next();
  }

  std::vector<Exit> breaks = std::move(Frames.back().loops.back().breaks);
  Frames.back().loops.pop_back();
  std::vector<Memory::Changes> ways;
  if (through)
    ways.push_back(Store.changesSince(depth));
  for (Exit &exit : breaks)
    ways.push_back(std::move(exit.changes));
  Store.takeBack();
  if (giveUp) {
    Result.steps.resize(std::min(steps, Result.steps.size()));
    Emitted = emitted;
    Guards = guardsBefore;
    Frames.back().returns.resize(returns);
    Result.cuts.resize(std::min(cuts, Result.cuts.size()));
    Dead = false;
    if (Dry)
      Changed = std::move(changedBefore);
    return std::nullopt;
  }
  endGuards(guardsBefore.size(), Flow::LeftLoop);
  if (ways.empty())
    return flow == Flow::Normal ? Flow::LeftProgram : flow;
  Store.join(ways);
  return Flow::Normal;
}

/// Adds the variables of this function that `statement` stores to by name.
void Interpreter::addStored(const Stmt *statement,
                            std::map<Address, bool> &changed) {
  if (!statement)
    return;
  auto add = [&](const Expr *expression) {
    bool whole = false;
    for (;;) {
      expression = expression->IgnoreParenCasts();
      if (const auto *member = dyn_cast<MemberExpr>(expression);
          member && !member->isArrow())
        expression = member->getBase();
      else if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression))
        expression = subscript->getBase();
      else
        break;
      whole = true;
    }
    const auto *reference = dyn_cast<DeclRefExpr>(expression);
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable)
      return;
    auto at = Frames.back().variables.find(variable);
    if (at != Frames.back().variables.end())
      changed[at->second] |= whole;
  };
  if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
    if (binary->isAssignmentOp())
      add(binary->getLHS());
  } else if (const auto *unary = dyn_cast<UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
      add(unary->getSubExpr());
  }
  for (const Stmt *child : statement->children())
    addStored(child, changed);
}

/// Collects the cells that were there before the loop and that a turn may
/// change: runs the body without writing steps until nothing is added. Deep in
/// a nest of such loops it is run once, and what it names as stored to is
/// added.
void Interpreter::findChanges(Loop &loop, std::map<Address, bool> &changed) {
  unsigned weakBelow = WeakBelow;
  std::string weakWhy = WeakWhy;
  std::map<Address, bool> outerChanged = std::move(Changed);
  WeakBelow = Store.size();
  WeakWhy =
      "changes in the loop at line " +
      std::to_string(placeOf(loop.statement->getBeginLoc(), Context).line);
  ++Looking;
  bool deep = Looking > 2;
  if (deep)
    addStored(loop.statement, changed);
  for (unsigned pass = 0; pass < (deep ? 1 : 4); ++pass) {
    size_t returns = Frames.back().returns.size();
    std::vector<ActiveGuard> guards = Guards;
    unsigned emitted = Emitted;
    size_t depth = Store.depth();
    Changed.clear();
    Store.beginChanges();
    LoopContext context;
    context.depth = depth;
    Frames.back().loops.push_back(std::move(context));
    ++Dry;
    generalise(loop, changed);
    if (!loop.bodyFirst)
      loop.condition();
    Flow flow;
    if (runTurn(loop, flow)) {
      loop.next();
      loop.condition();
    }
    --Dry;
    Dead = false;
    Frames.back().loops.pop_back();
    Frames.back().returns.resize(returns);
    Guards = std::move(guards);
    Emitted = emitted;
    Store.takeBack();
    size_t before = changed.size();
    bool grew = false;
    for (auto &[address, whole] : Changed) {
      auto [at, isNew] = changed.emplace(address, whole);
      if (!isNew && whole && !at->second) {
        at->second = true;
        grew = true;
      }
    }
    if (changed.size() == before && !grew)
      break;
  }
  --Looking;
  WeakBelow = weakBelow;
  WeakWhy = std::move(weakWhy);
  Changed = std::move(outerChanged);
  // For a loop outside that is being looked at too, these change as well.
  if (Dry)
    for (auto &[address, whole] : changed)
      if (address.object < WeakBelow)
        Changed[address] |= whole;
}

/// Gives the cells that change values that hold in any turn. What picks streams
/// and other objects stays as it is: the turn that is run then stands for the
/// others with its own.
void Interpreter::generalise(const Loop &loop,
                             const std::map<Address, bool> &changed) {
  std::string why =
      "changes in the loop at line " +
      std::to_string(placeOf(loop.statement->getBeginLoc(), Context).line);
  for (const auto &[address, whole] : changed) {
    auto node = Store.find(address);
    if (!node)
      continue;
    if (!whole && node->datum && node->datum->isNumber()) {
      std::string name = Store.nameOf(address);
      SymbolUses[name] = 2;
      Datum datum = Datum::of(coreside::Value::symbolic(name));
      datum.sample = node->datum->pick();
      if (loop.range && address == loop.variable)
        datum.number =
            within(datum.number, loop.range->first, loop.range->second);
      Store.store(address, datum);
    } else {
      Store.storeNode(address, withoutNumbers(node, why));
    }
  }
}

Interpreter::Flow Interpreter::runGeneral(Loop &loop) {
  bool relevant = isRelevant(loop.statement, Facts);
  std::map<Address, bool> changed;
  findChanges(loop, changed);
  std::map<Address, Datum> before;
  for (const auto &[address, whole] : changed)
    if (auto node = Store.find(address); node && node->datum && !whole)
      before[address] = *node->datum;

  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size();
  LoopContext context;
  context.depth = depth;
  Frames.back().loops.push_back(std::move(context));
  bool counts = relevant && !Dry;
  if (counts) {
    Loops.push_back(Result.loops.size());
    Turns.push_back(0);
    Result.loops.push_back(
        {placeOf(loop.statement->getBeginLoc(), Context), loop.turns});
  }
  generalise(loop, changed);
  Flow flow = Flow::Normal;
  bool goesOn = true, entered = false;
  std::map<Address, std::optional<int64_t>> agreed;
  // What one turn and the next do to each other is worth a second turn, but not
  // in each of many loops in one another.
  unsigned turns = counts && Evaluations < unrollBudget ? 2 : 1;
  for (unsigned turn = 0; turn < turns && goesOn; ++turn) {
    if (counts)
      Turns.back() = turn;
    if (turn > 0 || !loop.bodyFirst) {
      std::optional<bool> truth = loop.condition();
      if (Dead || (truth && !*truth))
        break;
    }
    entered = true;
    goesOn = runTurn(loop, flow);
    if (goesOn)
      loop.next();
    for (const auto &[address, datum] : before) {
      auto node = Store.find(address);
      std::optional<int64_t> value;
      if (node && node->datum)
        value = node->datum->known();
      if (turn == 0)
        agreed[address] = value;
      else if (agreed[address] != value)
        agreed[address].reset();
    }
  }
  if (goesOn && loop.bodyFirst && entered && turns == 1)
    loop.condition();
  Dead = false;
  if (counts) {
    Loops.pop_back();
    Turns.pop_back();
  }
  std::vector<Exit> breaks = std::move(Frames.back().loops.back().breaks);
  Frames.back().loops.pop_back();
  std::vector<Memory::Changes> ways;
  if (goesOn && !(loop.endless && !breaks.empty()))
    ways.push_back(Store.changesSince(depth));
  for (Exit &exit : breaks)
    ways.push_back(std::move(exit.changes));
  Store.takeBack();
  endGuards(guards, Flow::LeftLoop);
  bool endless = loop.endless && breaks.empty();
  // A return under a condition may still end the loop in another turn.
  if (ways.empty() || (endless && entered)) {
    if (endless || flow != Flow::Normal) {
      if (ways.empty() && flow == Flow::Normal)
        flow = Flow::LeftProgram;
      if (endless)
        return flow == Flow::Normal ? Flow::LeftProgram : flow;
      // It left in the first turn, if there was one.
      if (loop.bodyFirst)
        return flow;
    }
  }
  Store.join(ways);
  std::string why =
      "changes in the loop at line " +
      std::to_string(placeOf(loop.statement->getBeginLoc(), Context).line);
  for (const auto &[address, whole] : changed) {
    auto node = Store.find(address);
    if (!node)
      continue;
    if (auto at = agreed.find(address);
        at != agreed.end() && at->second && goesOn) {
      Datum last = Datum::of(*at->second);
      Store.store(address,
                  loop.bodyFirst ? last : joinData(before[address], last));
      continue;
    }
    if (!whole && node->datum && node->datum->isNumber())
      Store.store(address, Datum::unknown(why));
    else
      Store.storeNode(address, withoutNumbers(node, why));
  }
  return Flow::Normal;
}

// Calls.

void Interpreter::bindParameter(Frame &frame, const ParmVarDecl *parameter,
                                const Expr *argument) {
  QualType type = parameter->getType();
  std::string name = parameter->getNameAsString();
  if (type->isReferenceType()) {
    Place place = locate(argument);
    frame.variables[parameter] =
        place.known()
            ? place.address
            : Address{Store.create(textOf(argument).empty() ? name
                                                            : textOf(argument),
                                   /*external=*/true),
                      {}};
    return;
  }
  Address address{Store.create(name), {}};
  frame.variables[parameter] = address;
  initialise(address, type, argument);
}

Datum Interpreter::callFunction(const FunctionDecl *function,
                                llvm::ArrayRef<const Expr *> arguments,
                                Address thisObject, Address closure,
                                const Expr *call) {
  const FunctionDecl *definition = nullptr;
  bool hasBody =
      function->hasBody(definition) && definition->getBody() &&
      !definition->hasSkippedBody() && !definition->isDependentContext() &&
      !Context.getSourceManager().isInSystemHeader(definition->getLocation());
  if (!hasBody)
    return unknownCall(function, arguments, thisObject, call);
  if (llvm::any_of(Frames, [&](const Frame &frame) {
        return frame.function == definition;
      })) {
    if (isRelevant(definition->getBody(), Facts))
      cut("recursion in '" + nameOf(*definition) + "'");
    return unknownCall(function, arguments, thisObject, call);
  }
  if (Frames.size() > Options.callLimit) {
    if (isRelevant(definition->getBody(), Facts))
      cut("calls nested deeper than " + std::to_string(Options.callLimit));
    return unknownCall(function, arguments, thisObject, call);
  }
  if (Evaluations > followBudget && !isRelevant(definition->getBody(), Facts))
    return unknownCall(function, arguments, thisObject, call);

  Frame frame;
  frame.function = definition;
  frame.thisObject = thisObject;
  frame.closure = closure;
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    if (i < arguments.size())
      bindParameter(frame, definition->getParamDecl(i), arguments[i]);
    else
      frame.variables[definition->getParamDecl(i)] = {
          Store.create(definition->getParamDecl(i)->getNameAsString(),
                       /*external=*/true),
          {}};
  }
  for (unsigned i = definition->getNumParams(); i < arguments.size(); ++i)
    evaluate(arguments[i]);
  return runBody(definition, std::move(frame), call);
}

Datum Interpreter::runBody(const FunctionDecl *function, Frame frame,
                           const Expr *call) {
  // A lambda's captures are the variables of the place where it was made.
  if (frame.closure.object)
    if (const auto *method = dyn_cast<CXXMethodDecl>(function);
        method && method->getParent()->isLambda())
      for (const LambdaCapture &capture : method->getParent()->captures()) {
        if (capture.capturesThis()) {
          if (auto node = Store.find(frame.closure.part(".this"));
              node && node->datum && node->datum->isPointer())
            frame.thisObject = node->datum->pointer;
        } else if (capture.capturesVariable()) {
          const auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar());
          if (!variable)
            continue;
          Address part = frame.closure.part("." + variable->getNameAsString());
          auto node = Store.find(part);
          bool byReference = capture.getCaptureKind() == LCK_ByRef;
          if (byReference && node && node->datum && node->datum->isPointer())
            part = node->datum->pointer;
          frame.variables[variable] = part;
        }
      }
  frame.depth = Store.depth();
  size_t depth = frame.depth;
  Store.beginChanges();
  size_t guards = Guards.size();
  if (call)
    Path.push_back({nameOf(*function), placeOf(call->getBeginLoc(), Context)});
  bool outermost = Frames.empty();
  Frames.push_back(std::move(frame));
  Flow flow = Flow::Normal;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function);
      constructor && !outermost)
    for (const CXXCtorInitializer *initialiser : constructor->inits()) {
      Address object = Frames.back().thisObject;
      if (initialiser->isAnyMemberInitializer()) {
        Place member =
            partOf({object, false, {}, {}}, initialiser->getAnyMember());
        initialise(member.address, initialiser->getAnyMember()->getType(),
                   initialiser->getInit());
      } else if (initialiser->isBaseInitializer() ||
                 initialiser->isDelegatingInitializer()) {
        if (const auto *construction = dyn_cast<CXXConstructExpr>(
                initialiser->getInit()->IgnoreImplicit()))
          construct(object, construction);
      }
    }
  flow = execute(function->getBody());
  Frame done = std::move(Frames.back());
  Frames.pop_back();
  if (call)
    Path.pop_back();
  std::vector<Memory::Changes> ways;
  std::optional<Datum> value;
  for (Exit &exit : done.returns) {
    ways.push_back(std::move(exit.changes));
    if (exit.value)
      value = value ? joinData(*value, *exit.value) : *exit.value;
  }
  if (flow == Flow::Normal)
    ways.push_back(Store.changesSince(depth));
  Store.takeBack();
  endGuards(guards, Flow::LeftFunction);
  if (ways.empty()) {
    Dead = true;
    return Datum::unknown("does not return");
  }
  Store.join(ways);
  if (!value)
    return resultOfUnknown(function->getReturnType(),
                           "returned by '" + nameOf(*function) + "'");
  if (value->isUnknown() && integerType(function->getReturnType()))
    return Datum::of(within(coreside::Value::unknown(value->text),
                            integerType(function->getReturnType())->lowest(),
                            integerType(function->getReturnType())->highest()));
  return *value;
}

/// Forgets what something that cannot be followed may store through `datum`;
/// `isHandle`: that is a stream or an event, and a new one.
void Interpreter::loseReachable(const Datum &datum, const std::string &why,
                                bool isHandle, unsigned depth) {
  if (depth > 3)
    return;
  if (datum.isPointer()) {
    auto node = Store.find(datum.pointer);
    // The whole array that an element stands for.
    Address address = datum.pointer;
    if (!address.path.empty() && address.path.back()[0] == '[')
      address.path.pop_back();
    auto whole = Store.find(address);
    loseAddress(datum.pointer, why, isHandle);
    if (whole && address != datum.pointer)
      loseAddress(address, why);
    if (node)
      for (const auto &[name, part] : node->parts)
        if (part && part->datum && part->datum->isPointer())
          loseReachable(*part->datum, why, false, depth + 1);
  } else if (datum.kind == Datum::Kind::Record && datum.record) {
    for (const auto &[name, part] : datum.record->parts)
      if (part && part->datum && part->datum->isPointer())
        loseReachable(*part->datum, why, false, depth + 1);
  }
}

Datum Interpreter::resultOfUnknown(QualType type, const std::string &why) {
  type = type.getNonReferenceType();
  if (type->isVoidType() || type->isDependentType())
    return Datum::unknown(why);
  if (isStatusType(type))
    return Datum::of(0);
  if (auto integer = integerType(type))
    return Datum::of(within(coreside::Value::unknown(why), integer->lowest(),
                            integer->highest()));
  if (isStreamType(type) || isEventType(type))
    return Datum::unknown(why);
  if (type->isPointerType()) {
    QualType pointee = type->getPointeeType();
    if (pointee->isRecordType() || isStreamType(pointee) ||
        isEventType(pointee))
      return Datum::to(
          {Store.create("", /*external=*/true, /*pointee=*/true), {"[0]"}});
  }
  if (type->isRecordType()) {
    auto node = std::make_shared<Node>();
    node->lost = why;
    node->lostNumber = ++ExternalLosses + (1u << 30);
    Datum datum;
    datum.kind = Datum::Kind::Record;
    datum.record = node;
    return datum;
  }
  return Datum::unknown(why);
}

/// Runs a closure or a function that something unknown was given: it may be
/// called, once or often, now or later.
void Interpreter::callBack(const Datum &callee, const Expr *call) {
  const FunctionDecl *function = nullptr;
  Address closure;
  if (callee.kind == Datum::Kind::Record && callee.record &&
      callee.record->datum && callee.record->datum->function) {
    function = callee.record->datum->function;
    closure = {Store.create("lambda"), {}};
    Store.storeNode(closure, callee.record);
  } else if (callee.kind == Datum::Kind::Function) {
    function = callee.function;
  }
  if (!function || !function->hasBody() ||
      function->hasAttr<CUDAGlobalAttr>() ||
      !isRelevant(function->getBody(), Facts))
    return;
  auto arm = [&] {
    callFunction(function, {}, {}, closure, call);
    return Flow::Normal;
  };
  auto none = [] { return Flow::Normal; };
  branch(Conditions++, {arm, none});
}

Datum Interpreter::unknownCall(const FunctionDecl *function,
                               llvm::ArrayRef<const Expr *> arguments,
                               const Address &thisObject, const Expr *call) {
  std::string name = nameOf(*function);
  std::string why = "changed by '" + name + "'";
  std::string plain = function->getNameAsString();
  bool reads = llvm::StringRef(plain).contains("scanf");
  int stream = -1;
  const Expr *streamExpression = nullptr;
  std::vector<Datum> callbacks;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr *argument = arguments[i];
    QualType type = i < function->getNumParams()
                        ? function->getParamDecl(i)->getType()
                        : argument->getType();
    if (type->isReferenceType()) {
      Place place = locate(argument);
      QualType target = type.getNonReferenceType();
      if (isStreamType(target)) {
        Datum datum = read(place, target, argument);
        stream = streamOf(datum, argument);
        streamExpression = argument;
      }
      if (place.known()) {
        Datum datum = readAddress(place.address, target);
        if (datum.kind == Datum::Kind::Record ||
            datum.kind == Datum::Kind::Function)
          callbacks.push_back(datum);
        if (!target.isConstQualified() && type->isLValueReferenceType())
          loseReachable(Datum::to(place.address), why,
                        isStreamType(target) || isEventType(target));
        else if (datum.kind == Datum::Kind::Record)
          loseReachable(datum, why);
      }
      continue;
    }
    Datum datum = evaluate(argument);
    if (isStreamType(type) &&
        !(function->isVariadic() && i >= function->getNumParams())) {
      stream = streamOf(datum, argument);
      streamExpression = argument;
    }
    if (datum.kind == Datum::Kind::Record ||
        datum.kind == Datum::Kind::Function)
      callbacks.push_back(datum);
    bool variadic = i >= function->getNumParams();
    if (datum.isPointer()
            ? (variadic ? reads
                        : !type->getPointeeType().isNull() &&
                              !type->getPointeeType().isConstQualified())
            : datum.kind == Datum::Kind::Record) {
      QualType pointee = type->getPointeeType();
      loseReachable(datum, why,
                    !pointee.isNull() &&
                        (isStreamType(pointee) || isEventType(pointee)));
    }
  }
  if (thisObject.object)
    if (const auto *method = dyn_cast<CXXMethodDecl>(function);
        method && !method->isConst())
      loseReachable(Datum::to(thisObject), why);
  // Something of the program's own, elsewhere, may store to its globals.
  bool system =
      Context.getSourceManager().isInSystemHeader(function->getLocation()) ||
      function->getBuiltinID() != 0;
  if (!system)
    for (auto &[variable, address] : Globals)
      if (variable->hasExternalFormalLinkage() &&
          !variable->getType().isConstQualified() && !variable->isConstexpr())
        loseAddress(address, why);
  for (const Datum &callback : callbacks)
    callBack(callback, call);
  if (stream >= 0 && streamExpression) {
    Step step;
    step.kind = Step::Kind::Opaque;
    step.function = name;
    step.stream = stream;
    emit(std::move(step), call);
  }
  if (function->isNoReturn() || plain == "exit" || plain == "abort" ||
      plain == "_exit" || plain == "quick_exit" || plain == "__assert_fail") {
    Dead = true;
    return Datum::unknown("does not return");
  }
  if (isStreamType(function->getReturnType())) {
    // Another call may return another one.
    Stream returned;
    returned.name = textOf(call);
    returned.place = placeOf(call->getBeginLoc(), Context);
    return Datum::stream(newStream(std::move(returned)));
  }
  return resultOfUnknown(function->getReturnType(),
                         "returned by '" + name + "'");
}

} // namespace coreside
