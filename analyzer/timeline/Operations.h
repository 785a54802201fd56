// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace as the device gets it: what was captured into a graph stands where
// the graph is launched, on streams of its own.
//
// In:   capture s { A on s }, B on t, launch the graph on t, C on t
// Out:  B on t; s' takes over from t; A on s'; t takes over from s'; C on t
//
// Each device has a default stream of its own, and each host thread its
// per-thread ones. Also here, because they are the same for every pair: under
// which arms of conditions an operation runs, and which of the operations of
// other host threads are certainly made before it.

#ifndef CORESIDE_TIMELINE_OPERATIONS_H
#define CORESIDE_TIMELINE_OPERATIONS_H

#include "../program/Program.h"

#include <map>

namespace coreside {

/// Arms that are taken together, sorted, each once.
using Guards = std::vector<Guard>;

/// One of them takes what the other excludes.
bool contradict(const Guards &a, const Guards &b);

struct Operation {
  enum class Kind {
    Launch,
    /// Anything else on a stream; with `hostWaits` the host waits for it.
    Work,
    /// `event` is recorded on `stream`.
    Record,
    /// `stream` waits for `event`.
    Wait,
    /// `stream` goes on after what is on stream `from` so far.
    Follow,
    /// The host waits for a stream, an event, the device.
    WaitForStream,
    WaitForEvent,
    WaitForDevice,
    /// A host call that may make the device finish first.
    Call,
    /// Only loads the code of a kernel.
    Load,
    /// Host thread `thread` goes on, knowing what thread `from` knows.
    HostFollow,
  };
  Kind kind = Kind::Work;
  /// Index into Trace::steps.
  unsigned step = 0;
  /// Indices into Operations::streams and Operations::events, or -1.
  int stream = -1;
  /// A stream or a host thread, by `kind`.
  int from = -1;
  int event = -1;
  bool hostWaits = false;
  int device = 0;
  unsigned thread = 0;
  /// Index into Operations::guardSets.
  unsigned guards = 0;
  /// Index into Operations::seen.
  unsigned sees = 0;
  /// For what a graph does: which launch of a graph it belongs to, from 1.
  unsigned instance = 0;
  /// It is part of a graph that is not launched in this trace.
  bool unplaced = false;
};

struct OperationStream {
  /// Index into Trace::streams, or -1 for the streams of graph nodes.
  int stream = -1;
  /// The rest is as for the stream itself, but for work inside of graphs.
  bool inGraph = false;
  int device = 0;
};

struct Operations {
  std::vector<Operation> list;
  std::vector<OperationStream> streams;
  /// For each event, the one of the trace that it stands for.
  std::vector<int> events;
  unsigned threads = 1;
  /// The first is empty.
  std::vector<Guards> guardSets;
  /// For each host thread: how many operations, of all threads, were made when
  /// it was last seen; what comes after may be made earlier or later.
  std::vector<std::vector<unsigned>> seen;
  /// What was left out.
  std::vector<std::string> cuts;

  /// Whether the thread that makes `later` is certain that operation `number`,
  /// of thread `thread`, was made before.
  bool isSeen(const Operation &later, unsigned thread, unsigned number) const {
    return thread == later.thread || number < seen[later.sees][thread];
  }
};

/// Lays out `trace` as the device gets it.
Operations layOut(const Trace &trace);

} // namespace coreside

#endif
