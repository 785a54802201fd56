// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExplainCommand.h"

#include "checking/Remarks.h"
#include "control/NearestName.h"
#include "writers/RulePages.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <vector>

using namespace coreside;
using llvm::StringRef;

int coreside::runExplain(StringRef rule) {
  std::vector<StringRef> names;
  for (const RulePage &page : rulePages()) {
    if (page.rule == rule) {
      llvm::outs() << page.text;
      return 0;
    }
    names.push_back(page.rule);
  }
  std::string hint = didYouMean(rule, names);
  return Remarks(llvm::errs())
      .fail(fmt::format("unknown rule '{}'{}", rule.str(),
                        hint.empty() ? "; 'coreside rules' lists them" : hint));
}
