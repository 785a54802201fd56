// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a schedule, gathered for a trace and a picture.
//
// In:   four blocks of A that started on SM 0 within a microsecond.
// Out:  one span of 4 blocks, in lane 0 of SM 0.

#ifndef CORESIDE_TOOLS_SCHEDULESPANS_H
#define CORESIDE_TOOLS_SCHEDULESPANS_H

#include "device/Scheduler.h"

#include <vector>

namespace coreside {

struct LaneSpan {
  BlockSpan span;
  /// Spans of one SM that overlap in time are in different lanes.
  unsigned lane = 0;
};

/// The spans of `schedule` by SM and start; blocks of one kernel on one SM that
/// start and end within two microseconds of each other are one.
std::vector<LaneSpan> gatherSpans(const Schedule &schedule);

} // namespace coreside

#endif
