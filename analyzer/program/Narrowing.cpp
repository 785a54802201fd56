// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   conditions that hold on the way that is run: arms of an `if`, what is
//       left after an early return or an assert, the body of a loop.
// Out:  narrower ranges of the numbers that they speak of.
//
//   if (n > 1024) return;
//   blur<<<(n + 255) / 256, 256>>>();     at most 5 blocks
//
// A fact is about a formula, not a variable: it holds for every copy, and for
// whatever was calculated from the same number before or after.

#include "Formula.h"
#include "Interpreter.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {

/// More of them help nobody.
constexpr size_t mostFacts = 256;

void Interpreter::learnRange(const coreside::Value &value, int64_t low,
                             int64_t high) {
  if (value.isKnown() || value.formula.empty())
    return;
  low = std::max(low, value.low);
  high = std::min(high, value.high);
  std::string formula = value.formula;
  while (low <= high && Learnt.size() < mostFacts) {
    Fact fact{formula, {}, low, high, Flow::LeftProgram, {}};
    if (!llvm::StringRef(formula).contains(' '))
      fact.name = llvm::StringRef(formula).rsplit(':').first.str();
    Learnt.push_back(std::move(fact));
    auto part = rangeOfPart(formula, low, high);
    if (!part)
      return;
    formula = std::move(part->formula);
    low = part->low;
    high = part->high;
  }
}

/// `small` is less than `large`, or not more, where only another file knows how
/// much that is.
void Interpreter::learnMost(const coreside::Value &small,
                            const coreside::Value &large, int64_t apart) {
  const coreside::Value most =
      coreside::Value::bounded(0, std::numeric_limits<int32_t>::max());
  if (!Options.forOtherFiles || large.formula.empty() ||
      large.high < most.high || small.isKnown() || small.formula.empty() ||
      Learnt.size() >= mostFacts)
    return;
  coreside::Value limit = large;
  if (apart)
    limit.formula =
        formulaOfOperation(coreside::Operation::Subtract, large,
                           coreside::Value::known(apart), {64, true});
  if (!limit.formula.empty())
    Learnt.push_back({small.formula,
                      {},
                      small.low,
                      small.high,
                      Flow::LeftProgram,
                      std::move(limit.formula)});
}

void Interpreter::learnComparison(BinaryOperatorKind kind,
                                  const Comparison &pair, bool truth) {
  const coreside::Value &left = pair.left, &right = pair.right;
  if (!truth)
    kind = BinaryOperator::negateComparisonOp(kind);
  auto less = [&](const coreside::Value &small, const coreside::Value &large,
                  int64_t apart) {
    if (large.high < coreside::Value::highest)
      learnRange(small, coreside::Value::lowest, large.high - apart);
    learnMost(small, large, apart);
    if (small.low > coreside::Value::lowest &&
        small.low < coreside::Value::highest)
      learnRange(large, small.low + apart, coreside::Value::highest);
  };
  auto differs = [&](const coreside::Value &value,
                     const coreside::Value &other) {
    if (!other.isKnown())
      return;
    if (value.low == other.low)
      learnRange(value, value.low + 1, value.high);
    else if (value.high == other.low)
      learnRange(value, value.low, value.high - 1);
  };
  switch (kind) {
  case BO_LT:
    return less(left, right, 1);
  case BO_LE:
    return less(left, right, 0);
  case BO_GT:
    return less(right, left, 1);
  case BO_GE:
    return less(right, left, 0);
  case BO_EQ:
    learnRange(left, right.low, right.high);
    return learnRange(right, left.low, left.high);
  case BO_NE:
    differs(left, right);
    return differs(right, left);
  default:
    return;
  }
}

/// Notes what follows from one of two conditions being `truth`: what is the
/// same by either, `n == 64 || n == 128`.
void Interpreter::learnEither(const Expr *one, const Expr *other, bool truth) {
  const size_t before = Learnt.size();
  auto rangesOf = [&](const Expr *condition) {
    learn(condition, truth);
    std::map<std::string, Fact> ranges;
    for (size_t i = before; i < Learnt.size(); ++i) {
      auto [at, isNew] = ranges.try_emplace(Learnt[i].formula, Learnt[i]);
      at->second.low = std::max(at->second.low, Learnt[i].low);
      at->second.high = std::min(at->second.high, Learnt[i].high);
    }
    Learnt.resize(before);
    return ranges;
  };
  const std::map<std::string, Fact> first = rangesOf(one);
  if (first.empty())
    return;
  for (auto &[formula, fact] : rangesOf(other))
    if (auto at = first.find(formula); at != first.end()) {
      fact.low = std::min(fact.low, at->second.low);
      fact.high = std::max(fact.high, at->second.high);
      fact.most.clear();
      Learnt.push_back(fact);
    }
}

/// Notes what follows from `condition`, which was just evaluated, being
/// `truth`.
void Interpreter::learn(const Expr *condition, bool truth) {
  if (!condition || condition->isValueDependent())
    return;
  for (;;) {
    condition = condition->IgnoreParens();
    if (const auto *wrapped = dyn_cast<FullExpr>(condition)) {
      condition = wrapped->getSubExpr();
    } else if (const auto *cast = dyn_cast<CastExpr>(condition);
               cast && (cast->getCastKind() == CK_NoOp ||
                        cast->getCastKind() == CK_IntegralToBoolean ||
                        (cast->getCastKind() == CK_IntegralCast &&
                         cast->getSubExpr()->getType()->isBooleanType()))) {
      condition = cast->getSubExpr();
    } else if (const auto *call = dyn_cast<CallExpr>(condition);
               call &&
               call->getBuiltinCallee() == Builtin::BI__builtin_expect) {
      condition = call->getArg(0);
    } else {
      break;
    }
  }
  if (const auto *negation = dyn_cast<UnaryOperator>(condition);
      negation && negation->getOpcode() == UO_LNot)
    return learn(negation->getSubExpr(), !truth);
  if (const auto *binary = dyn_cast<BinaryOperator>(condition)) {
    if (binary->isLogicalOp()) {
      // Of `a && b` both are known when it is true, of `a || b` when it is not.
      if (binary->getOpcode() == (truth ? BO_LAnd : BO_LOr)) {
        learn(binary->getLHS(), truth);
        learn(binary->getRHS(), truth);
      } else {
        learnEither(binary->getLHS(), binary->getRHS(), truth);
      }
      return;
    }
    if (binary->isComparisonOp()) {
      auto at = Compared.find(binary);
      if (at == Compared.end())
        return;
      Comparison pair = at->second;
      learnRange(pair.result, truth, truth);
      return learnComparison(binary->getOpcode(), pair, truth);
    }
  }
  if (!integerType(condition->getType()) || condition->HasSideEffects(Context))
    return;
  if (Datum datum = evaluate(condition); datum.isNumber())
    learnComparison(
        BO_NE, {datum.number, coreside::Value::known(0), datum.number}, truth);
}

/// Puts a number or a range in place of the operand `part` of a formula, where
/// it has that.
static bool replacePart(std::string &formula, llvm::StringRef part, int64_t low,
                        int64_t high) {
  bool any = false;
  for (size_t at = formula.find(part); at != std::string::npos;
       at = formula.find(part, at + 1)) {
    const size_t end = at + part.size();
    // Words and no parts of words: then it is one operand, as operands come
    // before what is done with them.
    if ((at && formula[at - 1] != ' ') ||
        (end != formula.size() && formula[end] != ' '))
      continue;
    const std::string word =
        low == high ? std::to_string(low)
                    : std::to_string(low) + ".." + std::to_string(high);
    formula.replace(at, part.size(), word);
    any = true;
  }
  return any;
}

/// `value` with what the facts say of it.
coreside::Value Interpreter::narrowed(coreside::Value value,
                                      const std::vector<Fact> &facts) {
  if (value.isKnown() || value.formula.empty() || facts.empty())
    return value;
  auto cut = [&](int64_t low, int64_t high) {
    // Two conditions that cannot both hold: nobody comes here.
    if (std::max(low, value.low) <= std::min(high, value.high))
      value = within(std::move(value), low, high);
  };
  bool named = false;
  std::string formula = value.formula, most;
  for (const Fact &fact : facts) {
    if (value.isKnown())
      return value;
    if (fact.formula == value.formula) {
      cut(fact.low, fact.high);
      most = fact.most.empty() ? most : fact.most;
    } else if (fact.name.empty())
      named |= replacePart(formula, fact.formula, fact.low, fact.high);
    else
      named = named || llvm::StringRef(formula).contains(fact.name);
  }
  if (!most.empty() && !value.isKnown()) {
    coreside::Value limit = coreside::Value::symbolic("");
    limit.formula = most;
    if (std::string less = formulaOfOperation(coreside::Operation::Minimum,
                                              value, limit, {64, true});
        !less.empty())
      value.formula = less;
  }
  if (!named || value.isKnown())
    return value;
  auto played = evaluateFormula(
      formula, [&](const FormulaName &asked) -> std::optional<coreside::Value> {
        coreside::Value range(coreside::Value::bounded(
            coreside::Value::lowest, coreside::Value::highest));
        bool any = false;
        for (const Fact &fact : facts)
          if (asked.subject.empty() && fact.name == asked.name &&
              std::max(fact.low, range.low) <=
                  std::min(fact.high, range.high)) {
            range = within(std::move(range), fact.low, fact.high);
            any = true;
          }
        return any ? std::optional(range) : std::nullopt;
      });
  if (played)
    cut(played->low, played->high);
  return value;
}

/// Forgets what was learnt from `from` on and holds only up to `level`.
void Interpreter::endFacts(size_t from, Flow level) {
  Learnt.erase(std::remove_if(
                   Learnt.begin() + std::min(from, Learnt.size()), Learnt.end(),
                   [&](const Fact &fact) { return fact.until <= level; }),
               Learnt.end());
}

/// Where one condition decides another, what is under the one is also under the
/// other: `if (n > 8)` and `if (n < 4)` exclude each other.
void Interpreter::addImpliedGuards() {
  std::map<std::string, std::vector<unsigned>> bySubject;
  for (const auto &[number, form] : Forms)
    bySubject[form.subject].push_back(number);
  for (Step &step : Result.steps) {
    const std::vector<Guard> own = step.guards;
    for (const Guard &guard : own) {
      auto form = Forms.find(guard.condition);
      if (form == Forms.end())
        continue;
      const auto &others = bySubject[form->second.subject];
      if (others.size() < 2 || others.size() > 64)
        continue;
      auto [low, high] = rangeWhere(form->second, guard.arm == 0);
      for (unsigned other : others)
        if (other != guard.condition)
          if (auto truth = decided(Forms[other], low, high)) {
            Guard implied{other, *truth ? 0u : 1u};
            if (!llvm::is_contained(step.guards, implied))
              step.guards.push_back(implied);
          }
    }
  }
}

/// Counts conditions anew, only those that steps stand under: others are met or
/// not by how much of a library was parsed.
void Interpreter::numberConditions() {
  std::map<unsigned, unsigned> numbers;
  for (const Step &step : Result.steps)
    for (const Guard &guard : step.guards)
      numbers[guard.condition];
  unsigned next = 0;
  for (auto &[condition, number] : numbers)
    number = next++;
  for (Step &step : Result.steps)
    for (Guard &guard : step.guards)
      guard.condition = numbers[guard.condition];
}

} // namespace coreside
