// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a loop that only calculates, and whose condition is not decided.
// Out:  what it may have calculated, where it has few turns.
//
//   int threads = 32;
//   while (threads < n && threads < 1024)
//     threads *= 2;                     threads is in [32, 1024]
//
// Any turn may be the last one until the condition is known not to hold. As
// what it compares is known in each of them, that comes soon for a number that
// doubles or halves.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {

/// More than a number of 64 bits can be doubled or halved.
constexpr unsigned mostTurns = 66;

/// Whether `statement` is arithmetic on variables alone: nothing in it is
/// called, leaves it or repeats, and it stores to variables of `known` only.
static bool
onlyCalculates(const Stmt *statement,
               const llvm::DenseMap<const VarDecl *, Address> &known) {
  if (!statement)
    return true;
  if (!isa<Expr, CompoundStmt, IfStmt, NullStmt>(statement) ||
      isa<CallExpr, LambdaExpr, CXXConstructExpr, CXXNewExpr, CXXDeleteExpr,
          CXXThrowExpr, StmtExpr, CoroutineSuspendExpr>(statement))
    return false;
  const Expr *stored = nullptr;
  if (const auto *binary = dyn_cast<BinaryOperator>(statement);
      binary && binary->isAssignmentOp())
    stored = binary->getLHS();
  else if (const auto *unary = dyn_cast<UnaryOperator>(statement);
           unary && unary->isIncrementDecrementOp())
    stored = unary->getSubExpr();
  if (stored) {
    const auto *reference = dyn_cast<DeclRefExpr>(stored->IgnoreParens());
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || !known.contains(variable))
      return false;
  }
  return llvm::all_of(statement->children(), [&](const Stmt *child) {
    return onlyCalculates(child, known);
  });
}

/// Whether `statement` multiplies, divides or shifts a variable, `n *= 2` or
/// `n = n >> 1`, and that is one of `variables`.
static bool scales(const Stmt *statement,
                   llvm::function_ref<bool(const VarDecl *variable)> isOneOf) {
  if (!statement)
    return false;
  if (const auto *binary = dyn_cast<BinaryOperator>(statement);
      binary && binary->isAssignmentOp()) {
    BinaryOperatorKind kind = binary->getOpcode();
    if (const auto *right =
            dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
        right && kind == BO_Assign)
      kind = right->getOpcode();
    else if (binary->isCompoundAssignmentOp())
      kind = BinaryOperator::getOpForCompoundAssignment(kind);
    const auto *reference =
        dyn_cast<DeclRefExpr>(binary->getLHS()->IgnoreParenImpCasts());
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (variable && isOneOf(variable) &&
        (kind == BO_Mul || kind == BO_Div || kind == BO_Shl || kind == BO_Shr))
      return true;
  }
  return llvm::any_of(statement->children(), [&](const Stmt *child) {
    return scales(child, isOneOf);
  });
}

/// Nothing, and no trace of the attempt, where that is not such a loop.
std::optional<Interpreter::Flow> Interpreter::runCalculation(Loop &loop) {
  const auto &variablesHere = Frames.back().variables;
  if (Looking || !loop.turn || !loop.test ||
      loop.test->HasSideEffects(Context) ||
      !onlyCalculates(loop.test, variablesHere) ||
      !onlyCalculates(loop.turn, variablesHere) ||
      !onlyCalculates(loop.increment, variablesHere))
    return std::nullopt;
  std::map<Address, bool> stored;
  addStored(loop.turn, stored);
  addStored(loop.increment, stored);
  // What the condition compares: without it no turn is known to be the last.
  std::vector<Address> compared;
  llvm::DenseSet<const VarDecl *> variables;
  std::vector<const Stmt *> open = {loop.test};
  while (!open.empty()) {
    const Stmt *one = open.back();
    open.pop_back();
    llvm::append_range(open, one->children());
    const auto *reference = dyn_cast<DeclRefExpr>(one);
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable)
      continue;
    auto at = variablesHere.find(variable);
    if (at != variablesHere.end() && stored.contains(at->second)) {
      compared.push_back(at->second);
      variables.insert(variable);
    }
  }
  auto isCompared = [&](const VarDecl *variable) {
    return variables.contains(variable);
  };
  if (!scales(loop.turn, isCompared) && !scales(loop.increment, isCompared))
    return std::nullopt;
  auto knownAt = [&](const Address &address) -> std::optional<int64_t> {
    auto node = Store.find(address);
    return node && node->datum ? node->datum->known() : std::nullopt;
  };
  auto isKnown = [&](const Address &address) {
    return knownAt(address).has_value();
  };
  if (llvm::none_of(compared, isKnown))
    return std::nullopt;

  const size_t depth = Store.depth(), facts = Learnt.size();
  Store.beginChanges();
  LoopContext context;
  context.depth = depth;
  context.locals = Frames.back().locals.size();
  Frames.back().loops.push_back(std::move(context));
  std::vector<Memory::Changes> ways;
  bool ended = false;
  for (unsigned turn = 0; turn < mostTurns && !ended; ++turn) {
    std::optional<bool> truth = loop.condition();
    if (!truth || !*truth)
      ways.push_back(Store.changesSince(depth));
    ended = truth && !*truth;
    Flow flow = Flow::Normal;
    if (ended)
      break;
    std::vector<std::optional<int64_t>> before, after;
    for (const auto &[address, whole] : stored)
      before.push_back(knownAt(address));
    if (llvm::none_of(compared, isKnown) || Stopped || !runTurn(loop, flow))
      break;
    loop.next();
    // n /= 2 of 0: all turns from here on are as this one.
    for (const auto &[address, whole] : stored)
      after.push_back(knownAt(address));
    ended = before == after && !llvm::is_contained(after, std::nullopt);
  }
  Frames.back().loops.pop_back();
  Store.takeBack();
  Learnt.resize(std::min(facts, Learnt.size()));
  if (!ended || ways.empty())
    return std::nullopt;
  Store.join(ways);
  // What is one of several numbers has a name, so that what is calculated from
  // it is known to be.
  for (const auto &[address, whole] : stored)
    if (auto node = Store.find(address); !whole && node && node->datum &&
                                         node->datum->isNumber() &&
                                         !node->datum->known()) {
      const coreside::Value range = node->datum->number;
      Datum datum = symbol(Store.nameOf(address), {}, /*stable=*/false);
      datum.number = within(datum.number, range.low, range.high);
      Store.store(address, datum);
    }
  if (!decide(loop.test))
    learn(loop.test, false);
  return Flow::Normal;
}

} // namespace coreside
