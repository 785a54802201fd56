// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verdicts of an analysis as JSON, for --dump=verdicts.
//
// In:   an analysis.
// Out:  {"gpus": ["h100"], "traces": [{"function": "go", "launches": [...],
//       "pairs": [{"first": ..., "second": ..., "on": [{"gpu": "h100",
//       "sharing": "never", "limiter": "registers", ...}]}]}]}

#ifndef CORESIDE_ANALYSIS_ANALYSISJSON_H
#define CORESIDE_ANALYSIS_ANALYSISJSON_H

#include "Analysis.h"

#include "llvm/Support/JSON.h"

namespace coreside {

/// "judged", "depends", "unknown", "unlaunchable".
const char *stateName(PairOnGPU::State state);

llvm::json::Value verdictsToJSON(const Analysis &analysis);

} // namespace coreside

#endif
