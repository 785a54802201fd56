// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TidyFindings.h"

#include "analysis/Analysis.h"
#include "checking/JoinUnits.h"
#include "checking/Remarks.h"
#include "checking/SideBySide.h"
#include "checking/UnitFindings.h"
#include "checking/UnitResources.h"
#include "checking/Units.h"
#include "checking/VerifyFixes.h"
#include "control/NearestName.h"
#include "control/Selection.h"
#include "device/GPUFile.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

namespace {

/// Lists are written with ';', as clang-tidy's own, or with ','.
std::vector<std::string> wordsOf(StringRef text, bool isList) {
  if (!isList)
    return {text.trim().str()};
  std::vector<std::string> words;
  llvm::SmallVector<StringRef> parts;
  llvm::SplitString(text, parts, ";,");
  for (StringRef part : parts)
    if (!part.trim().empty())
      words.push_back(part.trim().str());
  return words;
}

/// The database that has `file`: in the folder of its command or above it, as
/// build folders are, else the nearest above the file. Empty: none has it.
std::string databaseOf(const TidyFile &file) {
  llvm::SmallString<128> folder(file.directory);
  while (!folder.empty()) {
    llvm::SmallString<128> database(folder);
    llvm::sys::path::append(database, "compile_commands.json");
    if (llvm::sys::fs::exists(database)) {
      auto commands = CompileCommands::fromDatabase(database);
      if (!commands)
        llvm::consumeError(commands.takeError());
      else if (commands->has(file.path))
        return std::string(database);
    }
    if (!llvm::sys::path::has_parent_path(folder))
      break;
    folder = llvm::sys::path::parent_path(folder);
  }
  auto nearest = CompileCommands::find(file.path, std::nullopt, "");
  if (!nearest) {
    llvm::consumeError(nearest.takeError());
    return {};
  }
  return nearest->has(file.path) ? nearest->database() : std::string();
}

/// Prints warnings and errors of `said`, which holds notes too.
void passOn(StringRef said) {
  llvm::SmallVector<StringRef> lines;
  llvm::SplitString(said, lines, "\n");
  for (StringRef line : lines)
    if (!line.starts_with("coreside: note: "))
      llvm::errs() << line << '\n';
}

llvm::Expected<std::vector<Finding>>
find(const TidyFile &file, const TidyOptions &options, Remarks &remarks) {
  Configuration configured("", options.given);
  llvm::Expected<Settings> settings = configured.of(file.path);
  if (!settings)
    return settings.takeError();
  UnitOptions reading;
  // clang-tidy's users run one process for each core.
  reading.jobs = 1;
  if (llvm::Error error =
          useToolkit(options.withoutToolkit ? "none" : "", reading))
    return std::move(error);
  if (std::string targets = llvm::join(settings->words("targets"), ",");
      !targets.empty()) {
    auto gpus = resolveGPUs(targets, /*SMs=*/0);
    if (!gpus)
      return gpus.takeError();
    reading.gpus = std::move(*gpus);
  }
  reading.buildDirectory = databaseOf(file);
  if (reading.buildDirectory.empty())
    reading.flags = file.flags;

  std::vector<Unit> units = findUnits({file.path}, reading, remarks);
  readPrograms(units, reading, remarks);
  if (units.empty())
    return llvm::createStringError(remarks.firstProblem());
  UnitResourceOptions resources;
  resources.given = options.resources;
  auto tables = findResources(units, reading, resources, remarks);
  if (!tables)
    return tables.takeError();
  TimelineOptions ordering;
  ordering.sync = settings->syncModel();
  ordering.connections = settings->connections();
  std::vector<UnitFindings> found;
  for (JoinedUnit &unit : joinUnits(std::move(units), std::move(*tables))) {
    UnitFindings &kept = found.emplace_back();
    kept.hasErrors = !unit.program.unread.empty();
    kept.units = std::move(unit.units);
    kept.findings =
        findAll(analyze(std::move(unit.program), std::move(unit.resources),
                        std::move(unit.gpus), ordering));
  }
  dropFixesOfErrors(found, remarks);
  std::vector<Finding> findings;
  for (UnitFindings &unit : found)
    llvm::append_range(findings, std::move(unit.findings));
  sortAndMerge(findings);
  TokenizedFiles files(llvm::vfs::getRealFileSystem());
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configured, files, {});
  if (!selection)
    return selection.takeError();
  for (const std::string &warning : selection->warnings)
    remarks.say("warning", warning);
  return std::move(selection->findings);
}

} // namespace

llvm::Expected<TidyOptions>
coreside::readTidyOptions(const std::map<std::string, std::string> &options) {
  TidyOptions result;
  std::vector<std::string> names = {"coreside.ptxas-log", "coreside.cuda-path"};
  for (const SettingKey &key : settingKeys())
    names.push_back(std::string("coreside.") + key.name);
  std::vector<StringRef> known(names.begin(), names.end());
  for (const auto &[name, value] : options) {
    StringRef key = name;
    if (!key.consume_front("coreside."))
      continue;
    const SettingKey *setting =
        llvm::find_if(settingKeys(), [&](const SettingKey &candidate) {
          return key == candidate.name;
        });
    if (setting != settingKeys().end()) {
      std::vector<std::string> words = wordsOf(value, setting->isList);
      if (llvm::Error error = setting->check(words))
        return llvm::createStringError(fmt::format(
            "CheckOptions: {}: {}", name, llvm::toString(std::move(error))));
      result.given.set(key, std::move(words), "CheckOptions");
    } else if (key == "ptxas-log") {
      result.resources = wordsOf(value, /*isList=*/true);
    } else if (key == "cuda-path") {
      // A .clang-tidy comes from whoever wrote the repository: it does not name
      // what is run.
      if (value != "none")
        return llvm::createStringError(fmt::format(
            "CheckOptions: {}: only 'none' can be said here, CUDA_PATH in the "
            "environment names a toolkit",
            name));
      result.withoutToolkit = true;
    } else {
      return llvm::createStringError(
          fmt::format("CheckOptions: unknown option '{}'{}", name,
                      didYouMean(name, known)));
    }
  }
  return result;
}

llvm::Expected<std::vector<Finding>>
coreside::findInFile(const TidyFile &file, const TidyOptions &options) {
  std::string said;
  llvm::raw_string_ostream saying(said);
  Remarks remarks(saying);
  std::optional<llvm::Expected<std::vector<Finding>>> result;
  // Clang's stack is not enough for generated code (SideBySide.h).
  llvm::thread worker(std::optional<unsigned>(stackSize),
                      [&] { result.emplace(find(file, options, remarks)); });
  worker.join();
  passOn(said);
  return std::move(*result);
}
