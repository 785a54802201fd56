// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// implicit-sync: a host call between two launches makes the device finish
// first, and nothing else keeps the two from running together.
//
//   warning: 'cudaFree' waits for 'one', so 'two' cannot run beside it
//
// A warning for calls that do so in the reading that is asked for, a note for
// those that only the other reading says it of (--sync-model).

#include "PairFixes.h"
#include "PairView.h"
#include "Rules.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

namespace {

/// What one can do about it, by the kind of call.
std::string wayOut(const Step &call, const PairView &view) {
  if (call.function == "cudaFree" || call.function == "cudaFreeHost")
    return fmt::format("free it after '{}'{}", view.secondName,
                       call.function == "cudaFree"
                           ? ", or in stream order with cudaFreeAsync"
                           : "");
  if (call.kind == Step::Kind::Allocation)
    return fmt::format("allocate before '{}'{}", view.firstName,
                       call.function == "cudaMalloc"
                           ? ", or in stream order with cudaMallocAsync"
                           : "");
  return fmt::format("call it before '{}' or after '{}'", view.firstName,
                     view.secondName);
}

/// Whether the call orders, or may order, in the reading that the timeline was
/// made with.
bool ordersHere(const PairView &view, const Step &call) {
  return view.pair.byHostCall &&
         (call.kind != Step::Kind::Allocation ||
          view.analysis.ordering.sync == SyncModel::Documented);
}

/// The stream of the first launch is gone before the second is made: they are
/// two parts of a program.
bool endsBefore(const PairView &view) {
  for (unsigned s = view.pair.first; s < view.pair.second; ++s)
    if (const Step &step = view.trace.steps[s];
        step.kind == Step::Kind::StreamDestroy &&
        step.stream == view.first.stream)
      return true;
  return false;
}

Finding describeCall(const PairView &view, const Step &call) {
  Finding finding = findingAt(view);
  finding.place = call.place;
  const bool orders = ordersHere(view, call);
  finding.level = orders ? Level::Warning : Level::Note;
  if (!orders)
    finding.message = fmt::format(
        "by NVIDIA's documents '{}' waits for the device, which would keep "
        "'{}' from running beside '{}'",
        call.function, view.secondName, view.firstName);
  else
    finding.message = fmt::format(
        "'{}' {} for the device, which keeps '{}' from running beside '{}'",
        call.function,
        view.pair.relation == LaunchPair::Relation::Unknown ? "may wait"
                                                            : "waits",
        view.secondName, view.firstName);
  finding.notes = {
      {view.firstPlace, fmt::format("'{}' is launched here {}", view.firstName,
                                    whereOf(view.trace, view.first))},
      {view.secondPlace,
       fmt::format("'{}', launched here {}, comes after the call",
                   view.secondName, whereOf(view.trace, view.second))},
      {call.place, wayOut(call, view)}};
  addPaths(finding, view);
  for (unsigned g = 0; g != view.analysis.gpus.size(); ++g) {
    finding.gpus.push_back(view.analysis.gpus[g].name);
    GPUFact &fact = addFact(finding, view, g);
    fact.outcome = orders ? Outcome::Waits : Outcome::Unknown;
    fact.limiter = call.function;
  }
  if (call.function == "cudaFree" || call.function == "cudaFreeHost")
    addFix(finding, moveAfterSecond(view, call));
  return finding;
}

} // namespace

std::vector<Finding> coreside::findImplicitSync(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    // For each call the pair closest around it.
    std::map<unsigned, unsigned> closest;
    auto distance = [&](unsigned p) {
      const LaunchPair &pair =
          analysis.traces[t].timeline.pairs[analysis.traces[t].pairs[p].pair];
      return pair.second - pair.first;
    };
    for (unsigned p = 0; p != analysis.traces[t].pairs.size(); ++p) {
      const PairView view(analysis, t, p);
      if (view.pair.hostCalls.empty() || !view.couldShare() ||
          view.first.stream < 0 || view.second.stream < 0 || endsBefore(view))
        continue;
      for (unsigned step : view.pair.hostCalls) {
        auto [at, isNew] = closest.try_emplace(step, p);
        if (!isNew && distance(p) < distance(at->second))
          at->second = p;
      }
    }
    for (const auto &[step, p] : closest) {
      const PairView view(analysis, t, p);
      findings.push_back(describeCall(view, view.trace.steps[step]));
    }
  }
  return findings;
}
