// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside explain: a rule's page.
//
// In:   no-coresidency
// Out:  docs/rules/no-coresidency.md as it was when the tool was built; the
//       pages are compiled in, so that no folder has to be found.

#ifndef CORESIDE_TOOLS_EXPLAINCOMMAND_H
#define CORESIDE_TOOLS_EXPLAINCOMMAND_H

#include "llvm/ADT/StringRef.h"

namespace coreside {

/// Prints the page of `rule`; 2 where there is no such rule.
int runExplain(llvm::StringRef rule);

} // namespace coreside

#endif
