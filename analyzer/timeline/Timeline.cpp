// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order by replaying the trace: every stream, every event and the host carry
// the set of launches that are certainly done before whatever comes next
// there. A launch takes over the set of its stream; a wait merges one set into
// another; the launches in a launch's own set are ordered before it.
//
//   A on s          s = {A}
//   record e on s   e = {A}
//   t waits for e   t = {A}, because of the wait
//   B on t          A is done before B, because of the wait
//
// Only steps that run whenever both launches of a pair do may order them, so
// the replay is done once for every set of guards that pairs have, leaving out
// steps under other guards. What would order a pair only if something unknown
// were so (a stream of unknown kind, an event of unknown identity) is found by
// a second replay that takes all of that for true, and what only the legacy
// default stream orders by a third one without it.

#include "Timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

using namespace coreside;

namespace {

/// Launches beyond which pairs are not listed: their number grows with the
/// square.
constexpr unsigned mostLaunches = 512;

/// For each launch, by its number among the trace's launches: not done, done
/// in its stream's own order, or done because of a step.
class DoneSet {
public:
  static constexpr int notDone = -2;
  static constexpr int byStreamOrder = -1;

  explicit DoneSet(unsigned launches = 0) : By(launches, notDone) {}

  int by(unsigned launch) const { return By[launch]; }
  void add(unsigned launch) { By[launch] = byStreamOrder; }

  /// Takes over what is done in `other`, with its reasons.
  void take(const DoneSet &other) {
    for (size_t i = 0; i != By.size(); ++i)
      if (By[i] == notDone)
        By[i] = other.By[i];
  }

  /// Takes over what is done in `other`; `step` is the reason here.
  void take(const DoneSet &other, int step) {
    for (size_t i = 0; i != By.size(); ++i)
      if (By[i] == notDone && other.By[i] != notDone)
        By[i] = step;
  }

  /// The first `launches` launches are done because of `step`.
  void takeAll(unsigned launches, int step) {
    std::replace(By.begin(), By.begin() + launches, +notDone, step);
  }

private:
  std::vector<int> By;
};

/// How a replay takes what the source does not decide.
enum class Reading {
  /// Only what is certain orders.
  Certain,
  /// Whatever might order does.
  Possible,
  /// Only what is certain, and the legacy default stream is like any other.
  WithoutDefaultStream,
};

using Guards = std::vector<Guard>;

Guards sorted(Guards guards) {
  std::sort(guards.begin(), guards.end());
  guards.erase(std::unique(guards.begin(), guards.end()), guards.end());
  return guards;
}

Guards join(const Guards &a, const Guards &b) {
  Guards both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  return both;
}

/// Whether two arms of one condition are asked for; `guards` are sorted.
bool contradict(const Guards &guards) {
  return std::adjacent_find(guards.begin(), guards.end(),
                            [](const Guard &a, const Guard &b) {
                              return a.condition == b.condition;
                            }) != guards.end();
}

/// One pass over the steps that run when the arms `taken` are.
class Replay {
public:
  Replay(const Trace &trace, const std::vector<Guards> &guards, unsigned count,
         const Guards &taken, Reading reading)
      : T(trace), How(reading), Host(count),
        Streams(trace.streams.size(), DoneSet(count)),
        Events(trace.events.size(), DoneSet(count)), Before(count) {
    for (unsigned i = 0; i != trace.steps.size(); ++i) {
      const Step &step = trace.steps[i];
      if (std::includes(taken.begin(), taken.end(), guards[i].begin(),
                        guards[i].end()))
        play(i, step);
      if (step.kind == Step::Kind::Launch && Issued != count)
        ++Issued;
    }
  }

  /// What is done before launch number `launch` starts; it must be one that
  /// runs under the guards of this replay.
  const DoneSet &before(unsigned launch) const { return Before[launch]; }

private:
  void play(int i, const Step &step) {
    switch (step.kind) {
    case Step::Kind::Launch:
      enqueue(i, step);
      if (Issued == Before.size())
        break;
      Before[Issued] = step.stream >= 0 ? Streams[step.stream] : Host;
      if (step.stream >= 0)
        Streams[step.stream].add(Issued);
      break;
    case Step::Kind::MemoryOperation:
    case Step::Kind::Opaque:
      enqueue(i, step);
      if (step.waits)
        waitForStream(i, step);
      break;
    case Step::Kind::EventRecord:
      enqueue(i, step);
      if (step.event >= 0 && step.stream >= 0)
        Events[step.event] = Streams[step.stream];
      break;
    case Step::Kind::StreamWait:
      enqueue(i, step);
      if (step.stream >= 0 && step.event >= 0)
        Streams[step.stream].take(Events[step.event], i);
      if (How == Reading::Possible && step.stream >= 0 && !isKnownEvent(step))
        Streams[step.stream].takeAll(Issued, i);
      break;
    case Step::Kind::StreamSynchronize:
      waitForStream(i, step);
      break;
    case Step::Kind::EventSynchronize:
      if (step.event >= 0)
        Host.take(Events[step.event], i);
      if (How == Reading::Possible && !isKnownEvent(step))
        Host.takeAll(Issued, i);
      break;
    case Step::Kind::DeviceSynchronize:
    case Step::Kind::ImplicitSynchronization:
      Host.takeAll(Issued, i);
      break;
    // Allocations were never seen to order anything, whatever the guide says.
    case Step::Kind::Allocation:
    case Step::Kind::StreamDestroy:
    case Step::Kind::FunctionAttribute:
      break;
    }
  }

  /// Work of step `i` comes onto its stream: the stream's set grows by what
  /// must be done first.
  void enqueue(int i, const Step &step) {
    if (step.stream < 0)
      return;
    DoneSet &stream = Streams[step.stream];
    stream.take(Host);
    if (How == Reading::WithoutDefaultStream)
      return;
    if (isLegacyDefault(step.stream)) {
      for (unsigned other = 0; other != Streams.size(); ++other)
        if (isBlocking(other))
          stream.take(Streams[other], i);
      LastOnDefault = i;
    } else if (isBlocking(step.stream)) {
      for (unsigned other = 0; other != Streams.size(); ++other)
        if (isLegacyDefault(other))
          stream.take(Streams[other], LastOnDefault);
    }
  }

  void waitForStream(int i, const Step &step) {
    bool known = step.stream >= 0 &&
                 T.streams[step.stream].origin != Stream::Origin::Unknown;
    if (known)
      Host.take(Streams[step.stream], i);
    else if (How == Reading::Possible)
      Host.takeAll(Issued, i);
  }

  bool isKnownEvent(const Step &step) const {
    return step.event >= 0 && T.events[step.event].known;
  }

  bool isLegacyDefault(unsigned stream) const {
    return T.streams[stream].origin == Stream::Origin::LegacyDefault;
  }

  /// Whether the stream waits for the legacy default stream and it for it.
  bool isBlocking(unsigned index) const {
    const Stream &stream = T.streams[index];
    if (stream.origin == Stream::Origin::LegacyDefault)
      return false;
    // The per-thread default stream is a blocking one.
    return stream.origin == Stream::Origin::PerThreadDefault ||
           stream.blocking == Stream::Blocking::Yes ||
           (How == Reading::Possible &&
            stream.blocking == Stream::Blocking::Unknown);
  }

  const Trace &T;
  Reading How;
  /// Launches issued so far, up to the number that is followed.
  unsigned Issued = 0;
  int LastOnDefault = DoneSet::byStreamOrder;
  DoneSet Host;
  std::vector<DoneSet> Streams;
  std::vector<DoneSet> Events;
  std::vector<DoneSet> Before;
};

/// The replays of one trace, made when first asked for.
class Replays {
public:
  Replays(const Trace &trace, const std::vector<Guards> &guards, unsigned count)
      : T(trace), StepGuards(guards), Count(count) {}

  const Replay &get(const Guards &taken, Reading reading) {
    std::unique_ptr<Replay> &replay = Made[{taken, reading}];
    if (!replay)
      replay = std::make_unique<Replay>(T, StepGuards, Count, taken, reading);
    return *replay;
  }

private:
  const Trace &T;
  const std::vector<Guards> &StepGuards;
  unsigned Count;
  std::map<std::pair<Guards, Reading>, std::unique_ptr<Replay>> Made;
};

const Stream *streamOf(const Trace &trace, const Step &step) {
  return step.stream < 0 ? nullptr : &trace.streams[step.stream];
}

bool isUnknown(const Stream *stream) {
  return !stream || stream->origin == Stream::Origin::Unknown;
}

/// Whether a stream is told apart from others only by its name.
bool isNamedOnly(const Stream &stream) {
  return stream.origin == Stream::Origin::Parameter ||
         stream.origin == Stream::Origin::External;
}

/// What step `by` does, in words that can follow "ordered: ".
std::string describe(const Trace &trace, int by) {
  const Step &step = trace.steps[by];
  const Stream *stream = streamOf(trace, step);
  std::string on = stream ? stream->name : "a stream";
  std::string event = step.event >= 0 ? trace.events[step.event].name : "?";
  if (stream && stream->origin == Stream::Origin::LegacyDefault &&
      step.kind != Step::Kind::StreamSynchronize)
    return fmt::format("{} on the legacy default stream in between",
                       step.function.empty() ? "launch" : step.function);
  switch (step.kind) {
  case Step::Kind::StreamWait:
    return fmt::format("stream '{}' waits for event '{}'", on, event);
  case Step::Kind::StreamSynchronize:
    return fmt::format("the host waits for stream '{}'", on);
  case Step::Kind::EventSynchronize:
    return fmt::format("the host waits for event '{}'", event);
  case Step::Kind::DeviceSynchronize:
    return "the host waits for the device";
  default:
    return fmt::format("'{}' in between", step.function);
  }
}

} // namespace

Timeline coreside::orderLaunches(const Trace &trace, unsigned index) {
  Timeline timeline;
  timeline.trace = index;

  std::vector<unsigned> launches;
  std::vector<Guards> guards;
  for (unsigned i = 0; i != trace.steps.size(); ++i) {
    guards.push_back(sorted(trace.steps[i].guards));
    if (trace.steps[i].kind == Step::Kind::Launch)
      launches.push_back(i);
  }
  if (launches.size() > mostLaunches) {
    timeline.cuts.push_back(
        fmt::format("pairs of the first {} of {} launches only", mostLaunches,
                    launches.size()));
    launches.resize(mostLaunches);
  }

  Replays replays(trace, guards, launches.size());
  for (unsigned b = 0; b != launches.size(); ++b) {
    for (unsigned a = 0; a != b; ++a) {
      const Step &first = trace.steps[launches[a]];
      const Step &second = trace.steps[launches[b]];
      const Stream *firstStream = streamOf(trace, first);
      const Stream *secondStream = streamOf(trace, second);
      LaunchPair pair;
      pair.first = launches[a];
      pair.second = launches[b];

      Guards taken = join(guards[pair.first], guards[pair.second]);
      if (contradict(taken)) {
        pair.relation = LaunchPair::Relation::Exclusive;
        pair.why = "on different arms of a condition";
        timeline.pairs.push_back(std::move(pair));
        continue;
      }

      int by = replays.get(taken, Reading::Certain).before(b).by(a);
      if (by != DoneSet::notDone) {
        pair.relation = LaunchPair::Relation::Ordered;
        pair.orderedBy = by;
        pair.why = by == DoneSet::byStreamOrder
                       ? fmt::format("both on stream '{}'", firstStream->name)
                       : describe(trace, by);
        pair.byDefaultStream =
            replays.get(taken, Reading::WithoutDefaultStream).before(b).by(a) ==
            DoneSet::notDone;
      } else if (isUnknown(firstStream) || isUnknown(secondStream)) {
        const Stream *unknown =
            isUnknown(firstStream) ? firstStream : secondStream;
        pair.why = fmt::format("it cannot be told which stream '{}' is",
                               unknown ? unknown->name : "?");
      } else if (int maybe =
                     replays.get(taken, Reading::Possible).before(b).by(a);
                 maybe != DoneSet::notDone) {
        pair.orderedBy = maybe;
        pair.why = fmt::format("perhaps ordered: {}", describe(trace, maybe));
      } else {
        pair.relation = LaunchPair::Relation::MayOverlap;
        pair.why = fmt::format("streams '{}' and '{}', nothing orders them",
                               firstStream->name, secondStream->name);
        if (isNamedOnly(*firstStream) || isNamedOnly(*secondStream))
          pair.assumptions.push_back(
              fmt::format("'{}' and '{}' are different streams",
                          firstStream->name, secondStream->name));
      }
      timeline.pairs.push_back(std::move(pair));
    }
  }
  return timeline;
}
