// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RulePages.h"

#include "llvm/ADT/Twine.h"

using namespace coreside;
using llvm::StringRef;

static const RulePage pages[] = {
// {"name", R"page(text)page"}, of each page; made by RulePages.cmake.
#include "RulePages.inc"
};

llvm::ArrayRef<RulePage> coreside::rulePages() { return pages; }

StringRef coreside::pageOfRule(StringRef rule) {
  for (const RulePage &page : pages)
    if (page.rule == rule)
      return page.text;
  return {};
}

StringRef coreside::pageSection(StringRef page, StringRef title) {
  std::string heading = ("\n## " + llvm::Twine(title) + "\n").str();
  size_t begin = page.find(heading);
  if (begin == StringRef::npos)
    return {};
  StringRef rest = page.drop_front(begin + heading.size());
  return rest.take_front(rest.find("\n## ")).trim('\n');
}
