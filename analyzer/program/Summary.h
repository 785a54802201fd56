// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Program as a file, so that a build can read each source by itself and
// join what it read later.
//
//   {"summary": 1, "version": "0.1.0", "files": ["/src/blur.cu", ...],
//    "program": {"file": "/src/blur.cu", "kernels": [...], "traces": [...]}}
//
// Every field of every record is written, those that have their default left
// out; places name their file by its number in "files". It is for the same
// version of coreside that wrote it: `--dump=program` is what people read.

#ifndef CORESIDE_PROGRAM_SUMMARY_H
#define CORESIDE_PROGRAM_SUMMARY_H

#include "Program.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace coreside {

/// `program` as JSON.
llvm::json::Object summarize(const Program &program);

/// Whether `value` was made by summarize, of whatever version.
bool isSummary(const llvm::json::Value &value);

/// The program that summarize was given. Error: it was made by another version
/// of coreside, or which field is wrong.
llvm::Expected<Program> readSummary(const llvm::json::Value &value);

} // namespace coreside

#endif
