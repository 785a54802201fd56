// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "LostLaunches.h"

#include <algorithm>
#include <optional>
#include <tuple>

using namespace coreside;

std::span<const Rule> coreside::allRules() {
  static const Rule rules[] = {
#define RULE(FUNCTION, NAME, GROUP, LEVEL, SUMMARY)                            \
  {NAME, Group::GROUP, Level::LEVEL, SUMMARY, find##FUNCTION},
#include "Rules.def"
#undef RULE
  };
  return rules;
}

const char *coreside::levelName(Level level) {
  switch (level) {
  case Level::Preview:
    return "preview";
  case Level::Note:
    return "note";
  case Level::Warning:
    return "warning";
  case Level::Error:
    return "error";
  }
  return "";
}

const char *coreside::groupName(Group group) {
  switch (group) {
  case Group::Launch:
    return "launch";
  case Group::Overlap:
    return "overlap";
  case Group::Hang:
    return "hang";
  case Group::Bounds:
    return "bounds";
  case Group::Memory:
    return "memory";
  }
  return "";
}

void coreside::sortAndMerge(std::vector<Finding> &findings) {
  auto key = [](const Finding &finding) {
    return std::tie(finding.place, finding.rule, finding.message);
  };
  // By all that is said: which of two findings that say the same stays must not
  // be chance.
  std::sort(findings.begin(), findings.end(),
            [&](const Finding &a, const Finding &b) {
              return std::tuple_cat(key(a),
                                    std::tie(a.level, a.gpus, a.notes)) <
                     std::tuple_cat(key(b), std::tie(b.level, b.gpus, b.notes));
            });
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding &a, const Finding &b) {
                               return key(a) == key(b);
                             }),
                 findings.end());
}

namespace {

/// Whether the findings of `rule` may say that a launch fails or hangs.
bool tellsOfLosses(const Rule &rule) {
  return rule.group == Group::Launch || rule.group == Group::Hang;
}

void addFindings(const Rule &rule, const Analysis &analysis,
                 std::vector<Finding> &findings) {
  for (Finding &finding : rule.find(analysis)) {
    finding.rule = rule.name;
    if (rule.level == Level::Preview)
      finding.level = Level::Preview;
    findings.push_back(std::move(finding));
  }
}

} // namespace

std::vector<Finding> coreside::findAll(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Rule &rule : allRules())
    if (tellsOfLosses(rule))
      addFindings(rule, analysis, findings);
  const std::vector<LostPair> lost = lostPairs(analysis, findings);
  std::optional<Analysis> others;
  if (!lost.empty())
    takeOut(others.emplace(analysis), lost);
  for (const Rule &rule : allRules())
    if (!tellsOfLosses(rule))
      addFindings(rule, others ? *others : analysis, findings);
  sortAndMerge(findings);
  return findings;
}
