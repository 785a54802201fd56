// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SummarizeCommand.h"

#include "Depfile.h"
#include "checking/Targets.h"
#include "checking/UnitResources.h"
#include "device/GPUFile.h"
#include "program/Summary.h"
#include "resources/ResourcesJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;
namespace json = llvm::json;

namespace {

std::set<std::string> inputsOf(const SummarizeOptions &options,
                               llvm::ArrayRef<Unit> units) {
  std::set<std::string> inputs(options.resources.begin(),
                               options.resources.end());
  for (const Unit &unit : units)
    inputs.insert(unit.program.files.begin(), unit.program.files.end());
  return inputs;
}

json::Array targetsJSON(const std::vector<ComputeCapability> &targets) {
  json::Array array;
  for (ComputeCapability target : targets)
    array.push_back(json::Array{target.major, target.minor});
  return array;
}

std::optional<std::vector<ComputeCapability>>
targetsFromJSON(const json::Array *array) {
  if (!array)
    return std::nullopt;
  std::vector<ComputeCapability> targets;
  for (const json::Value &value : *array) {
    const json::Array *pair = value.getAsArray();
    if (!pair || pair->size() != 2)
      return std::nullopt;
    auto major = (*pair)[0].getAsInteger(), minor = (*pair)[1].getAsInteger();
    if (!major || !minor || *major < 0 || *major > 99 || *minor < 0 ||
        *minor > 9)
      return std::nullopt;
    ComputeCapability capability;
    capability.major = *major;
    capability.minor = *minor;
    targets.push_back(capability);
  }
  return targets;
}

} // namespace

int coreside::runSummarize(const SummarizeOptions &options) {
  Remarks remarks(llvm::errs());
  UnitOptions reading;
  if (llvm::Error error = useToolkit(options.cudaPath, reading))
    return remarks.fail(llvm::toString(std::move(error)));
  if (!options.gpus.empty()) {
    auto gpus = resolveGPUs(options.gpus, options.SMs);
    if (!gpus)
      return remarks.fail(llvm::toString(gpus.takeError()));
    reading.gpus = std::move(*gpus);
  }
  reading.flags = options.flags;
  reading.buildDirectory = options.buildDirectory;
  reading.forOtherFiles = true;
  std::vector<Unit> units = findUnits({options.file}, reading, remarks);
  const size_t commands = units.size();
  readPrograms(units, reading, remarks);
  // What could be read of it is not the file.
  if (units.empty() || units.size() != commands)
    return 2;
  auto tables = findResources(units, reading,
                              {options.resources, options.useCache}, remarks);
  if (!tables)
    return remarks.fail(llvm::toString(tables.takeError()));

  json::Array summaries;
  for (auto [unit, table] : llvm::zip(units, *tables)) {
    json::Object summary = summarize(unit.program);
    summary["targets"] = targetsJSON(unit.command.targets);
    summary["resources"] = toJSON(table);
    summaries.push_back(std::move(summary));
  }
  llvm::Error error =
      llvm::writeToOutput(options.output, [&](llvm::raw_ostream &out) {
        out << json::Value(std::move(summaries)) << '\n';
        return llvm::Error::success();
      });
  if (!error && !options.depfile.empty())
    error =
        writeDepfile(options.depfile, options.output, inputsOf(options, units));
  return error ? remarks.fail(fmt::format("cannot write the summary: {}",
                                          llvm::toString(std::move(error))))
               : 0;
}

bool coreside::isSummaryFile(const std::string &file) {
  return llvm::StringRef(file).ends_with(".json");
}

llvm::Expected<std::vector<SummarizedUnit>>
coreside::readSummaryFile(const std::string &file,
                          const std::vector<GPU> &gpus) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("'" + file + "' is no summary: " + why);
  };
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError(
        fmt::format("cannot read '{}': {}", file, buffer.getError().message()));
  auto parsed = json::parse((*buffer)->getBuffer());
  if (!parsed)
    return fail(llvm::toString(parsed.takeError()));
  const json::Array *summaries = parsed->getAsArray();
  if (!summaries || !llvm::all_of(*summaries, isSummary))
    return fail("'coreside summarize' makes them");
  std::vector<SummarizedUnit> units;
  for (const json::Value &summary : *summaries) {
    auto program = readSummary(summary);
    if (!program)
      return fail(llvm::toString(program.takeError()));
    const json::Object &object = *summary.getAsObject();
    auto targets = targetsFromJSON(object.getArray("targets"));
    const json::Value *resources = object.get("resources");
    if (!targets || !resources)
      return fail("it lacks targets or resources");
    auto records = recordsFromJSON(*resources);
    if (!records)
      return fail(llvm::toString(records.takeError()));
    SummarizedUnit &one = units.emplace_back();
    one.unit.name = file;
    one.unit.command.file = program->file;
    one.unit.isSummary = true;
    one.unit.gpus = gpus;
    if (gpus.empty()) {
      Targets made = defaultTargets(*targets);
      one.unit.gpus = std::move(made.gpus);
      one.unit.gpuNotes = std::move(made.notes);
    }
    one.unit.program = std::move(*program);
    for (KernelResources &record : *records)
      one.resources.add(std::move(record));
  }
  return units;
}
