// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule as a picture: time from left to right, a row for each SM, in it a
// band for each kernel as high as its share of the warp slots.

#ifndef CORESIDE_TOOLS_WRITESCHEDULEPICTURE_H
#define CORESIDE_TOOLS_WRITESCHEDULEPICTURE_H

#include "device/DeviceProgram.h"
#include "device/Scheduler.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

/// Writes SVG. `schedule` must have been made with its spans recorded.
void writeSchedulePicture(llvm::raw_ostream &out, const GPU &gpu,
                          const DeviceProgram &program,
                          const Schedule &schedule);

} // namespace coreside

#endif
