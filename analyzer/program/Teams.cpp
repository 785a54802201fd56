// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   OpenMP directives.
// Out:  the steps of the threads of a team.
//
// Two threads stand for the team of a parallel region. What is shared out
// between them, the turns of a loop, sections, tasks, is done by a thread each;
// a single region by the first of the two.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace llvm::omp;

namespace coreside {

/// Waits for the threads that this one started since step `from`.
void Interpreter::joinStarted(size_t from, llvm::StringRef name,
                              const Expr *call) {
  std::vector<unsigned> open;
  for (size_t i = from; i < Result.steps.size(); ++i) {
    const Step &step = Result.steps[i];
    if (step.thread != Thread)
      continue;
    if (step.kind == Step::Kind::ThreadStart)
      open.push_back(step.otherThread);
    else if (step.kind == Step::Kind::ThreadJoin)
      llvm::erase(open, step.otherThread);
  }
  for (unsigned started : open)
    joinThread(Datum::of(started), name, call);
}

Interpreter::Flow
Interpreter::executeDirective(const OMPExecutableDirective *directive) {
  const OpenMPDirectiveKind kind = directive->getDirectiveKind();
  if (kind == OMPD_taskwait || kind == OMPD_barrier) {
    if (kind == OMPD_taskwait)
      joinStarted(TeamSteps, "omp taskwait", nullptr);
    return Flow::Normal;
  }
  if (!directive->hasAssociatedStmt())
    return Flow::Normal;
  // Not getInnermostCapturedStmt(): clang traps there for directives that
  // capture nothing ("omp critical").
  const Stmt *body = directive->getRawStmt();
  if (!isRelevant(body, Facts))
    return execute(body);
  const bool opens = isOpenMPParallelDirective(kind);
  const bool shares = isOpenMPWorksharingDirective(kind);
  const bool isLoop = isOpenMPLoopDirective(kind);
  const bool isTask = kind == OMPD_task;
  const bool isOnce =
      kind == OMPD_single || kind == OMPD_master || kind == OMPD_masked;
  if (isOnce || isTask || (shares && !opens) ||
      isOpenMPTaskLoopDirective(kind)) {
    // The other member of the team does other things.
    if (TeamMember == 1u)
      return Flow::Normal;
    if (isOnce)
      return execute(body);
  }
  const size_t steps = Result.steps.size();
  if (isTask) {
    if (TeamMember)
      startThread(nullptr, [&] { execute(body); });
    else
      execute(body);
    return Flow::Normal;
  }
  if (isLoop && (shares || isOpenMPTaskLoopDirective(kind))) {
    const Stmt *outer = SharedLoop;
    SharedLoop = body;
    Flow flow = execute(body);
    SharedLoop = outer;
    joinStarted(steps, "omp for", nullptr);
    return flow == Flow::LeftTurn ? Flow::Normal : flow;
  }
  if (kind == OMPD_sections || kind == OMPD_parallel_sections) {
    const auto *braces = dyn_cast<CompoundStmt>(body);
    if (!braces)
      return execute(body);
    for (const Stmt *section : braces->body())
      startThread(nullptr, [&] { execute(section); });
    joinStarted(steps, "omp sections", nullptr);
    return Flow::Normal;
  }
  if (!opens)
    return execute(body);
  const std::optional<unsigned> outerMember = TeamMember;
  const size_t outerSteps = TeamSteps;
  unsigned team[2];
  for (unsigned i = 0; i != 2; ++i) {
    TeamMember = i;
    team[i] = startThread(nullptr, [&] {
      TeamSteps = Result.steps.size();
      execute(body);
      joinStarted(TeamSteps, "omp parallel", nullptr);
    });
  }
  TeamMember = outerMember;
  TeamSteps = outerSteps;
  for (unsigned member : team)
    joinThread(Datum::of(member), "omp parallel", nullptr);
  return Flow::Normal;
}

} // namespace coreside
