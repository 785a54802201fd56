// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside rules: the list of rules.

#ifndef CORESIDE_TOOLS_RULESCOMMAND_H
#define CORESIDE_TOOLS_RULESCOMMAND_H

namespace coreside {

/// Prints name, level and summary of every rule; 0.
int runRules();

} // namespace coreside

#endif
