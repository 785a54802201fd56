// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnitResources.h"

#include "DeviceWord.h"
#include "ShortPath.h"
#include "resources/CompileResources.h"
#include "resources/CubinFile.h"
#include "resources/ReadResources.h"
#include "source/DevicePTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;

namespace {

class Finder {
public:
  Finder(llvm::ArrayRef<Unit> units, const UnitOptions &options,
         const UnitResourceOptions &resources, Remarks &remarks)
      : Units(units), Options(options), Resources(resources), Said(remarks),
        Tables(units.size()) {}

  llvm::Expected<std::vector<ResourceTable>> find() {
    if (!Resources.given.empty()) {
      if (llvm::Error error = readGiven())
        return error;
    } else {
      ask();
    }
    return std::move(Tables);
  }

private:
  void say(llvm::StringRef kind, llvm::StringRef text) { Said.say(kind, text); }

  void explain(const Unit &unit, llvm::StringRef text) {
    if (Options.explain)
      say("note",
          fmt::format("{}: {}", shortPath(unit.command.file), text.str()));
  }

  llvm::Error readGiven() {
    llvm::Expected<ResourceReading> reading =
        readResources(Resources.given, logOptions());
    if (!reading)
      return reading.takeError();
    for (const std::string &note : reading->notes)
      say("note", note);
    if (Options.explain)
      say("note", fmt::format("numbers from '{}'",
                              llvm::join(Resources.given, "', '")));
    ResourceTable given;
    for (KernelResources &record : reading->records)
      given.add(std::move(record));
    for (ResourceTable &table : Tables)
      table = given;
    return llvm::Error::success();
  }

  /// What a log does not say and the command line does.
  LogOptions logOptions() const {
    LogOptions options;
    // A linker that names no architecture meant the only one there is.
    std::set<ComputeCapability> capabilities;
    for (const GPU &gpu : Options.gpus)
      capabilities.insert(gpu.architecture.capability);
    for (const auto &[file, gpus] : Options.gpusOf)
      for (const GPU &gpu : gpus)
        capabilities.insert(gpu.architecture.capability);
    if (capabilities.size() == 1)
      options.linkedFor = *capabilities.begin();
    options.relocatable = llvm::any_of(
        Units, [](const Unit &unit) { return unit.command.relocatable; });
    return options;
  }

  /// From the best source there is.
  void ask() {
    std::vector<CompileRequest> requests;
    std::vector<unsigned> owners;
    for (unsigned i = 0; i != Units.size(); ++i) {
      const Unit &unit = Units[i];
      if (unit.program.kernels.empty())
        continue;
      std::set<ComputeCapability> capabilities;
      for (const GPU &gpu : unit.gpus)
        capabilities.insert(gpu.architecture.capability);
      takeFromObject(i, capabilities);
      std::string word = deviceWord(unit, Options);
      for (ComputeCapability capability : capabilities) {
        requests.push_back({&unit.command, capability, word});
        owners.push_back(i);
      }
    }
    if (!requests.empty())
      compile(requests, owners);
  }

  /// What the unit's own compile command has written, if that is as new as all
  /// that it is made from. It is read, never run. Architectures that it has are
  /// taken out of `wanted`.
  void takeFromObject(unsigned number, std::set<ComputeCapability> &wanted) {
    namespace fs = llvm::sys::fs;
    const Unit &unit = Units[number];
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
      Tables[number].add(std::move(record));
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
               llvm::ArrayRef<unsigned> owners) {
    const std::optional<Toolkit> &toolkit = Options.toolkit;
    if (!toolkit || (toolkit->nvcc.empty() && toolkit->ptxas.empty())) {
      say("warning", "no nvcc found, so registers are not known: give the "
                     "output of a build with -Xptxas -v as --ptxas-log, or "
                     "--cuda-path");
      return;
    }
    if (toolkit->nvcc.empty())
      say("note", "no nvcc found: registers are an estimate, clang compiles "
                  "the kernels; findings that rest on it are notes");
    std::string folder = ResourceCache::defaultFolder();
    ResourceCache cache(folder);
    CompileOptions compiling;
    compiling.makePTX = devicePTX;
    compiling.jobs = Options.jobs;
    compiling.inOneStep = Resources.inOneStep;
    compiling.stop = Resources.stop;
    compiling.progress = Resources.progress;
    if (Resources.useCache && !folder.empty())
      compiling.cache = &cache;
    auto compiled = compileResources(requests, *toolkit, compiling);
    if (!compiled)
      return say("warning", llvm::toString(compiled.takeError()));
    for (auto [owner, result] : llvm::zip(owners, *compiled)) {
      if (!result.error.empty())
        say("warning", result.error);
      for (const std::string &note : result.notes)
        say("note", note);
      if (!result.records.empty())
        explain(
            Units[owner],
            fmt::format("numbers for {} from {}{}", smName(result.capability),
                        result.records.front().source,
                        result.fromCache ? ", kept from an earlier run" : ""));
      for (KernelResources &record : result.records)
        Tables[owner].add(std::move(record));
    }
  }

  llvm::ArrayRef<Unit> Units;
  const UnitOptions &Options;
  const UnitResourceOptions &Resources;
  Remarks &Said;
  std::vector<ResourceTable> Tables;
};

} // namespace

std::optional<ResourceTable>
coreside::keptDeviceResources(const Unit &unit, const UnitOptions &options,
                              const UnitResourceOptions &resources) {
  std::string folder = ResourceCache::defaultFolder();
  if (!options.toolkit || !resources.useCache || folder.empty() ||
      !resources.given.empty())
    return std::nullopt;
  std::set<ComputeCapability> capabilities;
  for (const GPU &gpu : unit.gpus)
    capabilities.insert(gpu.architecture.capability);
  std::string word = deviceWord(unit, options);
  std::vector<CompileRequest> requests;
  for (ComputeCapability capability : capabilities)
    requests.push_back({&unit.command, capability, word});
  auto kept = keptResources(requests, *options.toolkit, ResourceCache(folder));
  if (!kept)
    return std::nullopt;
  ResourceTable table;
  for (CompiledResources &result : *kept)
    for (KernelResources &record : result.records)
      table.add(std::move(record));
  return table;
}

llvm::Expected<std::vector<ResourceTable>>
coreside::findResources(llvm::ArrayRef<Unit> units, const UnitOptions &options,
                        const UnitResourceOptions &resources,
                        Remarks &remarks) {
  return Finder(units, options, resources, remarks).find();
}
