// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckCommand.h"

#include "Depfile.h"
#include "Matrix.h"
#include "SummarizeCommand.h"
#include "analysis/AnalysisJSON.h"
#include "analysis/RecordedLaunches.h"
#include "checking/BroughtFindings.h"
#include "checking/CommitChange.h"
#include "checking/JoinUnits.h"
#include "checking/Remarks.h"
#include "checking/ShortPath.h"
#include "checking/UnitResources.h"
#include "checking/Units.h"
#include "checking/VerifyFixes.h"
#include "control/WholeFile.h"
#include "device/GPUFile.h"
#include "program/ProgramJSON.h"
#include "resources/ResourcesJSON.h"
#include "rules/Rules.h"
#include "timeline/TimelineJSON.h"
#include "timeline/TimelineMermaid.h"
#include "writers/ReportPaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>

using namespace coreside;
namespace json = llvm::json;

namespace {

/// One run of the command: what is the same for all of its files.
class CheckRun {
public:
  explicit CheckRun(const CheckOptions &options)
      : Options(options), Configured(options.config, options.given),
        Keeping(Kept),
        Said(options.quiet ? static_cast<llvm::raw_ostream &>(Keeping)
                           : llvm::errs()) {}

  int run() {
    begin();
    int code = check();
    // Whoever asked for a file gets one that says that there is nothing.
    if (!Reported && !printsOther())
      code = writeReport(About, code, Reporting, Said);
    if (llvm::Error error = noteInputs(code))
      code = Said.fail(llvm::toString(std::move(error)));
    if (code != 0 || Said.warned())
      llvm::errs() << Kept;
    return code;
  }

private:
  int check() {
    if (llvm::Error error = prepare())
      return Said.fail(llvm::toString(std::move(error)));

    if (Options.dumpConfig || Options.explainConfig)
      return printSettings();

    // What was summarized earlier comes with its resources.
    std::vector<std::string> sources;
    std::vector<Unit> summarized;
    std::vector<ResourceTable> summarizedTables;
    for (const std::string &file : Options.files)
      if (!isSummaryFile(file))
        sources.push_back(file);
      else if (!readSummary(file, summarized, summarizedTables))
        return 2;

    std::vector<Unit> units = findUnits(sources, Reading, Said);
    readPrograms(units, Reading, Said);
    if (units.empty() && summarized.empty())
      return 2;
    std::vector<ResourceTable> tables;
    if (!isHostStage(Options.dump)) {
      auto asked = findResources(units, Reading, resourceOptions(), Said);
      if (!asked)
        return Said.fail(llvm::toString(asked.takeError()));
      tables = std::move(*asked);
    }
    tables.resize(units.size());
    llvm::append_range(tables, std::move(summarizedTables));
    std::move(summarized.begin(), summarized.end(), std::back_inserter(units));
    if (Options.dump == Dump::Resources)
      return dumpResources(tables);
    std::vector<JoinedUnit> joined =
        joinUnits(std::move(units), std::move(tables));
    if (!Options.recorded.empty())
      if (llvm::Error error = takeRecorded(joined))
        return Said.fail(llvm::toString(std::move(error)));
    if (Options.dump == Dump::Program)
      return dumpPrograms(joined);
    if (isHostStage(Options.dump))
      return dumpTimelines(joined);

    json::Array verdicts;
    std::vector<UnitFindings> found;
    Matrix matrix;
    for (JoinedUnit &unit : joined) {
      UnitFindings &kept = found.emplace_back();
      kept.ordering = orderingOf(unit);
      kept.units = std::move(unit.units);
      kept.files = unit.program.files;
      kept.hasErrors = !unit.program.unread.empty();
      Analysis analysis =
          analyze(std::move(unit.program), std::move(unit.resources),
                  std::move(unit.gpus), kept.ordering);
      reportUnknown(analysis);
      if (Options.dump == Dump::Verdicts)
        verdicts.push_back(verdictsToJSON(analysis));
      else if (Options.matrix)
        matrix.add(analysis, findAll(analysis));
      else
        kept.findings = findAll(analysis);
    }
    if (Options.dump == Dump::Verdicts)
      return print(std::move(verdicts));
    if (Options.matrix) {
      matrix.write(llvm::outs());
      return 0;
    }
    if (!Options.diff.empty())
      if (llvm::Error error = keepBrought(found, Options.diff))
        return Said.fail(llvm::toString(std::move(error)));
    for (const std::string &revision : Options.alsoSince)
      if (llvm::Error error = keepBrought(found, revision))
        return Said.fail(llvm::toString(std::move(error)));
    dropFixesOfErrors(found, Said);
    if (Options.verifyFixes)
      verifyFixes(found, Reading, resourceOptions(), Said);
    return report(std::move(found));
  }

  /// What is needed before the first file is read.
  llvm::Error prepare() {
    Reading.flags = Options.flags;
    Reading.buildDirectory = Options.buildDirectory;
    Reading.explain = Options.explain;
    Reading.assumptions = Options.given.assumptions();
    Reading.jobs = Options.jobs;
    Reading.shortCuts = Options.shortCuts;
    Reading.forOtherFiles = Options.files.size() > 1;
    if (llvm::Error error = useToolkit(Options.cudaPath, Reading))
      return error;
    if (Reading.toolkit && !Reading.toolkit->ptxas.empty() &&
        Options.resources.empty())
      About.ptxasVersion = Reading.toolkit->version();
    for (const std::string &file : Options.files)
      if (llvm::Error error = findSettings(file))
        return error;
    return llvm::Error::success();
  }

  /// The settings of one of the files, and the GPUs that they name.
  llvm::Error findSettings(const std::string &file) {
    llvm::Expected<Settings> settings = Configured.of(file);
    if (!settings)
      return settings.takeError();
    Found[file] = *settings;
    Reading.assumptionsOf[file] = settings->assumptions();
    Reading.durationsOf[file] = settings->durations();
    std::string targets = llvm::join(settings->words("targets"), ",");
    if (targets.empty())
      return llvm::Error::success();
    auto gpus = resolveGPUs(targets, Options.SMs);
    if (!gpus)
      return gpus.takeError();
    Reading.gpusOf[file] = std::move(*gpus);
    return llvm::Error::success();
  }

  /// False when it cannot be read, which is said.
  bool readSummary(const std::string &file, std::vector<Unit> &units,
                   std::vector<ResourceTable> &tables) {
    const auto named = Reading.gpusOf.find(file);
    auto read = readSummaryFile(
        file, named == Reading.gpusOf.end() ? Reading.gpus : named->second);
    if (!read) {
      Said.say("error", llvm::toString(read.takeError()));
      return false;
    }
    for (SummarizedUnit &one : *read) {
      for (const std::string &note : one.unit.gpuNotes)
        Said.say("note", note);
      units.push_back(std::move(one.unit));
      tables.push_back(std::move(one.resources));
    }
    return true;
  }

  /// Fills in what a recorded run says.
  llvm::Error takeRecorded(std::vector<JoinedUnit> &units) {
    auto recorded = readRecordedLaunches(Options.recorded);
    if (!recorded)
      return recorded.takeError();
    unsigned found = 0;
    for (JoinedUnit &unit : units) {
      RecordedUse use = useRecordedLaunches(*recorded, Options.recorded,
                                            unit.program, unit.resources);
      found += use.found;
      for (const SourcePlace &place : use.contradicted)
        Said.say("note",
                 fmt::format("{}:{}:{}: '{}' holds no launch of the sizes that "
                             "the source says",
                             shortPath(place.file), place.line, place.column,
                             Options.recorded));
      if (Options.explain && use.found)
        Said.say("note",
                 fmt::format(
                     "{}: sizes of {} from '{}'", shortPath(unit.program.file),
                     use.found == 1 ? "1 launch"
                                    : fmt::format("{} launches", use.found),
                     Options.recorded));
    }
    if (!found)
      Said.say("note", fmt::format("'{}' holds no launch of these files",
                                   Options.recorded));
    return llvm::Error::success();
  }

  int printSettings() {
    for (const std::string &file : Options.files) {
      if (Options.files.size() > 1)
        llvm::outs() << "# " << file << '\n';
      if (Options.explainConfig)
        Found[file].explain(llvm::outs());
      else
        Found[file].dump(llvm::outs());
    }
    return 0;
  }

  /// How launches of a unit are ordered.
  TimelineOptions orderingOf(const JoinedUnit &unit) {
    TimelineOptions ordering;
    ordering.sync = Found[unit.units.front().name].syncModel();
    ordering.connections = Found[unit.units.front().name].connections();
    return ordering;
  }

  //===-- Stages as JSON --------------------------------------------------===//

  int print(json::Array stage) {
    llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(stage)));
    return 0;
  }

  /// A stage that asks nothing of ptxas.
  static bool isHostStage(Dump dump) {
    return dump == Dump::Program || dump == Dump::Timeline ||
           dump == Dump::TimelineMermaid;
  }

  int dumpPrograms(llvm::ArrayRef<JoinedUnit> units) {
    json::Array programs;
    for (const JoinedUnit &unit : units) {
      json::Value program = toJSON(unit.program);
      // Of a program that was joined, the files that it is of.
      if (unit.units.size() > 1) {
        json::Array sources;
        for (const Unit &one : unit.units)
          sources.push_back(one.name);
        (*program.getAsObject())["sources"] = std::move(sources);
      }
      programs.push_back(std::move(program));
    }
    return print(std::move(programs));
  }

  int dumpTimelines(llvm::ArrayRef<JoinedUnit> units) {
    json::Array timelines;
    for (const JoinedUnit &unit : units) {
      json::Array traces;
      for (unsigned t = 0; t != unit.program.traces.size(); ++t) {
        Timeline timeline = orderLaunches(unit.program, t, orderingOf(unit));
        if (Options.dump == Dump::TimelineMermaid)
          llvm::outs() << toMermaid(unit.program, timeline);
        else
          traces.push_back(toJSON(unit.program, timeline));
      }
      timelines.push_back(std::move(traces));
    }
    return Options.dump == Dump::TimelineMermaid ? 0
                                                 : print(std::move(timelines));
  }

  int dumpResources(llvm::ArrayRef<ResourceTable> tables) {
    json::Array resources;
    for (const ResourceTable &table : tables)
      resources.push_back(toJSON(table));
    return print(std::move(resources));
  }

  //===-- Findings --------------------------------------------------------===//

  UnitResourceOptions resourceOptions() const {
    return {Options.resources, Options.useCache};
  }

  /// The sources before the change of --diff.
  llvm::Expected<OldSources> oldSources(const std::string &revision,
                                        llvm::ArrayRef<std::string> read) {
    if (revision != "-")
      return sourcesAt(revision, Options.files, read);
    auto patch = llvm::MemoryBuffer::getSTDIN();
    // No test: it takes a standard input that cannot be read.
    if (!patch)
      return llvm::createStringError("cannot read standard input: " +
                                     patch.getError().message());
    return sourcesBefore((*patch)->getBuffer(), read);
  }

  /// Leaves what has come since `revision`.
  llvm::Error keepBrought(std::vector<UnitFindings> &units,
                          const std::string &revision) {
    std::vector<std::string> read;
    for (const UnitFindings &unit : units)
      for (const std::string &file : unit.files)
        if (!llvm::is_contained(read, file))
          read.push_back(file);
    llvm::Expected<OldSources> old = oldSources(revision, read);
    if (!old)
      return old.takeError();
    for (const std::string &note : old->notes)
      Said.say("note", note);
    bool asksGone = Options.withKnown || writes(Format::Markdown);
    coreside::keepBrought(units, *old, Reading, resourceOptions(), Said,
                          asksGone);
    Reporting.oldTexts = std::move(old->texts);
    return llvm::Error::success();
  }

  /// Says of which launches something is not known, since silence about them
  /// means nothing. Without --explain only what a better log or build would
  /// tell: registers.
  void reportUnknown(const Analysis &analysis) {
    std::vector<std::string> kernels;
    std::string example;
    for (unsigned t = 0; t != analysis.traces.size(); ++t)
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        for (const LaunchFacts &facts : analysis.traces[t].launches[g]) {
          const Step &step = analysis.program.traces[t].steps[facts.step];
          if (step.kernel < 0)
            continue;
          const std::string &kernel =
              analysis.program.kernels[step.kernel].name;
          for (const std::string &missing : facts.missing) {
            if (Options.explain) {
              Said.say("note",
                       fmt::format("{}:{}:{}: not known of '{}': {}",
                                   shortPath(step.place.file), step.place.line,
                                   step.place.column, kernel, missing));
              continue;
            }
            if (!llvm::StringRef(missing).starts_with("registers: "))
              continue;
            if (example.empty())
              example = fmt::format("'{}' on {}: {}", kernel,
                                    analysis.gpus[g].name, missing);
            if (!llvm::is_contained(kernels, kernel))
              kernels.push_back(kernel);
          }
        }
    // After a warning it is known why.
    if (!kernels.empty() && !Said.warned())
      Said.say("note", fmt::format("{}: what {} not known, --explain lists "
                                   "them; the first: {}",
                                   shortPath(analysis.program.file),
                                   kernels.size() == 1
                                       ? "1 kernel takes is"
                                       : fmt::format("{} kernels take is",
                                                     kernels.size()),
                                   example));
  }

  int report(std::vector<UnitFindings> units) {
    Reported = true;
    for (UnitFindings &unit : units) {
      for (const std::string &file : unit.files)
        Reporting.analyzed.insert(file);
      for (const Unit &one : unit.units)
        for (const GPU &gpu : one.gpus)
          if (Reporting.gpus.insert(gpu.name).second)
            About.gpus.push_back(
                {gpu.name, smName(gpu.architecture.capability)});
    }
    Reporting.isWhole = Options.diff.empty();
    Reporting.incomplete = Said.firstProblem();
    return reportFindings(std::move(units), About, Configured, Reporting, Said);
  }

  //===-- What outputs say of the run -------------------------------------===//

  /// Something else than findings is printed.
  bool printsOther() const {
    return Options.dump != Dump::None || Options.matrix || Options.dumpConfig ||
           Options.explainConfig;
  }

  bool writes(Format format) const {
    return llvm::any_of(Options.outputs, [&](const Output &output) {
      return output.format == format;
    });
  }

  void begin() {
    Reporting.baseline = Options.baseline;
    Reporting.writeBaseline = Options.writeBaseline;
    Reporting.warnUnusedAllows = Options.warnUnusedAllows;
    Reporting.color = Options.color;
    Reporting.fix = Options.fix;
    Reporting.sources = Options.files;
    Reporting.outputs = Options.outputs;
    Reporting.readAt = About.begin =
        std::chrono::time_point_cast<std::chrono::nanoseconds>(
            std::chrono::system_clock::now());
    About.version = CORESIDE_VERSION;
    About.rulesURL = CORESIDE_RULES_URL;
    About.clangVersion = LLVM_VERSION_STRING;
    About.commandLine = Options.commandLine;
    About.sources = Options.files;
    About.writesSilent = Options.withKnown;
    llvm::SmallString<128> folder;
    if (!llvm::sys::fs::current_path(folder))
      About.workingFolder = folder.str().str();
    About.root = findRoot(About.workingFolder, Options.files);
    About.isChange = !Options.diff.empty();
    if (About.isChange)
      About.comparedWith =
          Options.diff == "-" ? "before the patch" : Options.diff;
    else if (!Options.baseline.empty())
      About.comparedWith = "the baseline '" + Options.baseline + "'";
    if (writes(Format::SARIF) || writes(Format::JSON))
      About.revision = findRevision(About.root);
  }

  /// Writes the stamp and what it depends on, where they are asked for.
  llvm::Error noteInputs(int code) {
    if (!Options.depfile.empty()) {
      std::set<std::string> inputs(Options.resources.begin(),
                                   Options.resources.end());
      for (const auto &file : Reporting.analyzed)
        inputs.insert(file.first().str());
      for (const std::string &file : Configured.filesRead())
        inputs.insert(file);
      for (const std::string &file :
           {Options.baseline, Options.config, Options.recorded})
        if (!file.empty())
          inputs.insert(file);
      if (llvm::Error error =
              writeDepfile(Options.depfile, Options.stamp, inputs))
        return error;
    }
    if (Options.stamp.empty() || code != 0)
      return llvm::Error::success();
    return writeWholeFile(Options.stamp, "");
  }

  const CheckOptions &Options;
  Configuration Configured;
  /// For each of the files its settings.
  std::map<std::string, Settings> Found;
  UnitOptions Reading;
  std::string Kept;
  llvm::raw_string_ostream Keeping;
  Report About;
  ReportOptions Reporting;
  bool Reported = false;
  Remarks Said;
};

} // namespace

/// A run for a hook: of the units that a commit changes, against its parents.
static int runStaged(const CheckOptions &options) {
  CommitOptions asked;
  asked.flags = options.flags;
  asked.buildDirectory = options.buildDirectory;
  asked.revision = options.diff;
  Remarks remarks(llvm::errs());
  llvm::Expected<CommitChange> change = changeOfCommit(options.files, asked);
  if (!change)
    return remarks.fail(llvm::toString(change.takeError()));
  if (change->units.empty())
    return 0;
  if (!change->note.empty())
    remarks.say("note", change->note);
  CheckOptions checking = options;
  checking.staged = false;
  checking.quiet = true;
  checking.files = std::move(change->units);
  checking.diff.clear();
  if (!change->revisions.empty()) {
    checking.diff = change->revisions.front();
    checking.alsoSince.assign(change->revisions.begin() + 1,
                              change->revisions.end());
  }
  return runCheck(checking);
}

int coreside::runCheck(const CheckOptions &options) {
  return options.staged ? runStaged(options) : CheckRun(options).run();
}
