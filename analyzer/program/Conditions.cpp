// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   conditions that are decided, and such that are not.
// Out:  one way through the code, or each way under a guard and their join.

#include "Formula.h"
#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
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
                                        Undecided *undecided) {
  Datum datum = evaluate(condition);
  std::optional<bool> truth = truthOf(datum);
  if (truth || !undecided)
    return truth;
  *undecided = conditionNumber(datum);
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
      undecided->number =
          ConditionNumbers
              .try_emplace(negations + "object " +
                               std::to_string(pointer.pointer.object),
                           undecided->number)
              .first->second;
  return std::nullopt;
}

/// The number of the condition that `datum`, which is not known, decides: the
/// same for what is certainly the same, or its opposite.
Interpreter::Undecided Interpreter::conditionNumber(const Datum &datum) {
  if (!datum.isNumber() || datum.number.formula.empty())
    return {Conditions++};
  ConditionForm form = conditionForm(datum.number.formula);
  std::string key =
      form.subject +
      (form.relation == ConditionForm::Relation::AtMost ? " <= " : " == ") +
      std::to_string(form.limit);
  auto [at, isNew] = ConditionNumbers.try_emplace(key, Conditions);
  if (isNew)
    Forms[Conditions++] = form;
  return {at->second, Forms[at->second].negated != form.negated,
          datum.number.kind == coreside::Value::Kind::Symbolic
              ? datum.number.text
              : ""};
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

/// What a number is after an `if` that left it `first` in its one arm and
/// `second` in the other, in the source's words; its range is not looked at.
std::optional<coreside::Value>
Interpreter::eitherArm(const Undecided &condition, const coreside::Value &first,
                       const coreside::Value &second) const {
  // if (n > 64) n = 64;
  if (auto at = Forms.find(condition.number);
      at != Forms.end() &&
      at->second.relation == ConditionForm::Relation::AtMost) {
    const ConditionForm &form = at->second;
    bool firstIsSmall = form.negated == condition.flipped;
    const coreside::Value &small = firstIsSmall ? first : second;
    const coreside::Value &large = firstIsSmall ? second : first;
    auto isLimit = [&](const coreside::Value &value) {
      return value.isKnown() &&
             (value.low == form.limit || value.low - 1 == form.limit);
    };
    if (small.formula == form.subject && isLimit(large))
      return apply(coreside::Operation::Minimum, small, large, {64, true});
    if (large.formula == form.subject && isLimit(small))
      return apply(coreside::Operation::Maximum, large, small, {64, true});
  }
  auto words = [](const coreside::Value &value) {
    return value.isKnown() ? std::to_string(value.low)
           : value.kind == coreside::Value::Kind::Symbolic ? value.text
                                                           : std::string();
  };
  std::string one = words(first), other = words(second);
  std::string text = condition.text + " ? " + one + " : " + other;
  if (condition.text.empty() || one.empty() || other.empty() ||
      text.size() > 100 || llvm::StringRef(condition.text + one).contains('?'))
    return std::nullopt;
  return coreside::Value::symbolic(text);
}

/// How a number is calculated that the condition chooses, first where it holds.
std::string Interpreter::choiceOf(const Undecided &condition,
                                  const coreside::Value &first,
                                  const coreside::Value &second) {
  auto at = Forms.find(condition.number);
  if (at == Forms.end())
    return "";
  // Two numbers of which nothing but a range is known are not one.
  auto called = [&](coreside::Value value) {
    if (!value.isKnown() && value.formula.empty())
      value.formula = formulaOfName(std::to_string(++Symbols) + "'", value);
    return value;
  };
  return at->second.negated == condition.flipped
             ? formulaOfChoice(formulaOf(at->second), called(first),
                               called(second))
             : formulaOfChoice(formulaOf(at->second), called(second),
                               called(first));
}

Interpreter::Flow
Interpreter::branch(Undecided condition,
                    llvm::ArrayRef<llvm::function_ref<Flow()>> arms) {
  struct Way {
    Memory::Changes changes;
    Flow flow;
    unsigned steps;
    std::vector<Fact> facts;
    std::vector<const LabelDecl *> gotos;
  };
  std::vector<Way> ways;
  ++UndecidedCount;
  size_t guards = Guards.size(), facts = Learnt.size();
  auto guardOf = [&](unsigned arm) {
    return Guard{condition.number, condition.flipped ? 1 - arm : arm};
  };
  for (unsigned arm = 0; arm < arms.size(); ++arm) {
    Store.beginChanges();
    Guards.push_back({guardOf(arm), Flow::Normal});
    unsigned before = Emitted;
    size_t gone = Gone.size();
    Flow flow = arms[arm]();
    if (Dead) {
      Dead = false;
      flow = Flow::LeftProgram;
    }
    Guards.resize(guards);
    ways.push_back({Store.takeBack(),
                    flow,
                    Emitted - before,
                    {Learnt.begin() + facts, Learnt.end()},
                    {Gone.begin() + gone, Gone.end()}});
    Learnt.resize(facts);
  }
  std::vector<Memory::Changes> alive;
  std::vector<unsigned> aliveArms;
  unsigned aliveArm = 0;
  Flow left = Flow::LeftProgram;
  unsigned leftSteps = 0;
  std::vector<const LabelDecl *> gotos;
  for (unsigned arm = 0; arm < ways.size(); ++arm) {
    if (ways[arm].flow == Flow::Normal) {
      alive.push_back(std::move(ways[arm].changes));
      aliveArm = arm;
      aliveArms.push_back(arm);
    } else {
      left = std::min(left, ways[arm].flow);
      leftSteps += ways[arm].steps;
      llvm::append_range(gotos, ways[arm].gotos);
    }
  }
  if (alive.empty())
    return left;
  auto end = [&](size_t way, Datum datum) {
    if (datum.isNumber())
      datum.number = narrowed(datum.number, ways[aliveArms[way]].facts);
    return datum;
  };
  Store.join(alive, [&](size_t way, const Datum &before, const Datum &datum) {
    Datum result =
        joinData(way == 1 ? end(0, before) : before, end(way, datum));
    if (!result.functions.empty() && result.handle < 0)
      result.handle = Conditions++;
    if (arms.size() == 2 && before.isNumber() && datum.isNumber() &&
        result.isNumber() &&
        result.number.kind == coreside::Value::Kind::Bounded)
      if (auto told = eitherArm(condition, before.number, datum.number)) {
        told->low = result.number.low;
        told->high = result.number.high;
        if (told->formula.empty())
          told->formula = result.number.formula;
        result.number = *told;
      }
    if (arms.size() == 2 && alive.size() == 2 && before.isNumber() &&
        datum.isNumber() && result.isNumber() && !result.known() &&
        result.number.formula.empty())
      result.number.formula = choiceOf(condition, before.number, datum.number);
    return result;
  });
  // What follows does not run together with the arm that left.
  llvm::sort(gotos);
  gotos.erase(llvm::unique(gotos), gotos.end());
  if (arms.size() == 2 && alive.size() == 1 && (leftSteps || !gotos.empty()))
    Guards.push_back({guardOf(aliveArm), left, std::move(gotos)});
  else if (!gotos.empty())
    Guards.push_back({{Conditions++, 0}, Flow::LeftByGoto, std::move(gotos)});
  // What the only way on has learnt stays true as far as the others went.
  if (alive.size() == 1)
    for (Fact &fact : ways[aliveArm].facts) {
      fact.until = std::min(fact.until, left);
      Learnt.push_back(std::move(fact));
    }
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
  Undecided undecided;
  std::optional<bool> truth = decide(statement->getCond(), &undecided);
  if (Dead) {
    Dead = false;
    return Flow::LeftProgram;
  }
  if (truth)
    return execute(*truth ? statement->getThen() : statement->getElse());
  std::optional<bool> inTurn = truthInTurn(statement->getCond());
  auto arm = [&](bool truth, const Stmt *body) {
    learn(statement->getCond(), truth);
    waitedFor(statement->getCond(), truth);
    bool otherTurn = inTurn && *inTurn != truth;
    OtherTurns += otherTurn;
    Flow flow = execute(body);
    OtherTurns -= otherTurn;
    return flow;
  };
  auto thenArm = [&] { return arm(true, statement->getThen()); };
  auto elseArm = [&] { return arm(false, statement->getElse()); };
  return branch(undecided, {thenArm, elseArm});
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
  // Braces may be missing: switch (0) case 0: default: run();
  std::vector<const Stmt *> statements{statement->getBody()};
  if (const auto *body = dyn_cast<CompoundStmt>(statement->getBody()))
    statements.assign(body->body_begin(), body->body_end());

  // Where each value enters. `case 1: case 2: x;` is one statement; a label may
  // stand inside of another statement, a loop's body: that one is entered,
  // then.
  struct Entry {
    size_t at;
    bool isDefault = false;
    /// The first and the last of each label: `case 1 ... 4:` is gcc's.
    std::vector<std::pair<int64_t, int64_t>> values;

    bool takes(int64_t number) const {
      return llvm::any_of(values, [&](const auto &range) {
        return range.first <= number && number <= range.second;
      });
    }
  };
  auto number = [&](const Expr *of) -> std::optional<int64_t> {
    Expr::EvalResult result;
    if (of->isValueDependent() || !of->EvaluateAsInt(result, Context))
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  };
  std::vector<Entry> entries;
  bool inside = false;
  for (size_t i = 0; i < statements.size(); ++i) {
    Entry entry{i, false, {}};
    bool any = false;
    auto add = [&](const SwitchCase *label) {
      any = true;
      const auto *value = dyn_cast<CaseStmt>(label);
      if (!value)
        entry.isDefault = true;
      else if (auto first = number(value->getLHS()))
        entry.values.push_back(
            {*first, value->getRHS() ? number(value->getRHS()).value_or(*first)
                                     : *first});
    };
    const Stmt *inner = statements[i];
    for (;;) {
      if (const auto *label = dyn_cast_or_null<SwitchCase>(inner)) {
        add(label);
        inner = label->getSubStmt();
      } else if (const auto *named = dyn_cast_or_null<LabelStmt>(inner)) {
        inner = named->getSubStmt(); // two: case 2: x;
      } else {
        break;
      }
    }
    std::vector<const Stmt *> below{inner};
    while (!below.empty()) {
      const Stmt *one = below.back();
      below.pop_back();
      if (!one || isa<SwitchStmt, Expr>(one))
        continue;
      if (const auto *label = dyn_cast<SwitchCase>(one)) {
        add(label);
        inside = true;
      }
      llvm::append_range(below, one->children());
    }
    if (any)
      entries.push_back(std::move(entry));
  }

  size_t depth = Store.depth();
  Store.beginChanges();
  size_t guards = Guards.size(), facts = Learnt.size();
  LoopContext context;
  context.depth = depth;
  context.isSwitch = true;
  context.locals = Frames.back().locals.size();
  Frames.back().loops.push_back(std::move(context));
  auto from = [&](size_t at) {
    return executeCompound(llvm::ArrayRef(statements).drop_front(at),
                           statement->getBody());
  };
  Flow flow = Flow::Normal;
  // From inside of a statement it is not begun: what it does is possible only.
  if (auto value = datum.known(); value && !inside) {
    Facts.chosen[statement].insert(*value);
    const Entry *chosen = nullptr;
    for (const Entry &entry : entries)
      if (entry.takes(*value))
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
      bodies.push_back([&, &entry = entry] {
        if (!entry.isDefault && !entry.values.empty() && datum.isNumber())
          learnRange(datum.number, llvm::min_element(entry.values)->first,
                     *llvm::max_element(llvm::make_second_range(entry.values)));
        return from(entry.at);
      });
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
        inner.locals = Frames.back().locals.size();
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
    // A switch over the same number elsewhere may have other arms.
    unsigned number = Conditions++;
    if (datum.isNumber() && !datum.number.formula.empty()) {
      SourcePlace place = placeOf(statement->getBeginLoc(), Context);
      number = ConditionNumbers
                   .try_emplace("switch " + place.file + ":" +
                                    std::to_string(place.line) + ":" +
                                    std::to_string(place.column) + " " +
                                    datum.number.formula,
                                number)
                   .first->second;
    }
    flow = branch({number}, references);
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
  Learnt.resize(std::min(facts, Learnt.size()));
  if (ways.empty())
    return flow;
  Store.join(ways);
  return Flow::Normal;
}

Datum Interpreter::evaluateConditional(
    const AbstractConditionalOperator *expression) {
  Facts.followed.insert(expression);
  Undecided undecided;
  std::optional<bool> truth;
  Datum common;
  if (const auto *binary = dyn_cast<BinaryConditionalOperator>(expression)) {
    common = evaluate(binary->getCommon());
    truth = truthOf(common);
    if (!truth)
      undecided = conditionNumber(common);
  } else {
    truth = decide(expression->getCond(), &undecided);
  }
  const Expr *thenSide = expression->getTrueExpr();
  const Expr *elseSide = expression->getFalseExpr();
  if (!truth || *truth)
    Facts.followed.insert(thenSide);
  if (!truth || !*truth)
    Facts.followed.insert(elseSide);
  if (truth)
    return evaluate(*truth ? thenSide : elseSide);
  // Of two numbers the smaller or the larger is that however it is asked for.
  if (auto chosen = chosenOfTwo(expression))
    return *chosen;
  Datum first, second;
  bool firstDead = false, secondDead = false;
  auto arm = [&](bool truth, const Expr *side, Datum &datum, bool &dead) {
    if (isa<ConditionalOperator>(expression))
      learn(expression->getCond(), truth);
    size_t temporaries = Temporaries.size();
    datum = evaluate(side);
    endTemporaries(temporaries);
    dead = Dead;
    return Dead ? Flow::LeftProgram : Flow::Normal;
  };
  auto thenArm = [&] { return arm(true, thenSide, first, firstDead); };
  auto elseArm = [&] { return arm(false, elseSide, second, secondDead); };
  Flow flow = branch(undecided, {thenArm, elseArm});
  if (flow != Flow::Normal) {
    Dead = true;
    return Datum::unknown("does not return");
  }
  if (firstDead)
    return second;
  if (secondDead)
    return first;
  Datum result = joinData(first, second);
  if (first.function && second.function && result.functions.size() == 2) {
    // Elsewhere the same condition tells the same.
    result.handle = undecided.number;
    if (undecided.flipped)
      std::swap(result.functions[0], result.functions[1]);
  } else if (!result.functions.empty() && result.handle < 0) {
    result.handle = Conditions++;
  }
  if (first.isNumber() && second.isNumber() && result.isNumber() &&
      !result.known() && result.number.formula.empty())
    result.number.formula = choiceOf(undecided, first.number, second.number);
  // "n > 4 ? n / 4 : 1" reads better than a range.
  std::string text = textOf(expression);
  auto told = [](const Datum &datum) {
    return datum.isNumber() &&
           (datum.known() ||
            datum.number.kind == coreside::Value::Kind::Symbolic);
  };
  if (told(first) && told(second) && result.isNumber() &&
      result.number.kind == coreside::Value::Kind::Bounded && !text.empty())
    result.number.kind = coreside::Value::Kind::Symbolic,
    result.number.text = text;
  return result;
}

/// a < b ? a : b, of two numbers that are not both known.
std::optional<Datum>
Interpreter::chosenOfTwo(const AbstractConditionalOperator *expression) {
  const auto *compare =
      dyn_cast<BinaryOperator>(expression->getCond()->IgnoreParenImpCasts());
  auto integer = integerType(expression->getType());
  if (!compare || !compare->isRelationalOp() || !integer ||
      expression->HasSideEffects(Context))
    return std::nullopt;
  auto text = [&](const Expr *one) {
    return textOf(one->IgnoreParenImpCasts());
  };
  std::string left = text(compare->getLHS()), right = text(compare->getRHS());
  std::string chosen = text(expression->getTrueExpr());
  std::string other = text(expression->getFalseExpr());
  bool straight = chosen == left && other == right;
  if (left.empty() || right.empty() ||
      !(straight || (chosen == right && other == left)))
    return std::nullopt;
  bool less = compare->getOpcode() == BO_LT || compare->getOpcode() == BO_LE;
  // Compared in another type, the smaller may be the larger.
  auto compared = integerType(compare->getLHS()->getType());
  if (!compared || compared->isSigned != integer->isSigned)
    return std::nullopt;
  Datum one = evaluate(expression->getTrueExpr());
  Datum two = evaluate(expression->getFalseExpr());
  if (!one.isNumber() || !two.isNumber())
    return std::nullopt;
  return Datum::of(apply(less == straight ? coreside::Operation::Minimum
                                          : coreside::Operation::Maximum,
                         one.number, two.number, *integer));
}

} // namespace coreside
