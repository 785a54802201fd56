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

/// What rules are about; users switch them by these names.
enum class Group {
  /// A launch that fails.
  Launch,
  /// Launches meant to run together that cannot.
  Overlap,
  /// Kernels that wait for each other and are never there together.
  Hang,
  /// Launch bounds, occupancy and waves.
  Bounds,
  /// Memory between kernels.
  Memory,
};

/// "launch", "overlap", "hang", "bounds", "memory".
const char *groupName(Group group);

struct Rule {
  const char *name;
  Group group;
  /// The highest level its findings have. Those of a Preview rule are lowered
  /// to it, so that a rule is released by changing a word in the list.
  Level level;
  /// What it finds, in a line.
  const char *summary;
  RuleFunction find;
};

#define RULE(FUNCTION, NAME, GROUP, LEVEL, SUMMARY)                            \
  std::vector<Finding> find##FUNCTION(const Analysis &);
#include "Rules.def"
#undef RULE

/// Every rule there is.
std::span<const Rule> allRules();

/// The findings of all rules: by place, and what several traces or
/// instantiations find alike only once. Rules that do not tell of failures and
/// hangs see no pairs of what the others call lost (LostLaunches.h).
std::vector<Finding> findAll(const Analysis &analysis);

/// Sorts by place and keeps one of those that say the same.
void sortAndMerge(std::vector<Finding> &findings);

} // namespace coreside

#endif
