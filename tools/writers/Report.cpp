// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "WriteText.h"
#include "checking/ShortPath.h"
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

/// The baseline of the run: an empty one where there is none yet and one is to
/// be written.
llvm::Expected<Baseline> findBaseline(const ReportOptions &options) {
  const std::string &file = options.writeBaseline;
  if (file.empty())
    return options.baseline.empty() ? Baseline()
                                    : Baseline::read(options.baseline);
  if (!options.baseline.empty() && options.baseline != file)
    return llvm::createStringError(
        "--baseline and --write-baseline name different files");
  if (options.fix != FixMode::None)
    return llvm::createStringError(fmt::format(
        "'{}' is left as it is: with --fix its findings would be gone", file));
  if (!options.isWhole)
    return llvm::createStringError(fmt::format(
        "'{}' is left as it is: with --diff not everything is found", file));
  if (!llvm::sys::fs::exists(file))
    return Baseline();
  // What a run cannot see would look like fixed.
  if (!options.incomplete.empty())
    return llvm::createStringError(
        fmt::format("'{}' is left as it is: {}", file, options.incomplete));
  return Baseline::read(file);
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
  llvm::Expected<Baseline> baseline = findBaseline(options);
  if (!baseline)
    return remarks.fail(llvm::toString(baseline.takeError()));
  SelectionOptions selecting;
  selecting.baseline = &*baseline;
  if (options.isWhole) {
    selecting.warnUnusedAllows = options.warnUnusedAllows;
    selecting.folders = foldersToFix(options.sources);
    selecting.scope.files = options.analyzed;
    selecting.scope.gpus = options.gpus;
  } else if (options.warnUnusedAllows) {
    remarks.say("note", "with --diff it is not known which allows are unused");
  }
  TokenizedFiles files(llvm::vfs::getRealFileSystem());
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configuration, files, selecting);
  if (!selection)
    return remarks.fail(llvm::toString(selection.takeError()));
  for (const std::string &warning : selection->warnings)
    remarks.say("warning", shortPath(warning));
  if (!options.writeBaseline.empty()) {
    for (const Finding &finding : selection->findings)
      baseline->add(finding);
    if (llvm::Error error = baseline->write(options.writeBaseline))
      return remarks.fail(llvm::toString(std::move(error)));
    remarks.say("note", fmt::format("{} written to '{}'",
                                    counted(selection->findings.size() +
                                                selection->inBaseline,
                                            "finding"),
                                    options.writeBaseline));
    return 0;
  }
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
