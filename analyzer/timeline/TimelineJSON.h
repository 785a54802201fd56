// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A timeline as JSON, for --dump=timeline.
//
// In:   the timeline of a trace.
// Out:  {"function": "go", "pairs": [{"first": {"kernel": "side", "place":
//       "a.cu:9:3"}, "second": ..., "relation": "may overlap", "why": ...}]}

#ifndef CORESIDE_TIMELINE_TIMELINEJSON_H
#define CORESIDE_TIMELINE_TIMELINEJSON_H

#include "Timeline.h"

#include "llvm/Support/JSON.h"

namespace coreside {

/// "may overlap", "ordered", "exclusive", "unknown".
const char *relationName(LaunchPair::Relation relation);

/// One launch of `program`'s trace as {"kernel", "place"}.
llvm::json::Object launchToJSON(const Program &program, const Trace &trace,
                                unsigned step);

llvm::json::Value toJSON(const Program &program, const Timeline &timeline);

} // namespace coreside

#endif
