// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that rules may look at: the program, its timelines, and for every
// target GPU the facts of each launch and the verdict of each pair.
//
// In:   a program, what ptxas says, h100 and rtx4090.
// Out:  pair (blur, edge): h100 full, rtx4090 never (shared memory).

#ifndef CORESIDE_ANALYSIS_ANALYSIS_H
#define CORESIDE_ANALYSIS_ANALYSIS_H

#include "LaunchFacts.h"
#include "device/PairVerdict.h"
#include "timeline/Timeline.h"

namespace coreside {

/// A pair that the host code allows to overlap, or would but for the legacy
/// default stream or host calls that make the device finish, on one GPU.
struct PairOnGPU {
  enum class State {
    /// The verdict holds for every value still possible.
    Judged,
    /// It turns with something that is not known; `verdict` is that of the
    /// largest launches.
    Depends,
    /// The second's stream has, or may have, the higher priority: when the
    /// first wave of the first ends, its blocks go before those of the first
    /// that are not placed yet. How much the two then share is not judged.
    Overtakes,
    /// Too little is known to ask.
    Unknown,
    /// One of the two cannot be launched at all, or an error tells that it
    /// hangs.
    Unlaunchable,
  };
  State state = State::Unknown;
  PairVerdict verdict;
  /// What the verdict is of: the most blocks, and where registers are open the
  /// fewest registers.
  Grid first;
  Grid second;
  /// On what it depends, or what is missing.
  std::string why;
};

struct PairFacts {
  /// Index into Timeline::pairs.
  unsigned pair = 0;
  /// One for each target GPU, in their order.
  std::vector<PairOnGPU> onGPU;
};

struct TraceFacts {
  Timeline timeline;
  /// For each target GPU one entry for each launch, by step.
  std::vector<std::vector<LaunchFacts>> launches;
  /// The pairs that may overlap, and those that only the legacy default stream
  /// or host calls order or may order.
  std::vector<PairFacts> pairs;

  /// The facts of the launch at `step` on GPU number `gpu`.
  const LaunchFacts &launch(unsigned gpu, unsigned step) const;
};

struct Analysis {
  Program program;
  ResourceTable resources;
  std::vector<GPU> gpus;
  /// One for each trace of the program.
  std::vector<TraceFacts> traces;
  /// How the timelines were made.
  TimelineOptions ordering;
};

/// Plays every stage from the program on.
Analysis analyze(Program program, ResourceTable resources,
                 std::vector<GPU> gpus,
                 const TimelineOptions &ordering = TimelineOptions());

} // namespace coreside

#endif
