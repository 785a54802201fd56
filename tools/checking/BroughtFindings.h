// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings that a change brings.
//
// In:   the findings of a run, the sources before the change
// Out:  those that the sources before did not have, wherever they stand, and
//       those that only they had
//
// What was there before is found by analysing it: a kernel that has grown by a
// register brings a finding at launches that nobody touched.

#ifndef CORESIDE_TOOLS_BROUGHTFINDINGS_H
#define CORESIDE_TOOLS_BROUGHTFINDINGS_H

#include "UnitFindings.h"
#include "UnitResources.h"
#include "control/OldSources.h"

#include "llvm/ADT/ArrayRef.h"

namespace coreside {

/// Takes out of each unit the findings that it had before, on each of their
/// GPUs as bad as now, and puts down what was there before instead. Of a unit
/// that cannot be analysed as it was those on changed lines are left. What is
/// left has its fingerprint. Without `asksGone` a unit that has no findings is
/// not asked which it had, which would cost an analysis.
void keepBrought(llvm::MutableArrayRef<UnitFindings> units,
                 const OldSources &old, const UnitOptions &reading,
                 const UnitResourceOptions &resources, Remarks &remarks,
                 bool asksGone = false);

} // namespace coreside

#endif
