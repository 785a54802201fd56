// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as workflow commands, which GitHub shows at lines of a pull request.
//
// In:   a report
// Out:  ::warning file=pair.cu,line=31,col=3,endColumn=7,title=...::'edge' ...
//
// Of one step GitHub shows ten errors, ten warnings and ten notices, and drops
// the others without a word. The worst come first; the ones beyond are plain
// lines of the log.

#ifndef CORESIDE_WRITERS_WRITEGITHUB_H
#define CORESIDE_WRITERS_WRITEGITHUB_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

void writeGitHub(const Report &report, llvm::raw_ostream &out);

} // namespace coreside

#endif
