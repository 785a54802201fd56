// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// default-stream-serializes: work on the legacy default stream between two
// launches on blocking streams: it waits for the one, the other waits for it.
// Or a launch there and one on a blocking stream, which wait for each other.
//
//   warning: 'mid' on the legacy default stream keeps 'back' from running
//   beside 'front'
//
// Only where the two could share a target GPU otherwise. Where memory in common
// needs the order, or the host waits for it (cudaMemcpy), it is as its author
// sees it: a note. A host that waits for the default stream and does nothing
// else asks for the order. Of streams from elsewhere it is not known whether
// they block: a warning then takes arguments that have nothing in common.

#include "Dependence.h"
#include "PairFixes.h"
#include "PairView.h"
#include "Rules.h"

#include <fmt/format.h>

#include <map>
#include <optional>

using namespace coreside;

namespace {

/// A host that waits for an event of the default stream asks for the order.
bool isHostWait(const Step &step) {
  return step.kind == Step::Kind::StreamSynchronize ||
         step.kind == Step::Kind::EventSynchronize ||
         step.kind == Step::Kind::DeviceSynchronize;
}

bool isOnDefault(const Trace &trace, const Step &step) {
  return step.stream >= 0 &&
         trace.streams[step.stream].origin == Stream::Origin::LegacyDefault;
}

std::string nameOf(const Program &program, const Step &step) {
  if (step.kernel >= 0)
    return program.kernels[step.kernel].name;
  return step.function.empty() ? "a kernel" : step.function;
}

/// Whether a copy, a set or a launch is about memory of the launch.
Dependence dependence(const Step &launch, const Step &other) {
  if (other.kind == Step::Kind::Launch)
    return launch.arguments.empty() || other.arguments.empty()
               ? Dependence::Unknown
               : dependenceOf(launch, other);
  Dependence result = Dependence::None;
  for (const KernelArgument &argument : launch.arguments)
    for (int allocation : {other.target, other.source}) {
      if (allocation >= 0 && allocation == argument.allocation)
        return Dependence::Shares;
      if (argument.allocation < 0)
        result = Dependence::Unknown;
    }
  return other.target < 0 ? Dependence::Unknown : result;
}

/// "blocking stream 's'", "stream 's'".
std::string streamInWords(const PairView &view, const Step &step) {
  const Stream &stream = view.trace.streams[step.stream];
  return fmt::format(
      "{}stream '{}'",
      stream.blocking == Stream::Blocking::Yes ? "blocking " : "", stream.name);
}

void addAllGPUs(Finding &finding, const PairView &view) {
  for (unsigned g = 0; g != view.analysis.gpus.size(); ++g) {
    finding.gpus.push_back(view.analysis.gpus[g].name);
    GPUFact &fact = addFact(finding, view, g);
    fact.outcome = view.pair.relation == LaunchPair::Relation::Ordered
                       ? Outcome::Waits
                       : Outcome::Unknown;
    fact.limiter = "the legacy default stream";
  }
}

/// ", unless 's' is created with cudaStreamNonBlocking" where it is not known.
std::string unless(const PairView &view) {
  if (view.pair.relation == LaunchPair::Relation::Ordered)
    return {};
  std::string names;
  for (const Step *step : {&view.first, &view.second})
    if (const Stream &stream = view.trace.streams[step->stream];
        stream.blocking == Stream::Blocking::Unknown &&
        !isOnDefault(view.trace, *step))
      names += fmt::format("{}'{}'", names.empty() ? "" : " or ", stream.name);
  return fmt::format(", unless {} is created with cudaStreamNonBlocking",
                     names);
}

/// Work on the default stream between two launches on others.
std::optional<Finding> describeBetween(const PairView &view,
                                       const Step &between) {
  const Program &program = view.analysis.program;
  const bool sure = view.pair.relation == LaunchPair::Relation::Ordered;
  const Dependence before = dependence(view.first, between);
  const Dependence after = dependence(view.second, between);
  Finding finding = findingAt(view);
  const std::string name = nameOf(program, between);
  const bool meant =
      before == Dependence::Shares && after == Dependence::Shares;
  const bool apart = before == Dependence::None && after == Dependence::None;
  finding.level = between.waits || meant || (!sure && !apart) ? Level::Note
                                                              : Level::Warning;
  finding.place = between.place;
  finding.message = fmt::format(
      "'{}' on the legacy default stream keeps '{}' from running beside '{}'{}",
      name, view.secondName, view.firstName, unless(view));
  finding.notes = {
      {view.firstPlace,
       fmt::format("it waits for '{}', launched here on the {}", view.firstName,
                   streamInWords(view, view.first))},
      {view.secondPlace,
       fmt::format("'{}', launched here on the {}, waits for it",
                   view.secondName, streamInWords(view, view.second))},
      {view.trace.streams[view.first.stream].place,
       fmt::format("streams created with cudaStreamNonBlocking do not take "
                   "part in this; neither would '{}' on a stream of its own",
                   name)},
  };
  finding.facts.launches.insert(finding.facts.launches.begin() + 1,
                                factOf(program, view.trace, between));
  if (meant)
    finding.notes.push_back(
        {between.place,
         fmt::format("only a note: '{}' is about memory of both", name)});
  addPaths(finding, view);
  addAllGPUs(finding, view);
  if (sure && !meant)
    addFix(finding, makeNonBlocking(view));
  return finding;
}

/// One of the two is on the default stream itself.
std::optional<Finding> describeOnDefault(const PairView &view) {
  const Dependence common = dependence(view.first, view.second);
  // They need their order.
  if (common == Dependence::Shares)
    return std::nullopt;
  const bool firstIsOn = isOnDefault(view.trace, view.first);
  const Step &other = firstIsOn ? view.second : view.first;
  Finding finding = findingAt(view);
  finding.level = common == Dependence::None ? Level::Warning : Level::Note;
  finding.place = firstIsOn ? view.firstPlace : view.secondPlace;
  finding.message = fmt::format(
      "'{}' on the legacy default stream and '{}' on stream '{}' wait for each "
      "other{}",
      firstIsOn ? view.firstName : view.secondName,
      firstIsOn ? view.secondName : view.firstName,
      view.trace.streams[other.stream].name, unless(view));
  finding.notes = {
      {firstIsOn ? view.secondPlace : view.firstPlace,
       fmt::format("'{}' is launched here on the {}",
                   firstIsOn ? view.secondName : view.firstName,
                   streamInWords(view, other))},
      {finding.place,
       fmt::format("on a stream of its own '{}' would not wait, nor, where it "
                   "names none, compiled with --default-stream per-thread",
                   firstIsOn ? view.firstName : view.secondName)}};
  addPaths(finding, view);
  addAllGPUs(finding, view);
  return finding;
}

} // namespace

std::vector<Finding>
coreside::findDefaultStreamSerializes(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const Trace &trace = analysis.program.traces[t];
    const TraceFacts &facts = analysis.traces[t];
    // For each step on the default stream, the pair closest around it, and the
    // closest that it is one of.
    std::map<int, unsigned> around, ofIt;
    auto distance = [&](unsigned p) {
      const LaunchPair &pair = facts.timeline.pairs[facts.pairs[p].pair];
      return pair.second - pair.first;
    };
    auto keep = [&](std::map<int, unsigned> &map, int step, unsigned p) {
      auto [at, isNew] = map.try_emplace(step, p);
      if (!isNew && distance(p) < distance(at->second))
        at->second = p;
    };
    for (unsigned p = 0; p != facts.pairs.size(); ++p) {
      const PairView view(analysis, t, p);
      // A kernel of a graph is on no stream of its own, and the stream that the
      // graph is put on may be the default stream itself.
      if (!view.pair.byDefaultStream || view.pair.orderedBy < 0 ||
          view.first.stream < 0 || view.second.stream < 0 ||
          isHostWait(trace.steps[view.pair.orderedBy]) || !view.couldShare())
        continue;
      const bool firstIsOn = isOnDefault(trace, view.first);
      if (firstIsOn && isOnDefault(trace, view.second))
        continue;
      if (firstIsOn || isOnDefault(trace, view.second))
        keep(ofIt, firstIsOn ? view.pair.first : view.pair.second, p);
      else
        keep(around, view.pair.orderedBy, p);
    }
    for (const auto &[step, p] : around)
      if (std::optional<Finding> finding =
              describeBetween(PairView(analysis, t, p), trace.steps[step]))
        findings.push_back(std::move(*finding));
    for (const auto &[step, p] : ofIt)
      if (!around.count(step))
        if (std::optional<Finding> finding =
                describeOnDefault(PairView(analysis, t, p)))
          findings.push_back(std::move(*finding));
  }
  return findings;
}
