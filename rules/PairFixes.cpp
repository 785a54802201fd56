// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PairFixes.h"

#include "BoundsFix.h"
#include "Dependence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// Text at the end of `span`.
SourceEdit appended(const SourceSpan &span, std::string text) {
  return {span.file,    span.endLine,   span.endColumn,
          span.endLine, span.endColumn, std::move(text)};
}

const StepText *textOf(const Program &program, int index) {
  return index < 0 ? nullptr : &program.stepTexts[index];
}

/// Edits of one text, each once.
void addOnce(Fix &fix, SourceEdit edit) {
  if (std::ranges::find(fix.edits, edit) == fix.edits.end())
    fix.edits.push_back(std::move(edit));
}

/// Whether two steps are reached by the same calls.
bool onOneWay(const Step &one, const Step &other) {
  return std::ranges::equal(one.path, other.path, {}, &CallSite::place,
                            &CallSite::place);
}

bool isLegacyDefault(const Trace &trace, const Step &step) {
  return step.stream >= 0 &&
         trace.streams[step.stream].origin == Stream::Origin::LegacyDefault;
}

/// Whether something on the legacy default stream may need that it waits for
/// other streams, or they for it.
bool mayNeedDefaultStream(const Trace &trace) {
  for (const Step &one : trace.steps) {
    if (!isLegacyDefault(trace, one) || one.waits)
      continue;
    if (one.kind != Step::Kind::Launch)
      return true;
    for (const Step &other : trace.steps)
      if (other.kind == Step::Kind::Launch && !isLegacyDefault(trace, other) &&
          (one.arguments.empty() || other.arguments.empty() ||
           dependenceOf(one, other) != Dependence::None))
        return true;
  }
  return false;
}

/// What makes the call that creates `stream` create one that does not block.
std::optional<SourceEdit> nonBlocking(const StepText &text) {
  if (!text.call)
    return std::nullopt;
  const llvm::StringRef call = text.call.text;
  constexpr const char *flag = "cudaStreamNonBlocking";
  if (call.starts_with("cudaStreamCreate(") && text.arguments.size() == 1 &&
      text.arguments[0])
    return editOf(text.call, fmt::format("cudaStreamCreateWithFlags({}, {})",
                                         text.arguments[0].text, flag));
  if ((call.starts_with("cudaStreamCreateWithFlags(") ||
       call.starts_with("cudaStreamCreateWithPriority(")) &&
      text.arguments.size() >= 2 && text.arguments[1])
    return editOf(text.arguments[1], flag);
  return std::nullopt;
}

} // namespace

void coreside::addFix(Finding &finding, std::optional<Fix> fix) {
  if (fix && !fix->edits.empty())
    finding.fixes.push_back(std::move(*fix));
}

std::optional<Fix> coreside::makeNonBlocking(const PairView &view) {
  if (mayNeedDefaultStream(view.trace))
    return std::nullopt;
  Fix fix;
  for (const Step *step : {&view.first, &view.second}) {
    const Stream &stream = view.trace.streams[step->stream];
    if (stream.blocking == Stream::Blocking::No)
      continue;
    const StepText *text = textOf(view.analysis.program, stream.text);
    std::optional<SourceEdit> edit = text ? nonBlocking(*text) : std::nullopt;
    if (!edit)
      return std::nullopt;
    addOnce(fix, std::move(*edit));
  }
  fix.title = "create the streams with cudaStreamNonBlocking";
  return fix;
}

std::optional<Fix> coreside::launchSecondFirst(const PairView &view) {
  const StepText *first = textOf(view.analysis.program, view.first.text);
  const StepText *second = textOf(view.analysis.program, view.second.text);
  if (!first || !second || !first->statement || !second->statement ||
      !onOneWay(view.first, view.second) ||
      view.pair.second != view.pair.first + 1 ||
      first->statement.file != second->statement.file ||
      second->statement.line != first->statement.endLine + 1)
    return std::nullopt;
  Fix fix;
  fix.title = fmt::format("launch '{}' first", view.secondName);
  fix.edits = {editOf(first->statement, second->statement.text),
               editOf(second->statement, first->statement.text)};
  return fix;
}

std::optional<Fix> coreside::moveAfterSecond(const PairView &view,
                                             const Step &call) {
  const Program &program = view.analysis.program;
  const StepText *moved = textOf(program, call.text);
  const StepText *second = textOf(program, view.second.text);
  if (!moved || !second || !moved->statement || !second->statement ||
      moved->arguments.empty() || !moved->arguments[0] ||
      !onOneWay(call, view.second) || !call.loops.empty() ||
      moved->statement.file != second->statement.file ||
      second->statement.line <= moved->statement.endLine ||
      moved->statement.column != second->statement.column)
    return std::nullopt;
  // What is freed must not be named again before: it may be something new then.
  const llvm::StringRef what = moved->arguments[0].text;
  for (unsigned s = unsigned(&call - view.trace.steps.data()) + 1;
       s <= view.pair.second; ++s)
    if (const StepText *text = textOf(program, view.trace.steps[s].text))
      if (text == second
              ? llvm::any_of(second->arguments,
                             [&](const SourceSpan &argument) {
                               return argument.text == what;
                             })
              : !text->call || llvm::StringRef(text->call.text).contains(what))
        return std::nullopt;
  Fix fix;
  fix.title =
      fmt::format("call '{}' after '{}'", call.function, view.secondName);
  fix.edits = {editOf(moved->statement, ""),
               appended(second->statement,
                        "\n" + std::string(moved->statement.column - 1, ' ') +
                            moved->statement.text)};
  return fix;
}

std::optional<Fix> coreside::setCarveouts(const PairView &view,
                                          unsigned percent) {
  Fix fix;
  fix.title =
      fmt::format("prefer a carveout of {} per cent for both kernels", percent);
  bool isSet[2] = {false, false};
  for (const Step &step : view.trace.steps) {
    if (step.kind != Step::Kind::FunctionAttribute ||
        step.attribute != "PreferredSharedMemoryCarveout" ||
        (step.kernel != view.first.kernel && step.kernel != view.second.kernel))
      continue;
    isSet[step.kernel == view.second.kernel] = true;
    const StepText *text = textOf(view.analysis.program, step.text);
    if (step.attributeValue.number() == int64_t(percent))
      continue;
    if (!text || text->arguments.size() != 3 || !text->arguments[2])
      return std::nullopt;
    addOnce(fix, editOf(text->arguments[2], fmt::to_string(percent)));
  }
  if (!isSet[0] || !isSet[1])
    return std::nullopt;
  return fix;
}
