// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReportFindings.h"

#include "checking/ShortPath.h"
#include "checking/Variant.h"
#include "control/Fixes.h"
#include "control/LineDiff.h"
#include "rules/Rules.h"

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

/// The fixes of what was found; says which are left out.
FixPlan findFixes(const Selection &selection, const ReportOptions &options,
                  Remarks &remarks) {
  if (options.fix == FixMode::None)
    return {};
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
  return plan;
}

/// Whether all was written; else an error is said.
bool apply(const FixPlan &plan, Remarks &remarks) {
  for (const FileChange &change : plan.changes)
    if (llvm::Error error = writeChange(change)) {
      remarks.fail(llvm::toString(std::move(error)));
      return false;
    }
  if (!plan.applied.empty())
    remarks.say("note",
                fmt::format("{} applied to {}",
                            plan.applied.size() == 1
                                ? "1 fix"
                                : fmt::format("{} fixes", plan.applied.size()),
                            counted(plan.changes.size(), "file")));
  return true;
}

/// What the change of --diff was for the findings of all units.
struct Change {
  /// By fingerprint, as it was.
  std::map<std::string, Finding> before;
  std::vector<Finding> gone;
  /// As they are; `before` has them, too.
  std::vector<Finding> milder;
};

Change takeChange(std::vector<UnitFindings> &units) {
  Change change;
  for (UnitFindings &unit : units) {
    change.before.merge(std::move(unit.before));
    llvm::append_range(change.gone, std::move(unit.gone));
    for (auto &[was, is] : unit.milder) {
      change.before.emplace(is.fingerprint, std::move(was));
      change.milder.push_back(std::move(is));
    }
  }
  sortAndMerge(change.gone);
  sortAndMerge(change.milder);
  return change;
}

/// Those of `findings` that would be printed if they were found in `files`.
std::vector<Finding>
printed(std::vector<Finding> findings, Configuration &configuration,
        llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  TokenizedFiles texts(std::move(files));
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configuration, texts, {});
  if (selection)
    return std::move(selection->findings);
  // Settings that are wrong are said where findings are chosen.
  llvm::consumeError(selection.takeError());
  return {};
}

/// Fills in what the run found.
void fill(Report &report, Selection &selection, Change &change,
          Configuration &configuration, const ReportOptions &options) {
  FindingState state = options.isWhole && options.baseline.empty()
                           ? FindingState::Found
                           : FindingState::New;
  auto add = [&](std::vector<ReportedFinding> &to,
                 const Finding &finding) -> ReportedFinding & {
    ReportedFinding &one = to.emplace_back();
    one.finding = finding;
    one.state = state;
    if (auto was = change.before.find(finding.fingerprint);
        was != change.before.end()) {
      one.before = was->second;
      one.state = FindingState::Changed;
    }
    return one;
  };
  for (auto [finding, fails] : llvm::zip(selection.findings, selection.fails))
    add(report.findings, finding).fails = fails;
  for (const Finding &finding : selection.known)
    add(report.silent, finding).state = FindingState::Unchanged;
  llvm::StringSet<> allowed;
  for (AllowedFinding &one : selection.allowed) {
    allowed.insert(one.finding.fingerprint);
    add(report.silent, one.finding).allowed = std::move(one.by);
  }
  for (const Finding &finding : printed(std::move(change.milder), configuration,
                                        llvm::vfs::getRealFileSystem()))
    add(report.silent, finding);
  for (const std::vector<Finding> &gone :
       {selection.gone, printed(std::move(change.gone), configuration,
                                withTexts(options.oldTexts))})
    for (const Finding &finding : gone)
      if (!allowed.contains(finding.fingerprint))
        add(report.silent, finding).state = FindingState::Gone;
}

} // namespace

int coreside::writeReport(Report &report, int exitCode,
                          const ReportOptions &options, Remarks &remarks) {
  report.exitCode = exitCode;
  report.remarks = remarks.all();
  report.end = std::chrono::time_point_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now());
  OutputOptions writing;
  writing.color = options.color;
  writing.onlyFiles = options.fix == FixMode::DryRun;
  for (const std::string &problem :
       writeOutputs(report, options.outputs, writing))
    exitCode = remarks.fail(problem);
  return exitCode;
}

int coreside::reportFindings(std::vector<UnitFindings> units, Report &report,
                             Configuration &configuration,
                             const ReportOptions &options, Remarks &remarks) {
  auto fail = [&](llvm::Error error) {
    return writeReport(report, remarks.fail(llvm::toString(std::move(error))),
                       options, remarks);
  };
  llvm::Expected<Baseline> baseline = findBaseline(options);
  if (!baseline)
    return fail(baseline.takeError());
  std::vector<Finding> findings;
  for (UnitFindings &unit : units)
    llvm::append_range(findings, std::move(unit.findings));
  // What several units find in a header they share is one finding.
  sortAndMerge(findings);
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
    return fail(selection.takeError());
  for (const std::string &warning : selection->warnings)
    remarks.say("warning", shortPath(warning));
  if (!options.writeBaseline.empty()) {
    for (const Finding &finding : selection->findings)
      baseline->add(finding);
    if (llvm::Error error = baseline->write(options.writeBaseline))
      return fail(std::move(error));
    // From now on all of them are known.
    llvm::append_range(selection->known, std::move(selection->findings));
    selection->findings.clear();
    selection->fails.clear();
    selection->gone.clear();
    remarks.say("note", fmt::format("{} written to '{}'",
                                    counted(selection->known.size(), "finding"),
                                    options.writeBaseline));
  } else if (!selection->known.empty()) {
    remarks.say("note",
                fmt::format("{} in the baseline not printed",
                            counted(selection->known.size(), "finding")));
  }
  for (const Finding &entry : selection->gone)
    remarks.say("note",
                fmt::format("no longer found, --write-baseline takes it "
                            "out of the baseline: {}: {} [{}]",
                            shortPath(entry.place.file), entry.message,
                            entry.rule));
  Change change = takeChange(units);
  fill(report, *selection, change, configuration, options);
  FixPlan plan = findFixes(*selection, options, remarks);
  if (options.fix == FixMode::DryRun)
    for (const FileChange &one : plan.changes)
      llvm::outs() << unifiedDiff(one.before, one.after, shortPath(one.file));
  std::vector<bool> fails = selection->fails;
  // What is fixed does not fail.
  if (options.fix == FixMode::Apply)
    for (unsigned number : plan.applied)
      fails[number] = false;
  // Before the sources change, which are shown.
  int code =
      writeReport(report, llvm::is_contained(fails, true), options, remarks);
  if (options.fix == FixMode::Apply && !apply(plan, remarks))
    return 2;
  return code;
}
