// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RulesCommand.h"

#include "rules/Rules.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

int coreside::runRules() {
  for (const Rule &rule : allRules())
    llvm::outs() << fmt::format("{:<32}{:<9}{:<9}{}\n", rule.name,
                                levelName(rule.level), groupName(rule.group),
                                rule.summary);
  return 0;
}
