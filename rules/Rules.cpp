// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include <algorithm>
#include <tuple>

using namespace coreside;

std::span<const Rule> coreside::allRules() {
  static const Rule rules[] = {
#define RULE(FUNCTION, NAME, LEVEL, SUMMARY)                                   \
  {NAME, Level::LEVEL, SUMMARY, find##FUNCTION},
#include "Rules.def"
#undef RULE
  };
  return rules;
}

const char *coreside::levelName(Level level) {
  switch (level) {
  case Level::Note:
    return "note";
  case Level::Warning:
    return "warning";
  case Level::Error:
    return "error";
  }
  return "";
}

std::vector<Finding> coreside::findAll(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Rule &rule : allRules())
    for (Finding &finding : rule.find(analysis)) {
      finding.rule = rule.name;
      findings.push_back(std::move(finding));
    }
  auto same = [](const Finding &a, const Finding &b) {
    return std::tie(a.place, a.rule, a.message) ==
           std::tie(b.place, b.rule, b.message);
  };
  std::sort(findings.begin(), findings.end(),
            [](const Finding &a, const Finding &b) {
              return std::tie(a.place, a.rule, a.message) <
                     std::tie(b.place, b.rule, b.message);
            });
  findings.erase(std::unique(findings.begin(), findings.end(), same),
                 findings.end());
  return findings;
}
