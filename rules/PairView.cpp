// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PairView.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// Where two steps that stand at one place are told apart: the first calls on
/// the ways to them that differ.
std::pair<SourcePlace, SourcePlace> apart(const Step &first,
                                          const Step &second) {
  if (first.place == second.place) {
    const size_t calls = std::min(first.path.size(), second.path.size());
    for (size_t i = 0; i != calls; ++i)
      if (first.path[i].place != second.path[i].place)
        return {first.path[i].place, second.path[i].place};
  }
  return {first.place, second.place};
}

} // namespace

PairView::PairView(const Analysis &analysis, unsigned trace, unsigned pair)
    : analysis(analysis), facts(analysis.traces[trace]),
      trace(analysis.program.traces[trace]), judged(facts.pairs[pair]),
      pair(facts.timeline.pairs[judged.pair]),
      first(this->trace.steps[this->pair.first]),
      second(this->trace.steps[this->pair.second]) {
  auto name = [&](const Step &step) {
    return step.kernel < 0 ? std::string("a kernel")
                           : analysis.program.kernels[step.kernel].name;
  };
  firstName = name(first);
  secondName = name(second);
  std::tie(firstPlace, secondPlace) = apart(first, second);
  // Two launches of one kernel are told apart by their lines.
  if (firstName == secondName && firstPlace.line != secondPlace.line) {
    firstName += fmt::format(":{}", firstPlace.line);
    secondName += fmt::format(":{}", secondPlace.line);
  }
}

bool PairView::isOneLaunch() const {
  return firstPlace == secondPlace && first.kernel == second.kernel;
}

bool PairView::couldShare() const {
  return std::ranges::any_of(judged.onGPU, [](const PairOnGPU &pair) {
    if (pair.state == PairOnGPU::State::Unlaunchable)
      return false;
    return pair.state != PairOnGPU::State::Judged ||
           pair.verdict.sharing == Sharing::Full ||
           pair.verdict.sharing == Sharing::Partly;
  });
}

void coreside::forEachPair(const Analysis &analysis,
                           const std::function<void(const PairView &)> &visit) {
  for (unsigned t = 0; t != analysis.traces.size(); ++t)
    for (unsigned p = 0; p != analysis.traces[t].pairs.size(); ++p)
      if (PairView view(analysis, t, p); !view.isOneLaunch())
        visit(view);
}

std::string coreside::whereOf(const Trace &trace, const Step &step) {
  return step.stream >= 0
             ? fmt::format("on stream '{}'", trace.streams[step.stream].name)
             : fmt::format("in graph '{}'", trace.graphs[step.graph].name);
}

FindingNote coreside::firstLaunchNote(const PairView &view) {
  std::string assumed;
  for (const std::string &assumption : view.pair.assumptions)
    assumed += fmt::format(", taking it that {}", assumption);
  return {view.firstPlace,
          fmt::format("'{}' is launched here {}; nothing orders the two{}",
                      view.firstName, whereOf(view.trace, view.first),
                      assumed)};
}

Finding coreside::findingAt(const PairView &view) {
  Finding finding;
  finding.place = view.secondPlace;
  finding.facts.function = view.trace.function;
  finding.facts.assumptions = view.pair.assumptions;
  for (const Step *step : {&view.first, &view.second})
    finding.facts.launches.push_back(
        factOf(view.analysis.program, view.trace, *step));
  return finding;
}

GPUFact &coreside::addFact(Finding &finding, const PairView &view,
                           unsigned gpu) {
  GPUFact &fact = finding.facts.onGPU.emplace_back();
  fact.gpu = view.analysis.gpus[gpu].name;
  fact.architecture = smName(view.analysis.gpus[gpu].architecture.capability);
  fact.outcome = outcomeOf(view.judged.onGPU[gpu]);
  return fact;
}

Outcome coreside::outcomeOf(const PairOnGPU &pair) {
  if (pair.state != PairOnGPU::State::Judged)
    return Outcome::Unknown;
  switch (pair.verdict.sharing) {
  case Sharing::Full:
    return Outcome::Shares;
  case Sharing::Partly:
    return Outcome::SharesPartly;
  case Sharing::TailOnly:
    return Outcome::TailOnly;
  case Sharing::Never:
    return Outcome::Waits;
  }
  return Outcome::Unknown;
}

void coreside::addPaths(Finding &finding, const PairView &view) {
  for (const Step *step : {&view.first, &view.second}) {
    const std::string &name =
        step == &view.first ? view.firstName : view.secondName;
    for (const CallSite &call : step->path) {
      FindingNote note{call.place, fmt::format("'{}' is reached by this call "
                                               "of '{}'",
                                               name, call.callee)};
      if (call.place != view.firstPlace && call.place != view.secondPlace)
        finding.notes.push_back(std::move(note));
    }
  }
}
