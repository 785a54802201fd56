// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "WriteText.h"
#include "control/Fixes.h"
#include "control/LineDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

std::string counted(size_t number, const char *noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// Puts the findings into a baseline, over what it said of the same files.
int writeBaseline(const Selection &selection, const ReportOptions &options,
                  Remarks &remarks) {
  const std::string &file = options.writeBaseline;
  Baseline before;
  if (llvm::sys::fs::exists(file)) {
    // What a run cannot see would look like fixed.
    if (!options.incomplete.empty())
      return remarks.fail(
          fmt::format("'{}' is left as it is: {}", file, options.incomplete));
    llvm::Expected<Baseline> read = Baseline::read(file);
    if (!read)
      return remarks.fail(llvm::toString(read.takeError()));
    before = std::move(*read);
  }
  if (llvm::Error error =
          before.write(file, selection.findings, options.analyzed))
    return remarks.fail(llvm::toString(std::move(error)));
  remarks.say("note",
              fmt::format("{} written to '{}'",
                          counted(selection.findings.size(), "finding"), file));
  return 0;
}

/// Applies or prints the fixes of what was found; the exit code.
int fix(const Selection &selection, const ReportOptions &options,
        Remarks &remarks) {
  FixOptions fixing;
  fixing.folders = foldersToFix(options.sources);
  fixing.readAt = options.readAt;
  FixPlan plan = planFixes(selection.findings, fixing);
  for (const auto &[number, why] : plan.refused) {
    const Finding &finding = selection.findings[number];
    remarks.say("note",
                fmt::format("{}:{}:{}: the fix '{}' is left out: {} [{}]",
                            shortPath(finding.place.file), finding.place.line,
                            finding.place.column, finding.fixes.front().title,
                            why, finding.rule));
  }
  if (options.fix == FixMode::DryRun) {
    for (const FileChange &change : plan.changes)
      llvm::outs() << unifiedDiff(change.before, change.after,
                                  shortPath(change.file));
    return llvm::is_contained(selection.fails, true);
  }
  for (const FileChange &change : plan.changes)
    if (llvm::Error error = writeChange(change))
      return remarks.fail(llvm::toString(std::move(error)));
  if (!plan.applied.empty())
    remarks.say("note",
                fmt::format("{} applied to {}",
                            plan.applied.size() == 1
                                ? "1 fix"
                                : fmt::format("{} fixes", plan.applied.size()),
                            counted(plan.changes.size(), "file")));
  // What is fixed does not fail.
  std::vector<bool> fails = selection.fails;
  for (unsigned number : plan.applied)
    fails[number] = false;
  return llvm::is_contained(fails, true);
}

} // namespace

int coreside::reportFindings(std::vector<Finding> findings,
                             Configuration &configuration,
                             const ReportOptions &options, Remarks &remarks) {
  Baseline known;
  SelectionOptions selecting;
  selecting.analyzed = options.analyzed;
  selecting.warnUnusedAllows = options.warnUnusedAllows;
  if (!options.baseline.empty()) {
    llvm::Expected<Baseline> read = Baseline::read(options.baseline);
    if (!read)
      return remarks.fail(llvm::toString(read.takeError()));
    known = std::move(*read);
    selecting.baseline = &known;
  }
  TokenizedFiles files(llvm::vfs::getRealFileSystem());
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configuration, files, selecting);
  if (!selection)
    return remarks.fail(llvm::toString(selection.takeError()));
  for (const std::string &warning : selection->warnings)
    remarks.say("warning", shortPath(warning));
  if (!options.writeBaseline.empty())
    return writeBaseline(*selection, options, remarks);

  if (options.fix == FixMode::DryRun)
    return fix(*selection, options, remarks);
  writeText(selection->findings, llvm::outs(), options.color);
  if (selection->inBaseline)
    remarks.say("note", fmt::format("{} in the baseline not printed",
                                    counted(selection->inBaseline, "finding")));
  for (const std::string &entry : selection->gone)
    remarks.say("note",
                fmt::format("no longer found, --write-baseline takes it "
                            "out of the baseline: {}",
                            shortPath(entry)));
  if (options.fix == FixMode::Apply)
    return fix(*selection, options, remarks);
  return llvm::is_contained(selection->fails, true);
}
