// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run as SARIF 2.1.0, as code scanning services and editors read it.
//
// In:   a report: 'edges' has to wait for 'blur' on h100
// Out:  {"version": "2.1.0", "runs": [{"tool": ..., "results": [...]}]}
//
// A result stands at the launch that waits; the launch in its way and the
// arithmetic are related locations, the host's way to both launches is a code
// flow. Paths are relative to SRCROOT, the repository.
//
// clang has a writer of its own, which knows one source manager, no fixes, no
// messages at related locations and no invocation.

#ifndef CORESIDE_WRITERS_WRITESARIF_H
#define CORESIDE_WRITERS_WRITESARIF_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

/// What GitHub takes of a run; the worst findings are kept.
inline constexpr unsigned sarifResults = 25000;

void writeSARIF(const Report &report, llvm::raw_ostream &out);

} // namespace coreside

#endif
