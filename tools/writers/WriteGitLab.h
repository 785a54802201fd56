// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as a Code Quality report, which GitLab shows in merge requests.
//
// In:   a report
// Out:  [{"description": "'edge' ...", "check_name": "no-coresidency",
//         "fingerprint": "9f0c1d2e3a4b5c6d", "severity": "major",
//         "location": {"path": "pair.cu", "lines": {"begin": 31}}}]
//
// GitLab compares the fingerprints with those of the target branch, so all
// findings belong into it, not only those of a change.

#ifndef CORESIDE_WRITERS_WRITEGITLAB_H
#define CORESIDE_WRITERS_WRITEGITLAB_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

void writeGitLab(const Report &report, llvm::raw_ostream &out);

} // namespace coreside

#endif
