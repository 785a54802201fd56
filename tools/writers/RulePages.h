// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of rules, docs/rules/*.md, as they were when the tool was built.
//
// In:   "no-coresidency"
// Out:  "# no-coresidency\n\nLevel: warning; ..."
//
// They are compiled in, so that no folder has to be found.

#ifndef CORESIDE_WRITERS_RULEPAGES_H
#define CORESIDE_WRITERS_RULEPAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace coreside {

struct RulePage {
  llvm::StringRef rule;
  /// Markdown.
  llvm::StringRef text;
};

/// By name.
llvm::ArrayRef<RulePage> rulePages();

/// The page of `rule`; empty where there is none.
llvm::StringRef pageOfRule(llvm::StringRef rule);

/// The text below the heading `## title` of a page, without blank lines around
/// it; empty where it has none.
llvm::StringRef pageSection(llvm::StringRef page, llvm::StringRef title);

} // namespace coreside

#endif
