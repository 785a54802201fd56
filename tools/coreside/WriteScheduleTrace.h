// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing
// open: a track for each stream, and tracks for each SM.

#ifndef CORESIDE_TOOLS_WRITESCHEDULETRACE_H
#define CORESIDE_TOOLS_WRITESCHEDULETRACE_H

#include "device/DeviceProgram.h"
#include "device/Scheduler.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

/// `schedule` must have been made with its spans recorded.
void writeScheduleTrace(llvm::raw_ostream &out, const GPU &gpu,
                        const DeviceProgram &program, const Schedule &schedule);

} // namespace coreside

#endif
