// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run as JSON, in the shape of docs/findings.schema.json.
//
// In:   a report
// Out:  {"format": "coreside-findings", "version": 1, "findings": [...], ...}
//
// Programs of others read it: fields are added, none is taken away or gets
// another meaning, unless the version is raised.

#ifndef CORESIDE_WRITERS_WRITEJSON_H
#define CORESIDE_WRITERS_WRITEJSON_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

void writeJSON(const Report &report, llvm::raw_ostream &out);

} // namespace coreside

#endif
