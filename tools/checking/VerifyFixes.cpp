// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VerifyFixes.h"

#include "ShortPath.h"
#include "Variant.h"
#include "control/Fixes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

namespace {

/// What a finding is about, whatever lines and sizes become.
std::string subject(const Finding &finding) {
  std::string text = finding.rule + " in " + finding.facts.function;
  for (const LaunchFact &launch : finding.facts.launches)
    text += " " + launch.kernel;
  return text;
}

/// How many findings from `level` on there are about each subject.
std::map<std::string, unsigned> count(const std::vector<Finding> &findings,
                                      Level level) {
  std::map<std::string, unsigned> counts;
  for (const Finding &finding : findings)
    if (finding.level >= level)
      ++counts[subject(finding)];
  return counts;
}

/// Why the fix does not help; empty where it does.
std::string tryFix(const Fix &fix, const Finding &finding, UnitFindings &owner,
                   llvm::MutableArrayRef<UnitFindings> units,
                   const UnitOptions &reading,
                   const UnitResourceOptions &resources) {
  Finding alone;
  alone.fixes = {fix};
  FixOptions options;
  options.folders = {"/"};
  FixPlan plan = planFixes(alone, options);
  if (!plan.refused.empty())
    return plan.refused.front().second;
  // Under the names that the program was read by, too.
  SourceTexts texts;
  for (const FileChange &change : plan.changes) {
    texts[change.file] = change.after;
    for (const SourceEdit &edit : fix.edits) {
      llvm::SmallString<128> real;
      if (!llvm::sys::fs::real_path(edit.file, real) && real == change.file)
        texts[edit.file] = change.after;
    }
  }
  for (UnitFindings &unit : units) {
    if (&unit != &owner &&
        llvm::none_of(unit.files, [&](const std::string &file) {
          return texts.count(file);
        }))
      continue;
    auto found =
        analyzeVariant(unit.units, texts, {reading, resources, unit.ordering});
    if (!found)
      return llvm::toString(found.takeError());
    std::string about = subject(finding);
    if (&unit == &owner && count(*found, Level::Preview)[about] >=
                               count(unit.findings, Level::Preview)[about])
      return "the finding stays";
    std::map<std::string, unsigned> before =
        count(unit.findings, Level::Warning);
    for (const auto &[other, number] : count(*found, Level::Warning))
      if (number > before[other])
        return fmt::format("it brings {}", other);
  }
  return {};
}

} // namespace

void coreside::verifyFixes(llvm::MutableArrayRef<UnitFindings> units,
                           const UnitOptions &reading,
                           const UnitResourceOptions &resources,
                           Remarks &remarks) {
  for (UnitFindings &unit : units)
    for (Finding &finding : unit.findings)
      llvm::erase_if(finding.fixes, [&](const Fix &fix) {
        std::string why = tryFix(fix, finding, unit, units, reading, resources);
        if (!why.empty())
          remarks.say("note",
                      fmt::format("{}:{}:{}: the fix '{}' is left out: {} [{}]",
                                  shortPath(finding.place.file),
                                  finding.place.line, finding.place.column,
                                  fix.title, why, finding.rule));
        return !why.empty();
      });
}

void coreside::dropFixesOfErrors(llvm::MutableArrayRef<UnitFindings> units,
                                 Remarks &remarks) {
  for (UnitFindings &unit : units)
    for (Finding &finding : unit.findings) {
      if (!unit.hasErrors || finding.fixes.empty())
        continue;
      remarks.say("note",
                  fmt::format("{}: has errors, its fixes are left out",
                              shortPath(unit.units.front().command.file)));
      finding.fixes.clear();
    }
}
