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

const char *word(bool truth) { return truth ? "true" : "false"; }

} // namespace

UntakenLaunches::Decision
UntakenLaunches::chosenIn(const SwitchStmt *statement) const {
  Decision decision{statement, statement->getCond()};
  auto at = Facts.chosen.find(statement);
  if (at == Facts.chosen.end())
    return decision;
  constexpr size_t mostNamed = 4;
  size_t left = at->second.size();
  if (left > mostNamed) {
    decision.outcome = "none of the values that lead there";
    return decision;
  }
  for (int64_t value : at->second) {
    decision.outcome += std::to_string(value);
    if (--left)
      decision.outcome += left == 1 ? " or " : ", ";
  }
  return decision;
}

/// What ended the list of statements that `statement` stands in.
UntakenLaunches::Decision
UntakenLaunches::whatLeft(const Stmt *statement) const {
  auto followed = [&](const Stmt *one) {
    return one && Facts.followed.contains(one);
  };
  if (const auto *condition = dyn_cast<IfStmt>(statement)) {
    bool taken = followed(condition->getThen());
    if (taken != followed(condition->getElse()))
      return {statement, condition->getCond(), word(taken)};
  } else if (const auto *choice = dyn_cast<SwitchStmt>(statement)) {
    return chosenIn(choice);
  } else if (const auto *label = dyn_cast<SwitchCase>(statement)) {
    return whatLeft(label->getSubStmt());
  } else if (const auto *list = dyn_cast<CompoundStmt>(statement)) {
    const Stmt *last = nullptr;
    for (const Stmt *one : list->body())
      if (followed(one))
        last = one;
    if (last)
      return whatLeft(last);
  }
  return {statement};
}

/// What made `statement`, which was run, leave out its `part`; nothing if that
/// is not for `statement` to decide.
std::optional<UntakenLaunches::Decision>
UntakenLaunches::decisionIn(const Stmt *statement, const Stmt *part) const {
  if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
    if (binary->isLogicalOp() && part == binary->getRHS())
      return Decision{statement, binary->getLHS(),
                      word(binary->getOpcode() == BO_LOr)};
  } else if (const auto *choice =
                 dyn_cast<AbstractConditionalOperator>(statement)) {
    if (part == choice->getTrueExpr() || part == choice->getFalseExpr())
      return Decision{statement, choice->getCond(),
                      word(part == choice->getFalseExpr())};
  } else if (const auto *condition = dyn_cast<IfStmt>(statement)) {
    if (part == condition->getThen() || part == condition->getElse())
      return Decision{statement, condition->getCond(),
                      word(part == condition->getElse())};
  } else if (const auto *choice = dyn_cast<SwitchStmt>(statement)) {
    if (part == choice->getBody())
      return chosenIn(choice);
  } else if (const auto *loop = dyn_cast<ForStmt>(statement)) {
    if (part == loop->getBody() || part == loop->getInc())
      return Decision{statement, loop->getCond(), word(false)};
  } else if (const auto *loop = dyn_cast<WhileStmt>(statement)) {
    if (part == loop->getBody())
      return Decision{statement, loop->getCond(), word(false)};
  } else if (const auto *loop = dyn_cast<CXXForRangeStmt>(statement)) {
    if (part == loop->getBody())
      return Decision{statement, loop->getRangeInit(), "empty"};
  } else if (const auto *list = dyn_cast<CompoundStmt>(statement)) {
    const Stmt *last = nullptr;
    for (const Stmt *one : list->body()) {
      if (one == part)
        break;
      if (Facts.followed.contains(one))
        last = one;
    }
    return last ? whatLeft(last) : Decision{statement};
  }
  return std::nullopt;
}

bool UntakenLaunches::isOpen(const FunctionDecl *function) {
  if (Spread != Facts.open.size()) {
    Spread = Facts.open.size();
    std::vector<const FunctionDecl *> next(Facts.open.begin(),
                                           Facts.open.end());
    while (!next.empty()) {
      const FunctionDecl *one = next.back();
      next.pop_back();
      if (!Open.insert(one).second)
        continue;
      if (auto at = Callees.find(one); at != Callees.end())
        llvm::append_range(next, at->second);
    }
  }
  for (const DeclContext *context = function; context;
       context = context->getParent())
    if (const auto *one = dyn_cast<FunctionDecl>(context);
        one && Open.contains(one))
      return true;
  return false;
}

std::optional<UntakenLaunches::Decision>
UntakenLaunches::whyUntaken(const Stmt *statement,
                            const FunctionDecl *function) {
  if (isOpen(function))
    return std::nullopt;
  llvm::SmallVector<const Stmt *, 32> way;
  if (!findWay(function->getBody(), statement, way))
    return std::nullopt;
  for (size_t i = way.size(); i-- > 0;)
    if (Facts.followed.contains(way[i]))
      return i + 1 < way.size() ? decisionIn(way[i], way[i + 1]) : std::nullopt;
  return whyUncalled(function);
}

std::optional<UntakenLaunches::Decision>
UntakenLaunches::whyUncalled(const FunctionDecl *function) {
  auto [at, isNew] = Uncalled.try_emplace(function, Decision());
  if (!isNew)
    return at->second;
  std::optional<Decision> first;
  bool isUncalled = true;
  auto look = [&](const FunctionDecl *caller) {
    llvm::SmallVector<const Stmt *, 4> calls;
    findCalls(caller->getBody(), function, calls);
    for (const Stmt *call : calls) {
      std::optional<Decision> one = whyUntaken(call, caller);
      isUncalled = isUncalled && one;
      if (one && (!first || !first->at))
        first = one;
    }
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
  // Calls only in itself do not count.
  if (!isUncalled || (first && !first->at))
    first.reset();
  return Uncalled[function] = first;
}

} // namespace coreside
