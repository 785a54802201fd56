// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FollowLaunch.h"

#include "../device/HostCalls.h"

#include <algorithm>

using namespace coreside;

namespace {

/// What a host call does that makes the device finish first.
enum class Effect { Nothing, Perhaps, Surely };

Effect effectOf(const Step &step, SyncModel sync) {
  std::string name = step.function;
  if (!step.attribute.empty())
    name += "_" + step.attribute;
  const HostCall *call = findHostCall(name);
  if (!call) {
    // A relative of those that were measured.
    const bool frees = step.kind == Step::Kind::ImplicitSynchronization;
    if (sync == SyncModel::Observed)
      return frees ? Effect::Surely : Effect::Nothing;
    return frees ? Effect::Perhaps : Effect::Surely;
  }
  if (sync == SyncModel::Observed)
    return call->observed == Stops::EveryPair ? Effect::Surely
                                              : Effect::Nothing;
  if (call->documented != Stops::EveryPair)
    return Effect::Nothing;
  return call->onlyMay ? Effect::Perhaps : Effect::Surely;
}

/// Two devices, as Step::device has them: nothing where it cannot be told.
std::optional<bool> sameDevice(int one, int other) {
  if (one == other)
    return true;
  if (one >= 0 && other >= 0)
    return false;
  return std::nullopt;
}

} // namespace

LaunchFollower::LaunchFollower(const Trace &trace, const Operations &operations,
                               const std::vector<Kernel> *kernels)
    : T(trace), Ops(operations), Kernels(kernels),
      Streams(operations.streams.size()), Events(operations.events.size()),
      Hosts(operations.threads), LastLaunch(operations.streams.size()),
      BeforeLast(operations.streams.size()) {
  // Launches order nothing but what is on their own stream, whether they run
  // or not; but on the default stream they do.
  std::vector<bool> orders;
  auto note = [&](unsigned condition) {
    if (condition >= orders.size())
      orders.resize(condition + 1);
    orders[condition] = true;
  };
  bool perhapsDefault = false;
  for (const Operation &one : Ops.list) {
    const int stream = one.stream >= 0 ? Ops.streams[one.stream].stream : -1;
    const bool onDefault = stream >= 0 && isLegacyDefault(one.stream);
    AnyCall |= one.kind == Operation::Kind::Call;
    Uncertain |= one.event >= 0 && !isKnownEvent(one.event);
    Uncertain |= one.kind == Operation::Kind::Wait && one.event < 0;
    Uncertain |= one.stream >= 0 && isUnknown(one.stream);
    Uncertain |= one.device < 0 || Ops.threads > 1;
    Uncertain |= onDefault && one.kind == Operation::Kind::WaitForStream;
    perhapsDefault |=
        stream >= 0 && T.streams[stream].blocking == Stream::Blocking::Unknown;
    if (one.kind != Operation::Kind::Launch || onDefault)
      for (const Guard &guard : Ops.guardSets[one.guards])
        note(guard.condition);
  }
  for (unsigned s = 0; s != Ops.streams.size(); ++s)
    if (isLegacyDefault(s))
      Defaults.push_back(s);
  Uncertain |= anyDefaultStream() && perhapsDefault;
  for (const Guards &guards : Ops.guardSets) {
    Guards &kept = Relevant.emplace_back();
    for (const Guard &guard : guards)
      if (guard.condition < orders.size() && orders[guard.condition])
        kept.push_back(guard);
  }
}

const std::vector<LaunchFollower::Runs> &
LaunchFollower::runsUnder(const Guards &taken) {
  if (Known.size() > 256)
    Known.clear();
  auto [at, isNew] = Known.try_emplace(taken);
  if (isNew) {
    Played += Ops.guardSets.size();
    for (const Guards &guards : Ops.guardSets)
      at->second.push_back(contradict(guards, taken) ? Runs::Not
                           : std::includes(taken.begin(), taken.end(),
                                           guards.begin(), guards.end())
                               ? Runs::Surely
                               : Runs::Perhaps);
  }
  return at->second;
}

void LaunchFollower::follow(unsigned launch, unsigned end, const Guards &taken,
                            const Reading &reading, const AtLaunch &atLaunch) {
  const std::vector<Runs> &runs = runsUnder(taken);
  How = reading;
  First = launch;
  ++Run;
  OnBlocking.clear();
  LastOnDefault.clear();

  const Operation &first = Ops.list[launch];
  Current = &first;
  Number = launch;
  // On a stream that may be another each time nothing follows by stream order.
  if (first.stream >= 0) {
    const int stream = Ops.streams[first.stream].stream;
    if (How.possible || stream < 0 || T.streams[stream].isOne)
      set(first.stream, now(byStreamOrder));
    LastLaunch[first.stream] = now(launch);
    if (isLegacyDefault(first.stream))
      LastOnDefault[first.device] = first.step;
  }

  for (Number = launch + 1; Number < end; ++Number) {
    const Operation &operation = Ops.list[Number];
    Current = &operation;
    ++Played;
    const Runs how = runs[operation.guards];
    if (how == Runs::Not)
      continue;
    if (operation.kind == Operation::Kind::Launch) {
      // A launch that perhaps runs is played: what it knows, whatever is next
      // on its stream knows, too.
      if (how == Runs::Perhaps && isLegacyDefault(operation.stream))
        continue;
      Mark start = startOf(operation);
      const int by = holds(start) ? start.by : notDone;
      if (!atLaunch(Number, by))
        return;
      if (operation.stream >= 0) {
        Mark &before = BeforeLast[operation.stream];
        if (how == Runs::Surely || holds(before))
          before = start;
        LastLaunch[operation.stream] = now(Number);
      }
      continue;
    }
    if (how == Runs::Surely)
      play(Number);
    else if (operation.kind == Operation::Kind::Record &&
             operation.event >= 0 && operation.stream >= 0 &&
             !holds(Streams[operation.stream]))
      // It may have been recorded anew, where nothing is known.
      Events[operation.event] = Mark();
  }
}

/// What is known when `launch` starts, after it was put on its stream.
LaunchFollower::Mark LaunchFollower::startOf(const Operation &launch) {
  if (launch.stream < 0)
    return host();
  enqueue(launch);
  Mark start = Streams[launch.stream];
  const Mark &last = LastLaunch[launch.stream];
  if (T.steps[launch.step].programmatic && isSet(last) && mayTrigger(last.by)) {
    start = BeforeLast[launch.stream];
    take(start, host(), start.by);
    return start;
  }
  if (holds(start))
    return start;
  // Another host thread makes it, before or after: on one stream the two are in
  // some order, and so are the default stream and those that wait for it.
  const Operation &first = Ops.list[First];
  if (!Ops.isSeen(launch, first.thread, First) &&
      sameDevice(first.device, launch.device) == true) {
    if (first.stream == launch.stream && !isUnknown(launch.stream))
      return now(byStreamOrder);
    if (!How.withoutDefaultStream &&
        ((isLegacyDefault(launch.stream) && isBlocking(first.stream)) ||
         (isLegacyDefault(first.stream) && isBlocking(launch.stream))))
      return now(isLegacyDefault(launch.stream) ? launch.step : first.step);
  }
  return start;
}

void LaunchFollower::play(unsigned number) {
  const Operation &operation = Ops.list[number];
  const int step = operation.step;
  const int stream = operation.stream;
  switch (operation.kind) {
  case Operation::Kind::Launch:
  case Operation::Kind::Load:
    break;
  case Operation::Kind::Work:
    enqueue(operation);
    if (operation.hostWaits)
      waitForStream(operation);
    break;
  case Operation::Kind::Record:
    enqueue(operation);
    if (operation.event < 0 || stream < 0)
      break;
    Events[operation.event] = How.possible && isUnknown(stream) ? now(step)
                              : holds(Streams[stream]) ? now(Streams[stream].by)
                                                       : Mark();
    break;
  case Operation::Kind::Wait: {
    enqueue(operation);
    if (stream < 0)
      break;
    Mark from;
    if (isKnownEvent(operation.event))
      from = Events[operation.event];
    // Another thread may record it before this wait.
    if (How.possible &&
        (!isKnownEvent(operation.event) || (isSet(from) && !holds(from))))
      from = now(step);
    if (How.possible && isUnknown(stream)) {
      for (unsigned other = 0; other != Streams.size(); ++other)
        takeOnStream(other, from, step);
      break;
    }
    takeOnStream(stream, from, step);
    break;
  }
  case Operation::Kind::Follow:
    takeOnStream(stream, Streams[operation.from], step);
    LastLaunch[stream] = Mark();
    break;
  case Operation::Kind::HostFollow:
    take(host(), Hosts[operation.from], notDone);
    break;
  case Operation::Kind::WaitForStream:
    waitForStream(operation);
    break;
  case Operation::Kind::WaitForEvent:
    if (isKnownEvent(operation.event))
      take(host(), Events[operation.event], step);
    else if (How.possible)
      take(host(), now(step), step);
    break;
  case Operation::Kind::WaitForDevice:
    waitForDevice(operation, true);
    break;
  case Operation::Kind::Call:
    if (Effect effect = effectOf(T.steps[step], How.sync);
        effect != Effect::Nothing && !How.withoutHostCalls)
      waitForDevice(operation, effect == Effect::Surely);
    break;
  }
}

/// Work of `operation` comes onto its stream, which then knows what must be
/// done first.
void LaunchFollower::enqueue(const Operation &operation) {
  const int stream = operation.stream;
  if (stream < 0)
    return;
  if (operation.kind != Operation::Kind::Launch)
    LastLaunch[stream] = Mark();
  takeOnStream(stream, host(), notDone);
  if (How.withoutDefaultStream)
    return;
  const int step = operation.step;
  const bool perhapsAny = How.possible && isUnknown(stream);
  if (isLegacyDefault(stream) || perhapsAny) {
    takeOnStream(stream, OnBlocking[operation.device], step);
    LastOnDefault[operation.device] = step;
    if (perhapsAny)
      for (unsigned other : Defaults)
        takeOnStream(other, Streams[stream], step);
  }
  if (isBlocking(stream))
    for (unsigned other : Defaults)
      if (sameDevice(Ops.streams[other].device, operation.device)
              .value_or(How.possible)) {
        auto last = LastOnDefault.find(operation.device);
        takeOnStream(stream, Streams[other],
                     last == LastOnDefault.end() ? step : last->second);
      }
}

void LaunchFollower::waitForStream(const Operation &operation) {
  const int stream = operation.stream;
  if (stream >= 0) {
    take(host(), Streams[stream], operation.step);
    // Whether waiting for the default stream waits for those that wait for it
    // is not documented.
    if (How.possible && isLegacyDefault(stream))
      take(host(), OnBlocking[operation.device], operation.step);
  }
  if (How.possible && (stream < 0 || isUnknown(stream)))
    take(host(), now(operation.step), operation.step);
}

/// The device finishes what it was given by host threads that this one knows
/// to have come that far.
void LaunchFollower::waitForDevice(const Operation &operation, bool surely) {
  const Operation &first = Ops.list[First];
  std::optional<bool> same = sameDevice(first.device, operation.device);
  if (same == false)
    return;
  surely &= same.has_value() && !first.unplaced &&
            Ops.isSeen(operation, first.thread, First);
  if (surely || How.possible)
    take(host(), now(operation.step), operation.step);
}

void LaunchFollower::set(int stream, Mark mark) {
  Streams[stream] = mark;
  if (isBlocking(stream)) {
    Mark &any = OnBlocking[Current->device];
    if (!holds(any))
      any = mark;
  }
}

/// Whether the operation at hand knows what the mark says.
bool LaunchFollower::holds(const Mark &mark) const {
  return isSet(mark) && (Ops.threads == 1 || How.possible ||
                         Ops.isSeen(*Current, mark.thread, mark.at));
}

/// Hands a mark on; `by` is the reason, or notDone for that of `from`.
void LaunchFollower::take(Mark &to, const Mark &from, int by) {
  if (holds(from) && !holds(to))
    to = now(by == notDone ? from.by : by);
}

void LaunchFollower::takeOnStream(int stream, const Mark &from, int by) {
  if (holds(from) && !holds(Streams[stream]))
    set(stream, now(by == notDone ? from.by : by));
}

LaunchFollower::Mark LaunchFollower::now(int by) const {
  return {by, Number, Current->thread, Run};
}

LaunchFollower::Mark &LaunchFollower::host() { return Hosts[Current->thread]; }

bool LaunchFollower::isLegacyDefault(int stream) const {
  if (stream < 0 || Ops.streams[stream].inGraph ||
      Ops.streams[stream].stream < 0)
    return false;
  return T.streams[Ops.streams[stream].stream].origin ==
         Stream::Origin::LegacyDefault;
}

/// Whether the stream waits for the legacy default stream and it for it.
bool LaunchFollower::isBlocking(int stream) const {
  if (stream < 0 || Ops.streams[stream].inGraph || isLegacyDefault(stream))
    return false;
  const Stream &one = T.streams[Ops.streams[stream].stream];
  // The per-thread default stream is a blocking one.
  return one.origin == Stream::Origin::PerThreadDefault ||
         one.blocking == Stream::Blocking::Yes ||
         (How.possible && one.blocking == Stream::Blocking::Unknown);
}

bool LaunchFollower::mayFinishDevice(const Step &step) {
  return effectOf(step, SyncModel::Observed) != Effect::Nothing ||
         effectOf(step, SyncModel::Documented) != Effect::Nothing;
}

bool LaunchFollower::isUnknown(int stream) const {
  const int index = Ops.streams[stream].stream;
  return index >= 0 && T.streams[index].origin == Stream::Origin::Unknown;
}

bool LaunchFollower::isKnownEvent(int event) const {
  return event >= 0 && T.events[Ops.events[event]].known;
}

bool LaunchFollower::mayTrigger(int launch) const {
  const int kernel = T.steps[Ops.list[launch].step].kernel;
  return !Kernels || kernel < 0 || (*Kernels)[kernel].mayTrigger;
}
