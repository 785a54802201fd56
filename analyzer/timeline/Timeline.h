// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a trace the host code allows to run at the same time.
//
// In:   a trace: A on s, event e after A, t waits for e, B on t, C on u.
// Out:  A-B ordered by the event, A-C and B-C may overlap.
//
// docs/timeline.md says what orders and what does not, and how that is known.

#ifndef CORESIDE_TIMELINE_TIMELINE_H
#define CORESIDE_TIMELINE_TIMELINE_H

#include "../program/Program.h"

namespace coreside {

/// How host calls are read that make the device finish first without saying so.
enum class SyncModel {
  /// As seen on hardware: cudaFree does, cudaMalloc does not.
  Observed,
  /// As NVIDIA's documents have it: cudaMalloc does, cudaFree may.
  Documented,
};

struct TimelineOptions {
  SyncModel sync = SyncModel::Observed;
  /// CUDA_DEVICE_MAX_CONNECTIONS: how many hardware queues streams share.
  unsigned connections = 8;
};

/// Two launches of one trace on one device, `first` issued before `second`.
struct LaunchPair {
  enum class Relation {
    MayOverlap,
    /// The second starts after the first is done, whenever both run.
    Ordered,
    /// Never both on one path of the host code.
    Exclusive,
    Unknown,
  };
  /// Indices into Trace::steps. Where a graph is launched later than something
  /// else was issued, `first` may be the greater one.
  unsigned first = 0;
  unsigned second = 0;
  Relation relation = Relation::Unknown;
  /// What orders them: index into Trace::steps, -1 where it is the stream they
  /// share (`why` then names it).
  int orderedBy = -1;
  /// Only work on the legacy default stream orders them, or, where the relation
  /// is unknown, may order them: without it they might overlap.
  bool byDefaultStream = false;
  /// Only host calls order them that make the device finish first: without
  /// those they might overlap.
  bool byHostCall = false;
  /// The host calls between the two that surely run and make the device finish
  /// first in either SyncModel: indices into Trace::steps. Only of pairs that
  /// may overlap but for them, and at most eight.
  std::vector<unsigned> hostCalls;
  /// In words: "both on stream 's'", "'t' waits for event 'e'", or why it is
  /// not known.
  std::string why;

  // What else there is to know about a pair that may overlap, the first two
  // also where only the default stream or host calls order it.

  /// What is taken for granted: "streams 's' and 't' differ".
  std::vector<std::string> assumptions;
  /// The two streams were made in this trace: the overlap looks intended.
  /// Else it is incidental.
  bool intended = false;
  /// On one stream: the second may start before the first ends because it is
  /// launched with programmatic stream serialization.
  bool programmatic = false;
  /// The second may be the first launch of its kernel in the process. Unless
  /// CUDA_MODULE_LOADING is EAGER, loading it then makes it wait for the first
  /// (sync.csv: every pair).
  bool firstUse = false;
  /// Their streams come through one hardware queue, as far as the streams of
  /// this trace tell.
  bool sharesQueue = false;
  /// The launch, an index into Trace::steps, that the second stands behind in a
  /// hardware queue and that itself comes after the first; -1 for none.
  int queuedBehind = -1;
  /// The call, an index into Trace::steps, that orders them in the other
  /// SyncModel; -1 for none.
  int otherwiseOrderedBy = -1;
};

/// The pairs of `Program::traces[trace]`.
struct Timeline {
  unsigned trace = 0;
  std::vector<LaunchPair> pairs;
  /// Why pairs are missing; empty when none are.
  std::vector<std::string> cuts;
};

/// Orders the launches of `program.traces[trace]` by stream, event, graph and
/// synchronisation. In traces of up to 512 launches every pair is there; in
/// longer ones each launch with the next ones on other streams, and `cuts` says
/// so.
Timeline orderLaunches(const Program &program, unsigned trace,
                       const TimelineOptions &options = TimelineOptions());

/// The same for a trace alone: nothing is known about its kernels.
Timeline orderLaunches(const Trace &trace, unsigned index,
                       const TimelineOptions &options = TimelineOptions());

} // namespace coreside

#endif
