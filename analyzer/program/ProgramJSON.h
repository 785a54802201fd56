// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Program as JSON, for people, tests and later runs.
//
//   {"file": "a.cu",
//    "kernels": [{"name": "blur<4>", "mangled": "_Z4blurILi4EEvPf",
//                 "place": "a.cu:3:17", "maxThreads": 256}],
//    "traces": [{"function": "main", "place": "a.cu:9:1",
//                "streams": [{"name": "s", "origin": "created",
//                             "blocking": "yes"}],
//                "steps": [{"kind": "launch", "place": "a.cu:12:3",
//                           "kernel": "blur<4>", "stream": "s",
//                           "grid": ["(n + 255) / 256", 1, 1],
//                           "block": [256, 1, 1], "dynamicShared": 0}]}]}
//
// A value is a number; "[1, 64]" where only the range is known; a formula; or
// {"unknown": "returned by 'readGrid'"}. Where a launch's sizes are not known,
// "blocks", "threads" and "sharedBytes" say how many in all are possible. What
// is empty is left out.

#ifndef CORESIDE_PROGRAM_PROGRAMJSON_H
#define CORESIDE_PROGRAM_PROGRAMJSON_H

#include "Program.h"

#include "llvm/Support/JSON.h"

namespace coreside {

llvm::json::Value toJSON(const Value &value);
llvm::json::Object toJSON(const KernelBody &body);
/// "a.cu:3:17".
std::string placeText(const SourcePlace &place);
llvm::json::Value toJSON(const Program &program);

} // namespace coreside

#endif
