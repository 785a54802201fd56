// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways in which a program can run, and what is true in all of them.
//
// In:   A, then B on its stream and C on another stream that awaits A; B and C
//       cannot share.
// Out:  two schedules, B before C and C before B; B-C never overlap.
//
// Kernels that become ready within a microsecond or two race, the host issues
// at its own pace, and blocks that end together leave in any order. Each
// schedule is one draw of these chances.

#ifndef CORESIDE_DEVICE_OUTCOMES_H
#define CORESIDE_DEVICE_OUTCOMES_H

#include "Scheduler.h"

namespace coreside {

/// How sure something is, over all ways in which the program can run.
enum class Certainty { Never, EitherOrder, Always };

/// "never", "either order", "always".
const char *certaintyName(Certainty certainty);

struct PairOutcome {
  unsigned first = 0;
  unsigned second = 0;
  /// Both have blocks on the GPU at once for longer than they touch.
  Certainty overlap = Certainty::Never;
  /// Some SM holds both at once.
  Certainty sharesSM = Certainty::Never;
};

/// All ways in which a program was found to run: the nominal one first.
struct Outcomes {
  std::vector<Schedule> schedules;
  std::vector<PairOutcome> pairs;
};

/// Two kernels that are together for no longer than this only touch:
/// 30 microseconds, or 5 % of the shorter one.
bool touchOnly(const KernelTimes &first, const KernelTimes &second,
               double overlap);

/// Plays `program` with `runs` different chances. Four find nearly all that
/// differs (docs/model-scheduler.md); more call more pairs either order.
Outcomes playAll(const GPU &gpu, const DeviceProgram &program,
                 unsigned runs = 4);

} // namespace coreside

#endif
