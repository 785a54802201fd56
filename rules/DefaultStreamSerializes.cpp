// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// default-stream-serializes: work on the legacy default stream between two
// launches on blocking streams. It waits for the one, the other waits for it.
//
//   warning: 'mid' on the legacy default stream keeps 'back' from running
//   beside 'front'
//
// Only where the two could share a target GPU otherwise. A call that the host
// waits for (cudaMemcpy) orders the two as its author sees it: a note. A host
// that waits for the default stream and does nothing else asks for the order.

#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// Whether the two might run side by side on some target but for the order.
bool couldShare(const PairFacts &facts) {
  return std::any_of(facts.onGPU.begin(), facts.onGPU.end(),
                     [](const PairOnGPU &pair) {
                       if (pair.state == PairOnGPU::State::Unlaunchable)
                         return false;
                       return pair.state != PairOnGPU::State::Judged ||
                              pair.verdict.sharing == Sharing::Full ||
                              pair.verdict.sharing == Sharing::Partly;
                     });
}

/// A host that waits for an event of the default stream asks for the order.
bool isHostWait(const Step &step) {
  return step.kind == Step::Kind::StreamSynchronize ||
         step.kind == Step::Kind::EventSynchronize ||
         step.kind == Step::Kind::DeviceSynchronize;
}

std::string nameOf(const Program &program, const Step &step) {
  if (step.kernel >= 0)
    return program.kernels[step.kernel].name;
  return step.function.empty() ? "a kernel" : step.function;
}

} // namespace

std::vector<Finding>
coreside::findDefaultStreamSerializes(const Analysis &analysis) {
  std::vector<Finding> findings;
  const Program &program = analysis.program;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = program.traces[t];
    // For each step in between, the pair closest around it.
    std::map<int, const LaunchPair *> closest;
    for (const PairFacts &judged : facts.pairs) {
      const LaunchPair &pair = facts.timeline.pairs[judged.pair];
      // A kernel of a graph is on no stream of its own, and the stream that the
      // graph is put on may be the default stream itself.
      auto isDefaultOrGraph = [&](unsigned step) {
        int stream = trace.steps[step].stream;
        return stream < 0 ||
               trace.streams[stream].origin == Stream::Origin::LegacyDefault;
      };
      if (!pair.byDefaultStream || pair.orderedBy < 0 ||
          pair.relation != LaunchPair::Relation::Ordered ||
          isHostWait(trace.steps[pair.orderedBy]) ||
          isDefaultOrGraph(pair.first) || isDefaultOrGraph(pair.second) ||
          !couldShare(judged))
        continue;
      const LaunchPair *&known = closest[pair.orderedBy];
      if (!known || pair.second - pair.first < known->second - known->first)
        known = &pair;
    }
    for (const auto &[step, pair] : closest) {
      const Step &between = trace.steps[step];
      const Step &first = trace.steps[pair->first];
      const Step &second = trace.steps[pair->second];
      std::string firstName = nameOf(program, first);
      std::string secondName = nameOf(program, second);
      Finding finding;
      finding.level = between.waits ? Level::Note : Level::Warning;
      finding.place = between.place;
      finding.message =
          fmt::format("'{}' on the legacy default stream keeps "
                      "'{}' from running beside '{}'",
                      nameOf(program, between), secondName, firstName);
      finding.notes = {
          {first.place,
           fmt::format("it waits for '{}', launched here on the blocking "
                       "stream '{}'",
                       firstName, trace.streams[first.stream].name)},
          {second.place,
           fmt::format("'{}', launched here on the blocking stream '{}', waits "
                       "for it",
                       secondName, trace.streams[second.stream].name)},
          {trace.streams[first.stream].place,
           fmt::format("streams created with cudaStreamNonBlocking do not take "
                       "part in this; neither would '{}' on a stream of its "
                       "own",
                       nameOf(program, between))},
      };
      finding.facts.function = trace.function;
      for (const Step *step : {&first, &between, &second})
        finding.facts.launches.push_back(factOf(program, trace, *step));
      for (const GPU &gpu : analysis.gpus) {
        finding.gpus.push_back(gpu.name);
        GPUFact &fact = finding.facts.onGPU.emplace_back();
        fact.gpu = gpu.name;
        fact.architecture = smName(gpu.architecture.capability);
        fact.outcome = Outcome::Waits;
        fact.limiter = "the legacy default stream";
      }
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}
