// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A timeline as a drawing in Mermaid's language: streams as lanes, launches in
// their order, an arrow for each thing that orders two of them.
//
// In:   A on s, t waits for event e after A, B on t, C on t
// Out:  flowchart LR
//         subgraph s0["s"] ... A ... end
//         subgraph s1["t"] ... B --> C ... end
//         A -- event 'e' --> B

#ifndef CORESIDE_TIMELINE_TIMELINEMERMAID_H
#define CORESIDE_TIMELINE_TIMELINEMERMAID_H

#include "Timeline.h"

namespace coreside {

/// Orders that follow from others are left out, and pairs that may overlap are
/// joined by a dotted line. Draws the first 100 launches.
std::string toMermaid(const Program &program, const Timeline &timeline);

} // namespace coreside

#endif
