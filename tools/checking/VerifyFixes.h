// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which fixes do what they say: each is tried on the sources in memory.
//
// In:   findings with fixes
// Out:  those whose finding is gone, and that bring no other warning

#ifndef CORESIDE_TOOLS_VERIFYFIXES_H
#define CORESIDE_TOOLS_VERIFYFIXES_H

#include "UnitFindings.h"
#include "UnitResources.h"

namespace coreside {

/// Takes out the fixes that do not help, and says so.
void verifyFixes(llvm::MutableArrayRef<UnitFindings> units,
                 const UnitOptions &reading,
                 const UnitResourceOptions &resources, Remarks &remarks);

/// Takes out the fixes of files with errors, and says so: what was misread may
/// be misplaced.
void dropFixesOfErrors(llvm::MutableArrayRef<UnitFindings> units,
                       Remarks &remarks);

} // namespace coreside

#endif
