// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of rules. A rule is a function from an analysis to findings.
//
// In:   an analysis.
// Out:  findings by place in the source, each once.

#ifndef CORESIDE_RULES_RULES_H
#define CORESIDE_RULES_RULES_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <span>

namespace coreside {

using RuleFunction = std::vector<Finding> (*)(const Analysis &);

struct Rule {
  const char *name;
  /// The highest level its findings have.
  Level level;
  /// What it finds, in a line.
  const char *summary;
  RuleFunction find;
};

#define RULE(FUNCTION, NAME, LEVEL, SUMMARY)                                   \
  std::vector<Finding> find##FUNCTION(const Analysis &);
#include "Rules.def"
#undef RULE

/// Every rule there is.
std::span<const Rule> allRules();

/// The findings of all rules: by place, and what several traces or
/// instantiations find alike only once.
std::vector<Finding> findAll(const Analysis &analysis);

/// Sorts by place and keeps one of those that say the same.
void sortAndMerge(std::vector<Finding> &findings);

} // namespace coreside

#endif
