// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a trace the host code allows to run at the same time.
//
// In:   a trace: A on s, event e after A, t waits for e, B on t, C on u.
// Out:  A-B ordered by the event, A-C and B-C may overlap.

#ifndef CORESIDE_TIMELINE_TIMELINE_H
#define CORESIDE_TIMELINE_TIMELINE_H

#include "../program/Program.h"

namespace coreside {

/// Two launches of one trace, `first` issued before `second`.
struct LaunchPair {
  enum class Relation {
    MayOverlap,
    /// The second starts after the first is done, whenever both run.
    Ordered,
    /// Never both on one path of the host code.
    Exclusive,
    Unknown,
  };
  /// Indices into Trace::steps.
  unsigned first = 0;
  unsigned second = 0;
  Relation relation = Relation::Unknown;
  /// What orders them: index into Trace::steps, -1 where it is the stream they
  /// share (`why` then names it).
  int orderedBy = -1;
  /// Ordered only by work on the legacy default stream in between: without
  /// `orderedBy` they might overlap.
  bool byDefaultStream = false;
  /// In words: "both on stream 's'", "'t' waits for event 'e'", or why it is
  /// not known.
  std::string why;
  /// What is taken for granted: "streams 's' and 't' differ".
  std::vector<std::string> assumptions;
};

/// The pairs of `Program::traces[trace]`.
struct Timeline {
  unsigned trace = 0;
  std::vector<LaunchPair> pairs;
  /// Why pairs are missing ("more than 4,096 launches"); empty when none are.
  std::vector<std::string> cuts;
};

/// Orders the launches of `trace` by stream, event and synchronisation.
Timeline orderLaunches(const Trace &trace, unsigned index);

} // namespace coreside

#endif
