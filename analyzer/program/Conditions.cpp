// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   conditions that are decided, and such that are not.
// Out:  one way through the code, or each way under a guard and their join.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace coreside {

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
    return executeCompound(llvm::ArrayRef(statements).drop_front(at),
                           statement->getBody());
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

Datum Interpreter::evaluateConditional(
    const AbstractConditionalOperator *expression) {
  unsigned number = 0;
  std::optional<bool> truth;
  Datum common;
  if (const auto *binary = dyn_cast<BinaryConditionalOperator>(expression)) {
    common = evaluate(binary->getCommon());
    truth = truthOf(common);
    if (!truth)
      number = Conditions++;
  } else {
    truth = decide(expression->getCond(), &number);
  }
  const Expr *thenSide = expression->getTrueExpr();
  const Expr *elseSide = expression->getFalseExpr();
  if (truth)
    return evaluate(*truth ? thenSide : elseSide);
  Datum first, second;
  unsigned before = Emitted;
  auto thenArm = [&] {
    first = evaluate(thenSide);
    return Dead ? Flow::LeftProgram : Flow::Normal;
  };
  auto elseArm = [&] {
    second = evaluate(elseSide);
    return Dead ? Flow::LeftProgram : Flow::Normal;
  };
  bool firstDead = false, secondDead = false;
  auto thenNoted = [&] {
    Flow flow = thenArm();
    firstDead = flow != Flow::Normal;
    return flow;
  };
  auto elseNoted = [&] {
    Flow flow = elseArm();
    secondDead = flow != Flow::Normal;
    return flow;
  };
  Flow flow = branch(number, {thenNoted, elseNoted});
  (void)before;
  if (flow != Flow::Normal) {
    Dead = true;
    return Datum::unknown("does not return");
  }
  if (firstDead)
    return second;
  if (secondDead)
    return first;
  // In a loop, what the condition is in the turn that is run picks a stream.
  return joinData(first, second);
}

} // namespace coreside
