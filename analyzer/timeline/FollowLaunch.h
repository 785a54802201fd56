// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What knows that one launch is done.
//
// In:   A on s, record e on s, t waits for e, B on t; A
// Out:  B starts after A, because of the wait
//
// Streams, events and host threads each carry a mark once whatever comes next
// there certainly comes after the launch, and the step that saw to it: a wait
// hands a mark on. This is done anew for each launch, over the operations after
// it, which needs no memory to speak of and stops where nobody asks any more.

#ifndef CORESIDE_TIMELINE_FOLLOWLAUNCH_H
#define CORESIDE_TIMELINE_FOLLOWLAUNCH_H

#include "Operations.h"
#include "Timeline.h"

#include <functional>

namespace coreside {

/// How operations are taken that the source does not decide.
struct Reading {
  /// Whatever might order does; else only what certainly does.
  bool possible = false;
  /// The legacy default stream is one like any other.
  bool withoutDefaultStream = false;
  /// Host calls do not make the device finish, other than by waiting for it.
  bool withoutHostCalls = false;
  SyncModel sync = SyncModel::Observed;
};

class LaunchFollower {
public:
  static constexpr int notDone = -2;
  static constexpr int byStreamOrder = -1;

  /// `kernels` may be null.
  LaunchFollower(const Trace &trace, const Operations &operations,
                 const std::vector<Kernel> *kernels);

  /// Called for each launch after the one that is followed, with its number
  /// among the operations and with what makes it start after that one: a step,
  /// byStreamOrder or notDone. False stops.
  using AtLaunch = std::function<bool(unsigned operation, int by)>;

  /// Follows operation `launch` up to operation `end`, when the arms `taken`
  /// are.
  void follow(unsigned launch, unsigned end, const Guards &taken,
              const Reading &reading, const AtLaunch &atLaunch);

  /// Whether the guards `set` say something on which the order of other
  /// operations depends.
  const Guards &relevant(unsigned set) const { return Relevant[set]; }
  /// Whether something in the trace orders only perhaps.
  bool anyUncertain(SyncModel sync) const {
    return Uncertain || (sync == SyncModel::Documented && AnyCall);
  }
  bool anyDefaultStream() const { return !Defaults.empty(); }
  bool anyCall() const { return AnyCall; }
  bool isLegacyDefault(int stream) const;
  /// Whether the host call `step` makes the device finish first in either
  /// reading, or may.
  static bool mayFinishDevice(const Step &step);
  /// Operations played so far, a measure of time.
  uint64_t played() const { return Played; }

private:
  struct Mark {
    int by = notDone;
    /// The operation that set it, and its host thread.
    unsigned at = 0;
    unsigned thread = 0;
    /// The run that it belongs to; those of earlier ones count as not set, so
    /// that nothing has to be cleared.
    unsigned run = 0;
  };
  enum class Runs : uint8_t { Not, Perhaps, Surely };

  void play(unsigned number);
  Mark startOf(const Operation &launch);
  void enqueue(const Operation &operation);
  void set(int stream, Mark mark);
  bool isSet(const Mark &mark) const {
    return mark.by != notDone && mark.run == Run;
  }
  bool holds(const Mark &mark) const;
  void take(Mark &to, const Mark &from, int by);
  void takeOnStream(int stream, const Mark &from, int by);
  Mark now(int by) const;
  Mark &host();
  void waitForStream(const Operation &operation);
  void waitForDevice(const Operation &operation, bool surely);
  bool isBlocking(int stream) const;
  bool isUnknown(int stream) const;
  bool isKnownEvent(int event) const;
  bool mayTrigger(int launch) const;
  const std::vector<Runs> &runsUnder(const Guards &taken);

  const Trace &T;
  const Operations &Ops;
  const std::vector<Kernel> *Kernels;
  std::vector<Guards> Relevant;
  /// The legacy default streams, one for each device.
  std::vector<unsigned> Defaults;
  bool Uncertain = false;
  bool AnyCall = false;
  uint64_t Played = 0;
  std::map<Guards, std::vector<Runs>> Known;

  // While following.
  Reading How;
  unsigned Run = 0;
  unsigned First = 0;
  unsigned Number = 0;
  const Operation *Current = nullptr;
  std::vector<Mark> Streams;
  std::vector<Mark> Events;
  std::vector<Mark> Hosts;
  /// By device: some stream that waits for the legacy default stream has the
  /// mark, and what was last on that stream.
  std::map<int, Mark> OnBlocking;
  std::map<int, int> LastOnDefault;
  /// By stream: the last operation if it is a launch, else notDone, and what
  /// was known when it started.
  std::vector<Mark> LastLaunch;
  std::vector<Mark> BeforeLast;
};

} // namespace coreside

#endif
