// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as a compiler prints its diagnostics.
//
// In:   findings.
// Out:  pair.cu:31:3: warning: 'edge' cannot run beside 'blur' ... [rule]
//         edge<<<160, 256, 0, t>>>(q);
//         ^
//       pair.cu:30:3: note: ...

#ifndef CORESIDE_WRITERS_WRITETEXT_H
#define CORESIDE_WRITERS_WRITETEXT_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

/// Paths under the current folder are printed relative to it. A source line
/// that cannot be read is left out.
void writeText(const Report &report, llvm::raw_ostream &out, bool color);

} // namespace coreside

#endif
