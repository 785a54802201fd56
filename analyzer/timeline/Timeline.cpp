// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each launch is followed over the operations after it (FollowLaunch.h), once
// for every set of condition arms under which something else would order it.
// Only operations that run whenever both launches of a pair do may order them.
// What would order a pair only if something unknown were so (a stream of
// unknown kind, an event of unknown identity) is found by following it a second
// time with all of that taken for true, and what only the legacy default stream
// orders by a third time without it.

#include "Timeline.h"

#include "FollowLaunch.h"
#include "Operations.h"

#include "llvm/ADT/DenseMap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// Launches beyond which not every pair is listed: their number grows with the
/// square.
constexpr unsigned mostLaunchesOfAll = 512;
/// Beyond that: on how many other streams the next launch is looked for, and
/// over how many operations in all.
constexpr unsigned mostNextStreams = 4;
/// Host calls that are listed between two launches.
constexpr size_t mostHostCalls = 8;
constexpr uint64_t mostNextOperations = 10'000'000;
/// Operations played for one trace, all in all: less than a second.
constexpr uint64_t mostPlayed = 20'000'000;

/// The words for what step `by` does; they can follow "ordered: ".
std::string describe(const Trace &trace, int by) {
  const Step &step = trace.steps[by];
  const Stream *stream =
      step.stream < 0 ? nullptr : &trace.streams[step.stream];
  std::string on = stream ? stream->name : "a stream";
  std::string event = step.event >= 0 ? trace.events[step.event].name : "?";
  std::string graph = step.graph >= 0 ? trace.graphs[step.graph].name : "?";
  if (stream && stream->origin == Stream::Origin::LegacyDefault &&
      step.kind != Step::Kind::StreamSynchronize &&
      step.kind != Step::Kind::GraphLaunch)
    return fmt::format("{} on the legacy default stream in between",
                       step.function.empty() ? "launch" : step.function);
  switch (step.kind) {
  case Step::Kind::StreamWait:
    if (step.event < 0)
      return fmt::format("stream '{}' waits in '{}'", on, step.function);
    return fmt::format("stream '{}' waits for event '{}'", on, event);
  case Step::Kind::StreamSynchronize:
    return fmt::format("the host waits for stream '{}'", on);
  case Step::Kind::EventSynchronize:
    return fmt::format("the host waits for event '{}'", event);
  case Step::Kind::DeviceSynchronize:
    return "the host waits for the device";
  case Step::Kind::GraphLaunch:
    return fmt::format("graph '{}' is launched on stream '{}'", graph, on);
  case Step::Kind::Launch:
  case Step::Kind::GraphNode:
    if (step.graph >= 0)
      return fmt::format("nodes of graph '{}' depend on one another", graph);
    return fmt::format("launch on stream '{}' in between", on);
  default:
    return fmt::format("'{}' in between", step.function);
  }
}

/// A function that is not CUDA's: what it does cannot be told.
bool isForeign(const Step &step) {
  if (step.kind != Step::Kind::Opaque || step.function.empty())
    return false;
  for (const char *prefix : {"cu", "hip", "nccl", "nvtx", "roc",
                             "thrust::", "npp", "nvjpeg", "miopen", "rccl"})
    if (step.function.starts_with(prefix))
      return false;
  return true;
}

class Ordering {
public:
  Ordering(const Trace &trace, const std::vector<Kernel> *kernels,
           const TimelineOptions &options)
      : T(trace), Options(options), Ops(layOut(trace)),
        Follower(trace, Ops, kernels) {}

  Timeline run() {
    Result.cuts = Ops.cuts;
    prepare();
    const bool all = Launches.size() <= mostLaunchesOfAll;
    if (!all)
      Result.cuts.push_back(fmt::format(
          "of {} launches, each only with the next ones on {} other streams",
          Launches.size(), mostNextStreams));
    for (unsigned i = 0; i != Launches.size(); ++i) {
      if (Follower.played() > mostPlayed) {
        Result.cuts.push_back(
            fmt::format("pairs of the first {} of {} launches only: too many "
                        "conditions",
                        i, Launches.size()));
        break;
      }
      pairUp(Launches[i], all ? laterLaunches(i) : nextLaunches(i));
    }
    std::sort(Result.pairs.begin(), Result.pairs.end(),
              [](const LaunchPair &a, const LaunchPair &b) {
                return std::pair(a.second, a.first) <
                       std::pair(b.second, b.first);
              });
    return std::move(Result);
  }

private:
  /// The other launch of a pair, and what is found out about the two.
  struct Candidate {
    unsigned operation = 0;
    int by = LaunchFollower::notDone;
    int maybe = LaunchFollower::notDone;
    int otherwise = LaunchFollower::notDone;
    int queuedBehind = -1;
    bool byDefaultStream = false;
    bool byHostCall = false;
  };

  void prepare() {
    // A kernel is loaded by what runs whenever its launch does.
    std::vector<std::vector<unsigned>> loaded;
    FirstUse.resize(Ops.list.size());
    LastForeign.resize(Ops.list.size(), -1);
    for (unsigned i = 0; i != Ops.list.size(); ++i) {
      const Operation &operation = Ops.list[i];
      const Step &step = T.steps[operation.step];
      LastForeign[i] = isForeign(step) ? i : i ? LastForeign[i - 1] : -1;
      if (operation.kind == Operation::Kind::Call &&
          LaunchFollower::mayFinishDevice(step))
        HostCalls.push_back(i);
      const bool launches = operation.kind == Operation::Kind::Launch;
      if (launches)
        Launches.push_back(i);
      if (step.kernel < 0 ||
          (!launches && operation.kind != Operation::Kind::Load))
        continue;
      loaded.resize(std::max<size_t>(loaded.size(), step.kernel + 1));
      std::vector<unsigned> &under = loaded[step.kernel];
      const Guards &guards = Ops.guardSets[operation.guards];
      // What a graph launches was loaded when the graph was made.
      FirstUse[i] = !operation.instance &&
                    std::none_of(under.begin(), under.end(), [&](unsigned set) {
                      const Guards &one = Ops.guardSets[set];
                      return std::includes(guards.begin(), guards.end(),
                                           one.begin(), one.end());
                    });
      if (FirstUse[i] && under.size() < 64)
        under.push_back(operation.guards);
    }
    for (unsigned s = 0; s != T.streams.size(); ++s)
      Created = std::max(Created, T.streams[s].number + 1);
  }

  std::vector<unsigned> laterLaunches(unsigned i) const {
    return {Launches.begin() + i + 1, Launches.end()};
  }

  /// The next launch on each of the streams that are used next, and on its own.
  std::vector<unsigned> nextLaunches(unsigned i) const {
    const uint64_t window =
        std::max<uint64_t>(64, mostNextOperations / Launches.size());
    std::vector<unsigned> next;
    std::vector<int> streams;
    for (unsigned j = i + 1;
         j != Launches.size() && streams.size() <= mostNextStreams &&
         Launches[j] - Launches[i] < window;
         ++j) {
      const int stream = Ops.list[Launches[j]].stream;
      if (std::find(streams.begin(), streams.end(), stream) != streams.end())
        continue;
      streams.push_back(stream);
      next.push_back(Launches[j]);
    }
    return next;
  }

  void pairUp(unsigned launch, const std::vector<unsigned> &others) {
    const Operation &first = Ops.list[launch];
    std::map<Guards, std::vector<Candidate>> byGuards;
    for (unsigned other : others) {
      const Operation &second = Ops.list[other];
      // On different devices there is nothing to share.
      if (second.step == first.step ||
          (first.device >= 0 && second.device >= 0 &&
           first.device != second.device))
        continue;
      if (contradict(Ops.guardSets[first.guards],
                     Ops.guardSets[second.guards])) {
        LaunchPair pair;
        pair.relation = LaunchPair::Relation::Exclusive;
        pair.why = "on different arms of a condition";
        add(first, second, std::move(pair));
        continue;
      }
      Guards taken;
      const Guards &one = Follower.relevant(first.guards);
      const Guards &two = Follower.relevant(second.guards);
      std::set_union(one.begin(), one.end(), two.begin(), two.end(),
                     std::back_inserter(taken));
      byGuards[std::move(taken)].push_back({other});
    }
    for (auto &[taken, candidates] : byGuards) {
      ask(launch, taken, candidates);
      for (const Candidate &candidate : candidates)
        add(first, Ops.list[candidate.operation], judge(launch, candidate));
    }
  }

  /// Follows `launch` to all `candidates`, which are in order.
  void ask(unsigned launch, const Guards &taken,
           std::vector<Candidate> &candidates) {
    const unsigned end = candidates.back().operation + 1;
    Reading reading;
    reading.sync = Options.sync;
    auto each = [&](auto visit) {
      auto at = candidates.begin();
      Follower.follow(
          launch, end, taken, reading, [&](unsigned operation, int by) {
            if (at != candidates.end() && at->operation == operation)
              visit(*at++, by);
            return at != candidates.end();
          });
    };
    auto any = [&](bool done) {
      return std::any_of(candidates.begin(), candidates.end(),
                         [&](const Candidate &candidate) {
                           return (candidate.by != LaunchFollower::notDone) ==
                                  done;
                         });
    };

    // With the first pass, what stands in the queues before each.
    std::map<unsigned, int> waiting;
    auto at = candidates.begin();
    Follower.follow(
        launch, end, taken, reading, [&](unsigned operation, int by) {
          const int queue = queueOf(Ops.list[operation]);
          if (at != candidates.end() && at->operation == operation) {
            at->by = by;
            if (auto before = waiting.find(queue);
                queue >= 0 && before != waiting.end())
              at->queuedBehind = before->second;
            ++at;
          }
          if (queue >= 0 && by != LaunchFollower::notDone)
            waiting.try_emplace(queue, Ops.list[operation].step);
          return at != candidates.end();
        });
    if (any(true) && Follower.anyDefaultStream()) {
      reading.withoutDefaultStream = true;
      each([](Candidate &candidate, int by) {
        candidate.byDefaultStream = candidate.by != LaunchFollower::notDone &&
                                    by == LaunchFollower::notDone;
      });
      reading.withoutDefaultStream = false;
    }
    if (any(true) && Follower.anyCall()) {
      reading.possible = reading.withoutHostCalls = true;
      each([](Candidate &candidate, int by) {
        candidate.byHostCall = candidate.by != LaunchFollower::notDone &&
                               by == LaunchFollower::notDone;
      });
      reading.possible = reading.withoutHostCalls = false;
    }
    if (any(false) && Follower.anyUncertain(Options.sync)) {
      reading.possible = true;
      each([](Candidate &candidate, int by) { candidate.maybe = by; });
      if (Follower.anyDefaultStream()) {
        reading.withoutDefaultStream = true;
        each([](Candidate &candidate, int by) {
          candidate.byDefaultStream |=
              candidate.by == LaunchFollower::notDone &&
              candidate.maybe != LaunchFollower::notDone &&
              by == LaunchFollower::notDone;
        });
        reading.withoutDefaultStream = false;
      }
      if (Follower.anyCall()) {
        reading.withoutHostCalls = true;
        each([](Candidate &candidate, int by) {
          candidate.byHostCall |= candidate.by == LaunchFollower::notDone &&
                                  candidate.maybe != LaunchFollower::notDone &&
                                  by == LaunchFollower::notDone;
        });
        reading.withoutHostCalls = false;
      }
    }
    if (any(false) && Follower.anyCall()) {
      reading.possible = true;
      reading.sync = Options.sync == SyncModel::Observed ? SyncModel::Documented
                                                         : SyncModel::Observed;
      each([](Candidate &candidate, int by) { candidate.otherwise = by; });
    }
  }

  LaunchPair judge(unsigned launch, const Candidate &candidate) const {
    constexpr int notDone = LaunchFollower::notDone;
    const Operation &first = Ops.list[launch];
    const Operation &second = Ops.list[candidate.operation];
    LaunchPair pair;
    auto unknown = [&](std::string why) {
      pair.why = std::move(why);
      return pair;
    };
    if (candidate.by != notDone) {
      pair.relation = LaunchPair::Relation::Ordered;
      pair.orderedBy = candidate.by;
      pair.why = candidate.by == LaunchFollower::byStreamOrder
                     ? fmt::format("both on stream '{}'", nameOf(first))
                     : describe(T, candidate.by);
      if (candidate.by >= 0 && isNode(T.steps[candidate.by]) &&
          first.instance != second.instance)
        pair.why = fmt::format("graph '{}' starts after it",
                               T.graphs[T.steps[candidate.by].graph].name);
      pair.byDefaultStream = candidate.byDefaultStream;
      if (pair.byDefaultStream && (pair.orderedBy == int(first.step) ||
                                   pair.orderedBy == int(second.step)))
        pair.why = fmt::format(
            "stream '{}' and the legacy default stream wait for each other",
            nameOf(Follower.isLegacyDefault(first.stream) ? second : first));
      pair.byHostCall = candidate.byHostCall;
      if (pair.byDefaultStream || pair.byHostCall)
        describeStreams(launch, candidate, pair);
      return pair;
    }
    for (const Operation *one : {&first, &second})
      if (one->unplaced && first.instance != second.instance)
        return unknown("part of a graph whose launch is not seen");
    if (first.device != second.device)
      return unknown("it cannot be told whether both are on one device");
    for (const Operation *one : {&first, &second})
      if (isUnknown(*one) && T.steps[one->step].node >= 0)
        return unknown("part of a graph that cannot be told");
      else if (isUnknown(*one))
        return unknown(fmt::format("it cannot be told which stream '{}' is",
                                   nameOf(*one)));
    if (candidate.maybe != notDone) {
      pair.orderedBy = candidate.maybe;
      pair.byDefaultStream = candidate.byDefaultStream;
      pair.byHostCall = candidate.byHostCall;
      if (pair.byDefaultStream || pair.byHostCall)
        describeStreams(launch, candidate, pair);
      return unknown("perhaps ordered: " +
                     (candidate.maybe == LaunchFollower::byStreamOrder
                          ? fmt::format("both on stream '{}'", nameOf(first))
                          : describe(T, candidate.maybe)));
    }

    pair.relation = LaunchPair::Relation::MayOverlap;
    if (first.stream == second.stream) {
      pair.programmatic = true;
      pair.why = fmt::format(
          "both on stream '{}', but the second need not wait for the end of "
          "the first: programmatic stream serialization",
          nameOf(first));
    } else if (isNode(first) && isNode(second)) {
      pair.why = "nodes of a graph, nothing orders them";
    } else {
      // What was captured on a stream runs on one of its graph's own.
      auto inGraph = [&](const Operation &one) {
        return one.instance ? " of a graph" : "";
      };
      const bool twoGraphs = first.instance && second.instance &&
                             first.instance != second.instance;
      pair.why = fmt::format(
          "streams '{}'{} and '{}'{}, nothing orders them", nameOf(first),
          first.instance == second.instance ? "" : inGraph(first),
          nameOf(second),
          twoGraphs ? " of another launch of a graph" : inGraph(second));
    }
    describeStreams(launch, candidate, pair);
    const int kernel = T.steps[second.step].kernel;
    pair.firstUse =
        FirstUse[candidate.operation] && kernel != T.steps[first.step].kernel;
    pair.sharesQueue = first.stream != second.stream && queueOf(first) >= 0 &&
                       queueOf(first) == queueOf(second);
    pair.queuedBehind = candidate.queuedBehind;
    if (candidate.otherwise >= 0 &&
        (T.steps[candidate.otherwise].kind == Step::Kind::Allocation ||
         T.steps[candidate.otherwise].kind ==
             Step::Kind::ImplicitSynchronization))
      pair.otherwiseOrderedBy = candidate.otherwise;
    if (pair.otherwiseOrderedBy >= 0)
      pair.hostCalls = hostCallsBetween(launch, candidate.operation);
    return pair;
  }

  /// Whether the two streams look meant for overlap, what is assumed of them,
  /// and the host calls in between where only those order the two.
  void describeStreams(unsigned launch, const Candidate &candidate,
                       LaunchPair &pair) const {
    const Operation &first = Ops.list[launch];
    const Operation &second = Ops.list[candidate.operation];
    const Stream *one = streamOf(first), *two = streamOf(second);
    if (first.stream != second.stream && one && two && one != two) {
      if (isNamedOnly(*one) || isNamedOnly(*two))
        pair.assumptions.push_back(fmt::format(
            "'{}' and '{}' are different streams", one->name, two->name));
      pair.intended = one->origin == Stream::Origin::Created &&
                      two->origin == Stream::Origin::Created;
    }
    pair.intended |= isNode(first) && isNode(second);
    if (int foreign = LastForeign[candidate.operation];
        foreign > static_cast<int>(launch))
      pair.assumptions.push_back(
          fmt::format("'{}' does not wait for the device",
                      T.steps[Ops.list[foreign].step].function));
    if (pair.byHostCall)
      pair.hostCalls = hostCallsBetween(launch, candidate.operation);
  }

  /// The steps of host calls that run between two launches of one host thread
  /// whenever both of them do.
  std::vector<unsigned> hostCallsBetween(unsigned launch,
                                         unsigned other) const {
    const Operation &first = Ops.list[launch];
    const Operation &second = Ops.list[other];
    Guards taken;
    std::ranges::set_union(Ops.guardSets[first.guards],
                           Ops.guardSets[second.guards],
                           std::back_inserter(taken));
    std::vector<unsigned> steps;
    for (auto call = std::ranges::upper_bound(HostCalls, launch);
         call != HostCalls.end() && *call < other &&
         steps.size() != mostHostCalls;
         ++call) {
      const Operation &one = Ops.list[*call];
      if (one.thread == first.thread && one.device == first.device &&
          std::ranges::includes(taken, Ops.guardSets[one.guards]))
        steps.push_back(one.step);
    }
    return steps;
  }

  /// Notes a pair. Launches of a graph may meet more than once: what counts is
  /// whether they ever overlap.
  void add(const Operation &first, const Operation &second, LaunchPair pair) {
    pair.first = first.step;
    pair.second = second.step;
    if (first.instance || second.instance) {
      auto weight = [](LaunchPair::Relation relation) {
        switch (relation) {
        case LaunchPair::Relation::MayOverlap:
          return 3;
        case LaunchPair::Relation::Unknown:
          return 2;
        case LaunchPair::Relation::Ordered:
          return 1;
        case LaunchPair::Relation::Exclusive:
          return 0;
        }
        return 0;
      };
      auto [at, isNew] = Met.try_emplace(std::minmax(pair.first, pair.second),
                                         Result.pairs.size());
      if (!isNew) {
        LaunchPair &known = Result.pairs[at->second];
        if (weight(pair.relation) > weight(known.relation))
          known = std::move(pair);
        return;
      }
    }
    Result.pairs.push_back(std::move(pair));
  }

  /// The hardware queue that the work comes through, or -1 where it does not
  /// matter or cannot be told. Streams get queues in turn (order.txt).
  int queueOf(const Operation &operation) const {
    if (operation.stream < 0 ||
        Created <= static_cast<int>(Options.connections))
      return -1;
    const Stream *stream = streamOf(operation);
    return stream && stream->number >= 0 && !operation.instance
               ? stream->number % Options.connections
               : -1;
  }

  const Stream *streamOf(const Operation &operation) const {
    const int index =
        operation.stream < 0 ? -1 : Ops.streams[operation.stream].stream;
    return index < 0 ? nullptr : &T.streams[index];
  }

  static bool isNode(const Step &step) {
    return step.graph >= 0 && (step.kind == Step::Kind::Launch ||
                               step.kind == Step::Kind::GraphNode);
  }

  bool isNode(const Operation &operation) const {
    return T.steps[operation.step].graph >= 0;
  }

  bool isUnknown(const Operation &operation) const {
    const Stream *stream = streamOf(operation);
    return stream ? stream->origin == Stream::Origin::Unknown
                  : !isNode(operation);
  }

  std::string nameOf(const Operation &operation) const {
    const Stream *stream = streamOf(operation);
    const int graph = T.steps[operation.step].graph;
    return stream ? stream->name : graph >= 0 ? T.graphs[graph].name : "?";
  }

  /// Whether a stream is told apart from others only by its name.
  static bool isNamedOnly(const Stream &stream) {
    return stream.origin == Stream::Origin::Parameter ||
           stream.origin == Stream::Origin::External;
  }

  const Trace &T;
  const TimelineOptions &Options;
  const Operations Ops;
  LaunchFollower Follower;
  Timeline Result;
  std::vector<unsigned> Launches;
  /// By operation: it may be the first launch of its kernel.
  std::vector<bool> FirstUse;
  /// By operation: the last one up to it that calls something foreign, or -1.
  std::vector<int> LastForeign;
  /// Operations that may make the device finish first.
  std::vector<unsigned> HostCalls;
  /// Streams made in the trace.
  int Created = 0;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> Met;
};

} // namespace

Timeline coreside::orderLaunches(const Program &program, unsigned trace,
                                 const TimelineOptions &options) {
  Timeline timeline =
      Ordering(program.traces[trace], &program.kernels, options).run();
  timeline.trace = trace;
  return timeline;
}

Timeline coreside::orderLaunches(const Trace &trace, unsigned index,
                                 const TimelineOptions &options) {
  Timeline timeline = Ordering(trace, nullptr, options).run();
  timeline.trace = index;
  return timeline;
}
