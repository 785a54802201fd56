// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Units.h"

#include "ShortPath.h"
#include "SideBySide.h"
#include "Targets.h"
#include "program/ReadProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;

llvm::Error coreside::useToolkit(const std::string &cudaPath,
                                 UnitOptions &options) {
  options.withoutToolkit = cudaPath == "none";
  if (!options.withoutToolkit)
    options.toolkit = findToolkit(cudaPath);
  if (cudaPath.empty() || options.withoutToolkit || options.toolkit)
    return llvm::Error::success();
  return llvm::createStringError(
      fmt::format("no CUDA toolkit in '{}'; --cuda-path names the folder that "
                  "holds include and bin",
                  cudaPath));
}

std::vector<Unit> coreside::findUnits(const std::vector<std::string> &files,
                                      const UnitOptions &options,
                                      Remarks &remarks) {
  std::vector<Unit> units;
  for (const std::string &file : files) {
    auto commands =
        CompileCommands::find(file, options.flags, options.buildDirectory);
    if (!commands) {
      remarks.say("error", llvm::toString(commands.takeError()));
      continue;
    }
    for (CompileCommand &command : commands->commandsFor(file)) {
      Unit &unit = units.emplace_back();
      unit.name = file;
      auto named = options.gpusOf.find(file);
      unit.gpus = named == options.gpusOf.end() ? options.gpus : named->second;
      if (unit.gpus.empty()) {
        Targets targets = defaultTargets(command.targets);
        unit.gpus = std::move(targets.gpus);
        unit.gpuNotes = std::move(targets.notes);
      }
      unit.command = std::move(command);
    }
  }
  return units;
}

static std::string at(const Unread &unread) {
  return fmt::format("{}:{}:{}: {}", shortPath(unread.place.file),
                     unread.place.line, unread.place.column, unread.why);
}

/// "'n > 4' at blur.cu:12 is false"
static std::string decisionText(const UntakenLaunch &untaken) {
  const std::string place = fmt::format(
      "{}:{}", shortPath(untaken.decision.file), untaken.decision.line);
  if (untaken.outcome.empty())
    return "the way there is left at " + place;
  return fmt::format("{} at {} is {}",
                     untaken.condition.empty() ? "the condition"
                                               : "'" + untaken.condition + "'",
                     place, untaken.outcome);
}

/// Says what of the unit could not be read; an error when nothing could.
static llvm::Error reportUnread(const Unit &unit, const UnitOptions &options,
                                Remarks &remarks) {
  const Program &program = unit.program;
  // No test: a machine that has a toolkit cannot be told that it has none.
  if (program.ownDeclarations && !options.withoutToolkit)
    remarks.say("note", "no CUDA toolkit found: read with coreside's own CUDA "
                        "declarations");
  // A header that is missing takes launches with it: that is what to mend.
  static const llvm::Regex missing("^'(.*)' file not found$");
  llvm::SmallVector<llvm::StringRef, 2> header;
  size_t unparsed = llvm::count_if(program.lostLaunches, [](const Unread &one) {
    return llvm::StringRef(one.why).starts_with("could not be parsed");
  });
  if (unparsed && llvm::any_of(program.unread, [&](const Unread &error) {
        return missing.match(error.why, &header);
      }))
    remarks.say("note",
                fmt::format("{}: {} launch{} could not be read: {} not "
                            "found; name its folder with -I after --",
                            unit.name, unparsed, unparsed == 1 ? "" : "es",
                            header[1].str()));
  if (options.explain)
    for (const UntakenLaunch &untaken : program.untakenLaunches)
      remarks.say("note", fmt::format("launch never made: {}:{}:{}: {}{}",
                                      shortPath(untaken.place.file),
                                      untaken.place.line, untaken.place.column,
                                      untaken.kernel.empty()
                                          ? ""
                                          : "'" + untaken.kernel + "', ",
                                      decisionText(untaken)));
  if (options.explain)
    for (const Unread &lost : program.lostLaunches)
      remarks.say("note", "launch not analysed: " + at(lost));
  else if (size_t count = program.lostLaunches.size())
    remarks.say("note",
                fmt::format("{}: {} not analysed, --explain lists them; the "
                            "first: {}",
                            unit.name,
                            count == 1 ? "1 launch was"
                                       : fmt::format("{} launches were", count),
                            at(program.lostLaunches.front())));
  if (program.unread.empty())
    return llvm::Error::success();
  if (program.kernels.empty() && program.traces.empty())
    return llvm::createStringError(fmt::format(
        "cannot analyse '{}': {}", unit.name, at(program.unread.front())));
  remarks.say("note",
              fmt::format("{}: {} error{} in the code, what survives is "
                          "analysed; the first: {}",
                          unit.name, program.unread.size(),
                          program.unread.size() == 1 ? "" : "s",
                          at(program.unread.front())));
  return llvm::Error::success();
}

/// Says where a launch that names no stream means another stream in one file
/// than in another.
static void reportDefaultStreams(const std::vector<Unit> &units,
                                 Remarks &remarks) {
  auto uses = [](const Unit &unit, Stream::Origin origin) {
    return llvm::any_of(unit.program.traces, [&](const Trace &trace) {
      return llvm::any_of(trace.streams, [&](const Stream &stream) {
        return stream.origin == origin;
      });
    });
  };
  const Unit *perThread = nullptr, *legacy = nullptr;
  for (const Unit &unit : units) {
    const bool flag = unit.command.perThreadDefaultStream;
    if (!perThread && flag && uses(unit, Stream::Origin::PerThreadDefault))
      perThread = &unit;
    if (!legacy && !flag && uses(unit, Stream::Origin::LegacyDefault))
      legacy = &unit;
  }
  if (perThread && legacy)
    remarks.say(
        "note",
        fmt::format("--default-stream per-thread is given for {} and not "
                    "for {}: what names no stream there is on the legacy "
                    "default stream, and the two wait for each other",
                    perThread->name,
                    perThread->name == legacy->name ? "another build of it"
                                                    : legacy->name));
}

/// Reads one unit; from any thread.
static llvm::Expected<Program> readUnit(const Unit &unit, ReadOptions reading,
                                        std::vector<AssumptionUse> &uses) {
  std::set<ComputeCapability> capabilities;
  for (const GPU &gpu : unit.gpus)
    capabilities.insert(gpu.architecture.capability);
  reading.capabilities.assign(capabilities.begin(), capabilities.end());
  return readProgram(unit.command, reading, &uses);
}

void coreside::readPrograms(std::vector<Unit> &units,
                            const UnitOptions &options, Remarks &remarks) {
  ReadOptions reading;
  reading.parse.toolkit = options.toolkit;
  reading.parse.files = options.files;
  reading.forOtherFiles = options.forOtherFiles;
  reading.parse.skipSystemBodies = options.shortCuts;
  reading.parse.stop = options.stop;
  Preambles preambles(Preambles::Kind::OfFlags);
  if (options.preambles) {
    reading.parse.preambles = options.preambles;
  } else if (options.shortCuts) {
    reading.parse.preambles = &preambles;
    for (const Unit &unit : units)
      preambles.announce(preambleKey(unit.command, reading.parse),
                         unit.command.file);
  }
  auto assumptionsFor = [&](const Unit &unit) {
    auto named = options.assumptionsOf.find(unit.name);
    return named == options.assumptionsOf.end() ? options.assumptions
                                                : named->second;
  };
  std::set<std::string> matched;
  std::vector<std::vector<AssumptionUse>> uses(units.size());
  std::vector<std::optional<llvm::Expected<Program>>> read(units.size());
  // A file system has one working folder, which commands change.
  sideBySide(units.size(), options.files ? 1 : options.jobs, [&](size_t i) {
    ReadOptions own = reading;
    own.assumptions = assumptionsFor(units[i]);
    read[i].emplace(readUnit(units[i], std::move(own), uses[i]));
  });

  // What is said stands in the order of the files.
  std::vector<Unit> good;
  for (auto [unit, program, used] : llvm::zip(units, read, uses)) {
    for (const std::string &note : unit.command.notes)
      remarks.say("note", fmt::format("{}: {}", unit.name, note));
    if (options.explain)
      remarks.say(
          "note",
          "clang's command: " +
              llvm::join(clangCommandLine(unit.command, reading.parse), " "));
    llvm::Error error = program->takeError();
    if (!error) {
      unit.program = std::move(**program);
      if (auto named = options.durationsOf.find(unit.name);
          named != options.durationsOf.end())
        useDurations(named->second, unit.program);
      error = reportUnread(unit, options, remarks);
    }
    if (error) {
      remarks.say("error", llvm::toString(std::move(error)));
      continue;
    }
    for (const std::string &note : unit.gpuNotes)
      remarks.say("note", note);
    const std::vector<Assumption> assumed = assumptionsFor(unit);
    for (const AssumptionUse &use : used) {
      matched.insert(assumed[use.index].text);
      if (!use.instead.empty())
        remarks.say("warning",
                    fmt::format("assumption '{}' is not used at {}:{}, where "
                                "the source says {}",
                                assumed[use.index].text, use.place.file,
                                use.place.line, use.instead));
    }
    good.push_back(std::move(unit));
  }
  units = std::move(good);
  reportDefaultStreams(units, remarks);
  // Those of settings are for all the files below them.
  for (const Assumption &given : options.assumptions)
    if (!matched.count(given.text))
      remarks.say("warning",
                  fmt::format("assumption '{}' matched nothing", given.text));
}
