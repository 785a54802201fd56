// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckCommand.h"

#include "Targets.h"
#include "WriteText.h"
#include "analysis/AnalysisJSON.h"
#include "device/GPUFile.h"
#include "program/ProgramJSON.h"
#include "program/ReadProgram.h"
#include "resources/CompileResources.h"
#include "resources/CubinFile.h"
#include "resources/ReadResources.h"
#include "resources/ResourceCache.h"
#include "resources/ResourcesJSON.h"
#include "rules/Rules.h"
#include "source/CompileCommand.h"
#include "source/DevicePTX.h"
#include "source/Toolkit.h"
#include "timeline/TimelineJSON.h"
#include "timeline/TimelineMermaid.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;
namespace json = llvm::json;

namespace {

/// One run of the command: what is the same for all of its files.
class CheckRun {
public:
  explicit CheckRun(const CheckOptions &options) : Options(options) {}

  int run() {
    if (Options.cudaPath != "none")
      Toolkit = findToolkit(Options.cudaPath);
    if (!Options.cudaPath.empty() && Options.cudaPath != "none" && !Toolkit)
      return fail(fmt::format("no CUDA toolkit in '{}'; --cuda-path names the "
                              "folder that holds include and bin",
                              Options.cudaPath));
    if (!Options.gpus.empty()) {
      auto gpus = resolveGPUs(Options.gpus, Options.SMs);
      if (!gpus)
        return fail(llvm::toString(gpus.takeError()));
      Named = std::move(*gpus);
    }
    for (const std::string &file : Options.files)
      if (llvm::Error error = readFile(file))
        say("error", llvm::toString(std::move(error)));
    if (Units.empty())
      return 2;
    if (!Options.resources.empty())
      if (llvm::Error error = readGiven())
        return fail(llvm::toString(std::move(error)));
    if (Options.resources.empty())
      findResources();
    for (Unit &unit : Units)
      analyzeUnit(unit);
    return finish();
  }

private:
  /// One file as one command of the database compiles it.
  struct Unit {
    CompileCommand command;
    Program program;
    std::vector<GPU> gpus;
    ResourceTable resources;
  };

  void say(llvm::StringRef kind, llvm::StringRef text) {
    Warned |= kind == "warning";
    // The same is said once however many files it holds for.
    if (Said.insert((kind + text).str()).second)
      llvm::errs() << "coreside: " << kind << ": " << text << '\n';
  }

  int fail(llvm::StringRef text) {
    say("error", text);
    return 2;
  }

  llvm::Error readGiven() {
    llvm::Expected<ResourceReading> reading =
        readResources(Options.resources, logOptions());
    if (!reading)
      return reading.takeError();
    for (const std::string &note : reading->notes)
      say("note", note);
    if (Options.explain)
      say("note", fmt::format("numbers from '{}'",
                              llvm::join(Options.resources, "', '")));
    ResourceTable given;
    for (KernelResources &record : reading->records)
      given.add(std::move(record));
    for (Unit &unit : Units)
      unit.resources = given;
    return llvm::Error::success();
  }

  /// What a log does not say and the command line does.
  LogOptions logOptions() const {
    LogOptions options;
    // A linker that names no architecture meant the only one there is.
    std::set<ComputeCapability> capabilities;
    for (const GPU &gpu : Named)
      capabilities.insert(gpu.architecture.capability);
    if (capabilities.size() == 1)
      options.linkedFor = *capabilities.begin();
    options.relocatable = llvm::any_of(
        Units, [](const Unit &unit) { return unit.command.relocatable; });
    return options;
  }

  llvm::Error readFile(const std::string &file) {
    llvm::Expected<CompileCommands> commands =
        CompileCommands::find(file, Options.flags, Options.buildDirectory);
    if (!commands)
      return commands.takeError();
    for (CompileCommand &command : commands->commandsFor(file))
      if (llvm::Error error = readUnit(file, std::move(command)))
        return error;
    return llvm::Error::success();
  }

  llvm::Error readUnit(const std::string &file, CompileCommand command) {
    for (const std::string &note : command.notes)
      say("note", fmt::format("{}: {}", file, note));
    ReadOptions reading;
    reading.parse.toolkit = Toolkit;
    if (Options.explain)
      say("note",
          "clang's command: " +
              llvm::join(clangCommandLine(command, reading.parse), " "));
    llvm::Expected<Program> program = readProgram(command, reading);
    if (!program)
      return program.takeError();
    if (llvm::Error error = reportUnread(file, *program))
      return error;

    std::vector<GPU> gpus = Named;
    if (gpus.empty()) {
      Targets targets = defaultTargets(command.targets);
      for (const std::string &note : targets.notes)
        say("note", note);
      gpus = std::move(targets.gpus);
    }
    Units.push_back(
        {std::move(command), std::move(*program), std::move(gpus), {}});
    return llvm::Error::success();
  }

  /// Says what of the file could not be read; an error when nothing could.
  llvm::Error reportUnread(llvm::StringRef file, const Program &program) {
    auto at = [](const Unread &unread) {
      return fmt::format("{}:{}:{}: {}", shortPath(unread.place.file),
                         unread.place.line, unread.place.column, unread.why);
    };
    // No test: a machine that has a toolkit cannot be told that it has none.
    if (program.ownDeclarations && Options.cudaPath != "none")
      say("note", "no CUDA toolkit found: read with coreside's own CUDA "
                  "declarations");
    if (Options.explain)
      for (const Unread &lost : program.lostLaunches)
        say("note", "launch not analysed: " + at(lost));
    else if (size_t count = program.lostLaunches.size())
      say("note",
          fmt::format("{}: {} not analysed, --explain lists them; the "
                      "first: {}",
                      file.str(),
                      count == 1 ? "1 launch was"
                                 : fmt::format("{} launches were", count),
                      at(program.lostLaunches.front())));
    if (program.unread.empty())
      return llvm::Error::success();
    if (program.kernels.empty() && program.traces.empty())
      return llvm::createStringError(fmt::format(
          "cannot analyse '{}': {}", file, at(program.unread.front())));
    say("note",
        fmt::format("{}: {} error{} in the code, what survives is analysed; "
                    "the first: {}",
                    file.str(), program.unread.size(),
                    program.unread.size() == 1 ? "" : "s",
                    at(program.unread.front())));
    return llvm::Error::success();
  }

  /// Gives each unit what its kernels take, from the best source there is, and
  /// says from which.
  void findResources() {
    std::vector<CompileRequest> requests;
    std::vector<Unit *> owners;
    for (Unit &unit : Units) {
      if (unit.program.kernels.empty())
        continue;
      std::set<ComputeCapability> capabilities;
      for (const GPU &gpu : unit.gpus)
        capabilities.insert(gpu.architecture.capability);
      takeFromObject(unit, capabilities);
      for (ComputeCapability capability : capabilities) {
        requests.push_back({&unit.command, capability});
        owners.push_back(&unit);
      }
    }
    if (!requests.empty())
      compile(requests, owners);
  }

  void explain(const Unit &unit, llvm::StringRef text) {
    if (Options.explain)
      say("note",
          fmt::format("{}: {}", shortPath(unit.command.file), text.str()));
  }

  /// What the unit's own compile command has written, if that is as new as all
  /// that it is made from. It is read, never run. Architectures that it has are
  /// taken out of `wanted`.
  void takeFromObject(Unit &unit, std::set<ComputeCapability> &wanted) {
    namespace fs = llvm::sys::fs;
    const std::string &object = unit.command.output;
    fs::file_status built;
    if (object.empty() || fs::status(object, built) ||
        !fs::is_regular_file(built))
      return;
    std::vector<std::string> inputs = unit.program.files;
    inputs.push_back(unit.command.database);
    for (const std::string &input : inputs) {
      fs::file_status status;
      if (!input.empty() && !fs::status(input, status) &&
          status.getLastModificationTime() > built.getLastModificationTime())
        return explain(unit, fmt::format("'{}' is not used, '{}' is newer",
                                         shortPath(object), shortPath(input)));
    }
    llvm::Expected<BinaryReading> reading = readBinaryFile(object);
    if (!reading)
      return explain(unit, llvm::toString(reading.takeError()));
    std::set<ComputeCapability> found;
    for (KernelResources &record : reading->records) {
      if (!wanted.count(record.capability))
        continue;
      found.insert(record.capability);
      record.file = unit.command.file;
      unit.resources.add(std::move(record));
    }
    for (ComputeCapability capability : found) {
      wanted.erase(capability);
      explain(unit, fmt::format("numbers for {} from '{}', which the compile "
                                "command wrote",
                                smName(capability), shortPath(object)));
    }
  }

  /// Has nvcc say what kernels take, side by side.
  void compile(llvm::ArrayRef<CompileRequest> requests,
               llvm::ArrayRef<Unit *> owners) {
    if (!Toolkit || (Toolkit->nvcc.empty() && Toolkit->ptxas.empty())) {
      say("warning", "no nvcc found, so registers are not known: give the "
                     "output of a build with -Xptxas -v as --ptxas-log, or "
                     "--cuda-path");
      return;
    }
    if (Toolkit->nvcc.empty())
      say("note", "no nvcc found: registers are an estimate, clang compiles "
                  "the kernels; findings that rest on it are notes");
    std::string folder = ResourceCache::defaultFolder();
    ResourceCache cache(folder);
    CompileOptions compiling;
    compiling.makePTX = devicePTX;
    if (Options.useCache && !folder.empty())
      compiling.cache = &cache;
    auto compiled = compileResources(requests, *Toolkit, compiling);
    if (!compiled)
      return say("warning", llvm::toString(compiled.takeError()));
    for (auto [owner, result] : llvm::zip(owners, *compiled)) {
      if (!result.error.empty())
        say("warning", result.error);
      for (const std::string &note : result.notes)
        say("note", note);
      if (!result.records.empty())
        explain(
            *owner,
            fmt::format("numbers for {} from {}{}", smName(result.capability),
                        result.records.front().source,
                        result.fromCache ? ", kept from an earlier run" : ""));
      for (KernelResources &record : result.records)
        owner->resources.add(std::move(record));
    }
  }

  /// Says of which launches something is not known, since silence about them
  /// means nothing. Without --explain only what a better log or build would
  /// tell: registers.
  void reportUnknown(const CompileCommand &command, const Analysis &analysis) {
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
              say("note",
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
    if (!kernels.empty() && !Warned)
      say("note",
          fmt::format("{}: what {} not known, --explain lists "
                      "them; the first: {}",
                      shortPath(command.file),
                      kernels.size() == 1
                          ? "1 kernel takes is"
                          : fmt::format("{} kernels take is", kernels.size()),
                      example));
  }

  void analyzeUnit(Unit &unit) {
    Analysis analysis =
        analyze(std::move(unit.program), std::move(unit.resources),
                std::move(unit.gpus), Options.ordering);
    reportUnknown(unit.command, analysis);
    if (Options.dump == Dump::TimelineMermaid)
      for (const TraceFacts &facts : analysis.traces)
        llvm::outs() << toMermaid(analysis.program, facts.timeline);
    else if (Options.dump != Dump::None)
      Dumped.push_back(dump(analysis));
    else
      llvm::append_range(Findings, findAll(analysis));
  }

  json::Value dump(const Analysis &analysis) const {
    switch (Options.dump) {
    case Dump::Program:
      return toJSON(analysis.program);
    case Dump::Resources:
      return toJSON(analysis.resources);
    case Dump::Verdicts:
      return verdictsToJSON(analysis);
    case Dump::Timeline: {
      json::Array traces;
      for (const TraceFacts &facts : analysis.traces)
        traces.push_back(toJSON(analysis.program, facts.timeline));
      return traces;
    }
    case Dump::TimelineMermaid:
    case Dump::None:
      break;
    }
    return nullptr;
  }

  int finish() {
    if (Options.dump == Dump::TimelineMermaid)
      return 0;
    if (Options.dump != Dump::None) {
      llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(Dumped)));
      return 0;
    }
    // What several units find in a header they share is one finding.
    sortAndMerge(Findings);
    llvm::erase_if(Findings, [&](const Finding &finding) {
      return finding.level < Options.level;
    });
    writeText(Findings, llvm::outs(), Options.color);
    return llvm::any_of(Findings, [&](const Finding &finding) {
      return finding.level >= Options.failOn;
    });
  }

  const CheckOptions &Options;
  std::optional<coreside::Toolkit> Toolkit;
  /// The GPUs of --gpu.
  std::vector<GPU> Named;
  std::vector<Unit> Units;
  std::vector<Finding> Findings;
  json::Array Dumped;
  llvm::StringSet<> Said;
  bool Warned = false;
};

} // namespace

int coreside::runCheck(const CheckOptions &options) {
  return CheckRun(options).run();
}
