// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of findings as JSON, for the outputs that are made of it.
//
// In:   waits on h100 for want of registers
// Out:  {"gpu": "h100", "architecture": "sm_90", "outcome": "waits", ...}

#ifndef CORESIDE_WRITERS_FINDINGJSON_H
#define CORESIDE_WRITERS_FINDINGJSON_H

#include "ReportPaths.h"
#include "rules/Finding.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/JSON.h"

namespace coreside {

/// `text` with what is not UTF-8 replaced: JSON has nothing else.
llvm::json::Value textJSON(llvm::StringRef text);
llvm::json::Array textsJSON(llvm::ArrayRef<std::string> texts);

llvm::json::Object toJSON(const GPUFact &fact);
llvm::json::Array toJSON(const std::vector<GPUFact> &facts);

/// "file", "line" and "column"; lines and columns that are not there are left
/// out.
llvm::json::Object placeJSON(const SourcePlace &place, ReportPaths &paths);

llvm::json::Array launchesJSON(const FindingFacts &facts, ReportPaths &paths);

/// "2026-11-30T12:00:00.000Z"
std::string utcTime(llvm::sys::TimePoint<> time);

} // namespace coreside

#endif
