// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace coreside;

const char *coreside::stateName(FindingState state) {
  switch (state) {
  case FindingState::Found:
    return "found";
  case FindingState::New:
    return "new";
  case FindingState::Changed:
    return "changed";
  case FindingState::Unchanged:
    return "unchanged";
  case FindingState::Gone:
    return "gone";
  }
  return "";
}

bool Report::hasRemark(llvm::StringRef kind) const {
  return llvm::any_of(remarks,
                      [&](const Remark &one) { return kind == one.kind; });
}

bool coreside::isAbout(const Remark &remark, llvm::StringRef source) {
  llvm::StringRef text = remark.text;
  llvm::SmallString<128> full(source);
  llvm::sys::fs::make_absolute(full);
  for (llvm::StringRef name : {source, llvm::StringRef(full)})
    if (text.starts_with(name.str() + ":") ||
        text.contains("'" + name.str() + "'"))
      return true;
  return false;
}

std::vector<unsigned>
coreside::worstFirst(const std::vector<ReportedFinding> &findings) {
  std::vector<unsigned> order(findings.size());
  for (unsigned i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    Level first = findings[a].finding.level, second = findings[b].finding.level;
    return first != second ? first > second : a < b;
  });
  return order;
}
