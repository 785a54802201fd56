// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   statements in braces that hold labels, and gotos.
// Out:  what stands behind a label is run once for all ways to it.
//
//   if (failed) goto Error;      the way leaves here
//   work<<<8, 128>>>();
//   Error:                       and is joined with the other here
//   cudaFree(p);
//
// A label that a goto after it names is the head of a loop, which only a goto
// repeats.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {

/// Calls `use` with the labels and gotos in a statement; those of a lambda are
/// another function's.
static void forEachJump(const Stmt *statement,
                        llvm::function_ref<void(const Stmt *)> use) {
  if (!statement || isa<LambdaExpr>(statement))
    return;
  if (isa<LabelStmt, GotoStmt, IndirectGotoStmt>(statement))
    use(statement);
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    forEachJump(captured->getCapturedStmt(), use);
  for (const Stmt *child : statement->children())
    forEachJump(child, use);
}

bool Interpreter::hasLabels() {
  const FunctionDecl *function = Frames.back().function;
  auto [at, isNew] = Facts.labelled.try_emplace(function, false);
  if (isNew) {
    bool any = false;
    forEachJump(function->getBody(),
                [&](const Stmt *one) { any = any || isa<LabelStmt>(one); });
    Facts.labelled[function] = any;
    return any;
  }
  return at->second;
}

/// Whether the statement is that of `label` itself, not one around it.
static bool standsAt(const Stmt *statement, const LabelDecl *label) {
  for (;;) {
    if (const auto *labelled = dyn_cast<LabelStmt>(statement)) {
      if (labelled->getDecl() == label)
        return true;
      statement = labelled->getSubStmt();
    } else if (const auto *labelled = dyn_cast<SwitchCase>(statement)) {
      statement = labelled->getSubStmt();
    } else if (const auto *attributed = dyn_cast<AttributedStmt>(statement)) {
      statement = attributed->getSubStmt();
    } else {
      return false;
    }
  }
}

/// Whether `statement` may go to `label`.
static bool goesTo(const Stmt *statement, const LabelDecl *label) {
  bool any = false;
  forEachJump(statement, [&](const Stmt *one) {
    if (const auto *jump = dyn_cast<GotoStmt>(one))
      any = any || jump->getLabel() == label;
    else
      any = any || isa<IndirectGotoStmt>(one);
  });
  return any;
}

/// The statements of a list, some of which hold labels. Of the list that a loop
/// of a label repeats the end is not the end of its scope.
Interpreter::Flow
Interpreter::executeLabelled(llvm::ArrayRef<const Stmt *> statements,
                             const Stmt *braces) {
  const size_t first = Frames.back().labels.size();
  const size_t depth = Store.depth(), facts = Learnt.size();
  auto isLooped = [&](const LabelDecl *label) {
    return llvm::any_of(Frames.back().labels, [&](const LabelContext &one) {
      return one.label == label && one.isLoop;
    });
  };
  std::vector<LabelContext> own;
  for (size_t i = 0; i != statements.size(); ++i)
    forEachJump(statements[i], [&](const Stmt *one) {
      const auto *labelled = dyn_cast<LabelStmt>(one);
      if (!labelled || isLooped(labelled->getDecl()))
        return;
      LabelContext context;
      context.label = labelled->getDecl();
      context.depth = depth;
      context.at = i;
      context.isExact = standsAt(statements[i], context.label);
      own.push_back(std::move(context));
    });
  const size_t last = first + own.size();
  llvm::append_range(Frames.back().labels, std::move(own));
  Store.beginChanges();

  const Stmt *outer = Statement;
  Flow flow = Flow::Normal;
  for (size_t i = 0; i < statements.size();) {
    arriveAt(i, first, last, facts, flow);
    if (flow != Flow::Normal) {
      ++i;
      continue;
    }
    for (size_t l = first; l != last; ++l)
      Frames.back().labels[l].locals = Frames.back().locals.size();
    // What goes back to here is a loop up to the last goto.
    const LabelDecl *head = nullptr;
    size_t end = i;
    for (size_t l = first; l != last && !head; ++l) {
      const LabelContext &one = Frames.back().labels[l];
      if (one.at != i)
        continue;
      for (size_t j = one.isExact ? i : i + 1; j < statements.size(); ++j)
        if (goesTo(statements[j], one.label)) {
          head = one.label;
          end = j;
        }
    }
    if (head) {
      flow = executeLabelLoop(head, statements.slice(i, end - i + 1), braces);
      i = end + 1;
    } else {
      Statement = Texts.statementToChange(outer, braces, statements[i]);
      flow = execute(statements[i]);
      Statement = outer;
      ++i;
    }
  }
  Frames.back().labels.resize(first);
  Store.keep();
  return flow;
}

/// Goes on at statement `at` of a list, whose labels are those from `first` to
/// before `last`, with all ways that lead there.
void Interpreter::arriveAt(size_t at, size_t first, size_t last, size_t facts,
                           Flow &flow) {
  std::vector<Memory::Changes> ways;
  std::vector<const LabelDecl *> reached;
  for (size_t l = first; l != last; ++l) {
    LabelContext &one = Frames.back().labels[l];
    if (one.at != at || one.arrivals.empty())
      continue;
    if (!one.isExact) {
      leaveOpen(Frames.back().function);
      cut("goto into a block in '" + nameOf(*Frames.back().function) + "'");
    }
    for (Exit &exit : one.arrivals)
      ways.push_back(std::move(exit.changes));
    one.arrivals.clear();
    reached.push_back(one.label);
  }
  if (ways.empty())
    return;
  const size_t depth = Frames.back().labels[first].depth;
  if (flow == Flow::Normal)
    ways.push_back(Store.changesSince(depth));
  Store.takeBack();
  Store.beginChanges();
  Store.join(ways);
  Learnt.resize(std::min(facts, Learnt.size()));
  for (const LabelDecl *label : reached)
    endGotoGuards(label);
  if (flow == Flow::Normal)
    return;
  flow = Flow::Normal;
  // Others left for labels that come later: they do not run what stands here.
  std::vector<const LabelDecl *> away;
  for (const LabelContext &one : Frames.back().labels)
    if (!one.arrivals.empty() && !one.isLoop)
      away.push_back(one.label);
  if (!away.empty())
    Guards.push_back({{Conditions++, 0}, Flow::LeftByGoto, std::move(away)});
}

Interpreter::Flow
Interpreter::executeLabelLoop(const LabelDecl *label,
                              llvm::ArrayRef<const Stmt *> statements,
                              const Stmt *braces) {
  Loop shape;
  auto condition = []() -> std::optional<bool> { return true; };
  auto body = [&] {
    LabelContext context;
    context.label = label;
    context.isLoop = true;
    context.at = Frames.back().loops.size() - 1;
    context.locals = Frames.back().locals.size();
    Frames.back().labels.push_back(std::move(context));
    Flow flow = executeLabelled(statements, braces);
    Frames.back().labels.pop_back();
    if (flow != Flow::Normal)
      return flow;
    LoopContext &loop = Frames.back().loops.back();
    loop.breaks.push_back({Store.changesSince(loop.depth), std::nullopt});
    return Flow::LeftLoop;
  };
  auto next = [&] { endGotoGuards(label); };
  shape.statement = statements.front();
  shape.condition = condition;
  shape.body = body;
  shape.next = next;
  shape.endless = true;
  shape.isLabel = true;
  shape.turns = coreside::Value::unknown("gotos decide");
  Flow flow = runLoop(shape);
  endGotoGuards(label);
  return flow;
}

/// Leaves for `label`.
Interpreter::Flow Interpreter::jumpTo(const LabelDecl *label) {
  std::vector<LabelContext> &labels = Frames.back().labels;
  for (size_t l = labels.size(); l > 0; --l) {
    LabelContext &context = labels[l - 1];
    if (context.label != label)
      continue;
    const size_t locals = context.locals;
    destroyLocals(locals);
    Gone.push_back(label);
    LabelContext &target = Frames.back().labels[l - 1];
    if (target.isLoop) {
      LoopContext &loop = Frames.back().loops[target.at];
      loop.continues.push_back(
          {Store.changesSince(loop.turnDepth), std::nullopt});
    } else {
      target.arrivals.push_back(
          {Store.changesSince(target.depth), std::nullopt});
    }
    return Flow::LeftByGoto;
  }
  return jumpNowhere();
}

/// Into a block that is left, or around a statement that is run: what stands
/// behind the label is run on the other ways to it only.
Interpreter::Flow Interpreter::jumpNowhere() {
  leaveOpen(Frames.back().function);
  cut("goto into a block in '" + nameOf(*Frames.back().function) + "'");
  Frames.back().returns.push_back(
      {Store.changesSince(Frames.back().depth), std::nullopt});
  return Flow::LeftFunction;
}

Interpreter::Flow Interpreter::executeGoto(const Stmt *statement) {
  if (const auto *jump = dyn_cast<GotoStmt>(statement))
    return jumpTo(jump->getLabel());
  const auto *jump = cast<IndirectGotoStmt>(statement);
  evaluate(jump->getTarget());
  // Any of the labels of the function.
  std::vector<std::function<Flow()>> ways;
  forEachJump(Frames.back().function->getBody(), [&](const Stmt *one) {
    if (const auto *labelled = dyn_cast<LabelStmt>(one))
      ways.push_back([this, labelled] { return jumpTo(labelled->getDecl()); });
  });
  if (ways.size() < 2)
    return ways.empty() ? jumpNowhere() : ways.front()();
  std::vector<llvm::function_ref<Flow()>> arms(ways.begin(), ways.end());
  return branch({Conditions++}, arms);
}

/// At `label` those come back that left for it: what follows is no longer on
/// the other arm only.
void Interpreter::endGotoGuards(const LabelDecl *label) {
  for (size_t i = 0; i != Guards.size();) {
    ActiveGuard &active = Guards[i];
    auto at = llvm::find(active.gotos, label);
    if (at == active.gotos.end()) {
      ++i;
      continue;
    }
    active.gotos.erase(at);
    if (active.until == Flow::LeftByGoto && active.gotos.empty()) {
      Guards.erase(Guards.begin() + i);
      continue;
    }
    // Some of the arm's ways are still away.
    active.guard = {Conditions++, 0};
    ++i;
  }
}

Interpreter::Exits Interpreter::markExits() const {
  Exits exits;
  exits.returns = Frames.back().returns.size();
  for (const LabelContext &label : Frames.back().labels)
    exits.arrivals.push_back(label.arrivals.size());
  for (const LoopContext &loop : Frames.back().loops)
    exits.continues.push_back(loop.continues.size());
  return exits;
}

/// Forgets the ways that were noted as leaving since `exits` were marked.
void Interpreter::forgetExits(const Exits &exits) {
  Frame &frame = Frames.back();
  frame.returns.resize(exits.returns);
  for (auto [label, count] : llvm::zip(frame.labels, exits.arrivals))
    label.arrivals.resize(count);
  for (auto [loop, count] : llvm::zip(frame.loops, exits.continues))
    loop.continues.resize(count);
}

} // namespace coreside
