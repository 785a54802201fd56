// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   loops of any kind.
// Out:  their steps turn by turn while the condition is decided; else those of
//       a general turn and of the one after it.

#include "Interpreter.h"

#include "Lifetimes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {

/// Whether a loop with this body may be left by a break.
static bool hasBreak(const Stmt *statement) {
  if (!statement ||
      isa<LambdaExpr, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(
          statement))
    return false;
  return isa<BreakStmt, GotoStmt>(statement) ||
         llvm::any_of(statement->children(), hasBreak);
}

bool mayStore(const Stmt *statement, const VarDecl *variable) {
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
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    return mayStore(captured->getCapturedStmt(), variable);
  for (const Stmt *child : statement->children())
    if (mayStore(child, variable))
      return true;
  return false;
}

/// The body of a loop: where OpenMP shares its turns out, each is done by a
/// thread of its own.
Interpreter::Flow Interpreter::executeShared(const Stmt *loop,
                                             const Stmt *body) {
  if (loop != SharedLoop)
    return execute(body);
  const Stmt *shared = SharedLoop;
  SharedLoop = nullptr;
  startThread(nullptr, [&] { execute(body); });
  SharedLoop = shared;
  return Flow::Normal;
}

Interpreter::Flow Interpreter::executeWhile(const WhileStmt *loop) {
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
  shape.test = loop->getCond();
  shape.body = body;
  shape.next = next;
  shape.turn = loop->getBody();
  shape.turns = coreside::Value::unknown("the loop's condition decides");
  bool value;
  shape.endless = !loop->getCond()->isValueDependent() &&
                  loop->getCond()->EvaluateAsBooleanCondition(value, Context) &&
                  value;
  Flow flow = runLoop(shape);
  if (flow == Flow::Normal && !hasBreak(loop->getBody()))
    waitedFor(loop->getCond(), false);
  return flow;
}

Interpreter::Flow Interpreter::executeDo(const DoStmt *loop) {
  Loop shape;
  auto condition = [&] { return decide(loop->getCond()); };
  auto body = [&] { return execute(loop->getBody()); };
  auto next = [] {};
  shape.statement = loop;
  shape.condition = condition;
  shape.test = loop->getCond();
  shape.body = body;
  shape.next = next;
  shape.bodyFirst = true;
  shape.turns = coreside::Value::unknown("the loop's condition decides");
  bool again = true;
  shape.isCheap = !loop->getCond()->isValueDependent() &&
                  loop->getCond()->EvaluateAsBooleanCondition(again, Context) &&
                  !again;
  Flow flow = runLoop(shape);
  if (flow == Flow::Normal && !hasBreak(loop->getBody()))
    waitedFor(loop->getCond(), false);
  return flow;
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
  auto body = [&] { return executeShared(statement, statement->getBody()); };
  auto next = [&] {
    if (statement->getInc())
      evaluate(statement->getInc());
  };
  shape.statement = statement;
  shape.condition = condition;
  shape.test = statement->getCond();
  shape.body = body;
  shape.next = next;
  shape.turn = statement->getBody();
  shape.increment = statement->getInc();
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
  else if (const CXXRecordDecl *record = type->getAsCXXRecordDecl();
           libraryClassOf(record) == LibraryClass::Container &&
           record->getName() == "array")
    count = cast<ClassTemplateSpecializationDecl>(record)
                ->getTemplateArgs()[1]
                .getAsIntegral()
                .getExtValue();
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
    declareBindings(variable);
    return executeShared(statement, statement->getBody());
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

/// A general look takes up to four turns to find what changes, and two more.
constexpr int64_t fewTurns = 8;

/// Whether something in `statement` repeats; itself does not count.
static bool holdsLoop(const Stmt *statement) {
  return llvm::any_of(statement->children(), [](const Stmt *child) {
    return child &&
           (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, GotoStmt>(child) ||
            holdsLoop(child));
  });
}

/// Whether something in `statement` calls.
static bool holdsCall(const Stmt *statement) {
  return statement && (isa<CallExpr, CXXConstructExpr, CXXNewExpr,
                           CXXDeleteExpr, LambdaExpr>(statement) ||
                       llvm::any_of(statement->children(), holdsCall));
}

Interpreter::Flow Interpreter::runLoop(Loop &loop) {
  bool tooMany = loop.turns.low > int64_t(Options.turnLimit);
  bool open = !loop.turns.isKnown() &&
              loop.turns.kind != coreside::Value::Kind::Unknown;
  if (!tooMany && !open) {
    // Loops that only calculate are many, and deep: inside of a loop that is
    // looked at in general their exact result is seldom worth its time.
    bool relevant = isRelevant(loop.statement, Facts);
    // A few turns are as cheap one by one: `for (int i = 0; i != 3; ++i)
    // index[i] = from[i];`
    const bool isShort = loop.turns.isKnown() && loop.turns.low <= fewTurns &&
                         !holdsLoop(loop.statement);
    loop.isCheap = loop.isCheap || (isShort && !holdsCall(loop.statement));
    uint64_t budget = relevant || isShort     ? unrollBudget
                      : Loops.empty() && !Dry ? calculationBudget
                                              : calculationBudget / 10;
    if (Evaluations < budget || loop.isCheap)
      if (auto flow = unroll(loop))
        return *flow;
  }
  if (auto flow = runCalculation(loop))
    return *flow;
  return runGeneral(loop);
}

/// Runs the body once, with its own `continue`s. Whether the loop goes on; if
/// not, `flow` says where to.
bool Interpreter::runTurn(Loop &loop, Flow &flow) {
  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size(), facts = Learnt.size();
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
  endGuards(guards, loop.isLabel ? Flow::Normal : Flow::LeftTurn);
  if (ways.size() == 1 && !loop.isLabel)
    endFacts(facts, Flow::LeftTurn);
  else
    Learnt.resize(std::min(facts, Learnt.size()));
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
  size_t facts = Learnt.size();
  const Exits exits = markExits();
  size_t cuts = Result.cuts.size();
  size_t depth = Store.depth();
  auto changedBefore = Dry ? Changed : std::map<Address, bool>();
  Store.beginChanges();
  LoopContext context;
  context.depth = depth;
  context.locals = Frames.back().locals.size();
  context.isLabel = loop.isLabel;
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
        giveUp = !Stopped;
        flow = Flow::LeftProgram;
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
    if (!loop.isCheap && (Result.steps.size() > steps + Options.unrolledSteps ||
                          Evaluations > unrollBudget)) {
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
  // The only way on went through every turn and has learnt what they did: an
  // assert that is written as `do { ... } while (0)`.
  if (through && !giveUp && breaks.empty())
    endFacts(facts, Flow::LeftLoop);
  else
    Learnt.resize(std::min(facts, Learnt.size()));
  std::vector<Memory::Changes> ways;
  if (through)
    ways.push_back(Store.changesSince(depth));
  for (Exit &exit : breaks)
    ways.push_back(std::move(exit.changes));
  Store.takeBack();
  if (giveUp) {
    takeBackSteps(steps);
    Emitted = emitted;
    Guards = guardsBefore;
    forgetExits(exits);
    Result.cuts.resize(std::min(cuts, Result.cuts.size()));
    Dead = false;
    if (Dry)
      Changed = std::move(changedBefore);
    return std::nullopt;
  }
  endGuards(guardsBefore.size(), loop.isLabel ? Flow::Normal : Flow::LeftLoop);
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
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    addStored(captured->getCapturedStmt(), changed);
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
  // What one turn of an inner loop leaves out is found in the next turn of the
  // loop around it, which is looked at in full.
  const bool deep = Looking > 2 || (Looking > 1 && Evaluations > unrollBudget);
  if (deep)
    addStored(loop.statement, changed);
  const unsigned passes = deep ? 1 : 4;
  const Exits exits = markExits();
  for (unsigned pass = 0; pass < passes; ++pass) {
    forgetExits(exits);
    std::vector<ActiveGuard> guards = Guards;
    size_t facts = Learnt.size();
    unsigned emitted = Emitted;
    size_t depth = Store.depth();
    Changed.clear();
    Store.beginChanges();
    LoopContext context;
    context.depth = depth;
    context.locals = Frames.back().locals.size();
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
    Guards = std::move(guards);
    Learnt.resize(std::min(facts, Learnt.size()));
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
  // Where the loop is not run once more, this run was it.
  if (!standsForLoop())
    forgetExits(exits);
  WeakBelow = weakBelow;
  WeakWhy = std::move(weakWhy);
  Changed = std::move(outerChanged);
  // For a loop outside that is being looked at too, these change as well.
  if (Dry)
    for (auto &[address, whole] : changed)
      if (isOlder(address.object))
        Changed[address] |= whole;
}

/// Why a number is not known that the loop changes.
std::string Interpreter::changesIn(const Loop &loop) const {
  return "changes in the loop at line " +
         std::to_string(placeOf(loop.statement->getBeginLoc(), Context).line);
}

/// Forgets the number at `address`, or `whole`, all numbers that are there.
void Interpreter::forgetAt(const Address &address, bool whole,
                           const std::string &why) {
  auto node = Store.find(address);
  if (node && !whole && node->datum && node->datum->isNumber())
    Store.store(address, symbol(Store.nameOf(address), {}, false));
  else if (node)
    Store.storeNode(address, withoutNumbers(node, why));
  else if (!whole)
    Store.lose(address, why);
}

/// After a loop nothing is known of the numbers that it changes.
void Interpreter::forget(const Loop &loop,
                         const std::map<Address, bool> &changed) {
  const std::string why = changesIn(loop);
  for (const auto &[address, whole] : changed)
    forgetAt(address, whole, why);
}

/// Gives the cells that change values that hold in any turn. What picks streams
/// and other objects stays as it is: the turn that is run then stands for the
/// others with its own.
void Interpreter::generalise(const Loop &loop,
                             const std::map<Address, bool> &changed) {
  const std::string why = changesIn(loop);
  for (const auto &[address, whole] : changed) {
    auto node = Store.find(address);
    if (node && !whole && node->datum && node->datum->isNumber()) {
      std::string name = Store.nameOf(address);
      Datum datum = symbol(name, {}, /*stable=*/false);
      datum.sample = node->datum->pick();
      if (loop.range && address == loop.variable)
        datum.number =
            within(datum.number, loop.range->first, loop.range->second);
      Store.store(address, datum);
    } else {
      forgetAt(address, whole, why);
    }
  }
}

Interpreter::Flow Interpreter::runGeneral(Loop &loop) {
  ++UndecidedCount;
  bool relevant = isRelevant(loop.statement, Facts);
  std::map<Address, bool> changed;
  findChanges(loop, changed);
  // Deep in loops that are looked at themselves, what changes is all that is
  // asked: to run it once more in each of them would double with every level.
  if (standsForLoop()) {
    forget(loop, changed);
    return Flow::Normal;
  }
  std::map<Address, Datum> before;
  for (const auto &[address, whole] : changed)
    if (auto node = Store.find(address); node && node->datum && !whole)
      before[address] = *node->datum;

  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size(), facts = Learnt.size();
  LoopContext context;
  context.depth = depth;
  context.locals = Frames.back().locals.size();
  context.isLabel = loop.isLabel;
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
  unsigned turns =
      counts && Evaluations < unrollBudget && Loops.size() <= deepestTwoTurns
          ? 2
          : 1;
  for (unsigned turn = 0; turn < turns && goesOn; ++turn) {
    if (counts)
      Turns.back() = turn;
    if (turn > 0 || !loop.bodyFirst) {
      std::optional<bool> truth = loop.condition();
      if (Dead || (truth && !*truth))
        break;
      if (!truth && loop.test)
        learn(loop.test, true);
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
  Learnt.resize(std::min(facts, Learnt.size()));
  endGuards(guards, loop.isLabel ? Flow::Normal : Flow::LeftLoop);
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
  const std::string why = changesIn(loop);
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
    forgetAt(address, whole, why);
  }
  // while (threads > n) threads /= 2: no more than n of them are left.
  if (loop.test && breaks.empty() && !loop.test->HasSideEffects(Context) &&
      !decide(loop.test))
    learn(loop.test, false);
  return Flow::Normal;
}

} // namespace coreside
