// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Units.h"

#include "Targets.h"
#include "WriteText.h"
#include "program/ReadProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace coreside;

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

/// Says what of the unit could not be read; an error when nothing could.
static llvm::Error reportUnread(const Unit &unit, const UnitOptions &options,
                                Remarks &remarks) {
  const Program &program = unit.program;
  // No test: a machine that has a toolkit cannot be told that it has none.
  if (program.ownDeclarations && !options.withoutToolkit)
    remarks.say("note", "no CUDA toolkit found: read with coreside's own CUDA "
                        "declarations");
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

void coreside::readPrograms(std::vector<Unit> &units,
                            const UnitOptions &options, Remarks &remarks) {
  ReadOptions reading;
  reading.parse.toolkit = options.toolkit;
  reading.parse.files = options.files;
  reading.assumptions = options.assumptions;
  std::vector<bool> matched(options.assumptions.size());
  llvm::erase_if(units, [&](Unit &unit) {
    for (const std::string &note : unit.command.notes)
      remarks.say("note", fmt::format("{}: {}", unit.name, note));
    if (options.explain)
      remarks.say(
          "note",
          "clang's command: " +
              llvm::join(clangCommandLine(unit.command, reading.parse), " "));
    llvm::Error error = llvm::Error::success();
    std::vector<AssumptionUse> uses;
    if (llvm::Expected<Program> program =
            readProgram(unit.command, reading, &uses)) {
      unit.program = std::move(*program);
      error = reportUnread(unit, options, remarks);
    } else {
      error = program.takeError();
    }
    if (error) {
      remarks.say("error", llvm::toString(std::move(error)));
      return true;
    }
    for (const std::string &note : unit.gpuNotes)
      remarks.say("note", note);
    for (const AssumptionUse &use : uses) {
      matched[use.index] = true;
      if (!use.instead.empty())
        remarks.say("warning",
                    fmt::format("assumption '{}' is not used at {}:{}, where "
                                "the source says {}",
                                options.assumptions[use.index].text,
                                use.place.file, use.place.line, use.instead));
    }
    return false;
  });
  for (unsigned i = 0; i != matched.size(); ++i)
    if (!matched[i])
      remarks.say("warning", fmt::format("assumption '{}' matched nothing",
                                         options.assumptions[i].text));
}
