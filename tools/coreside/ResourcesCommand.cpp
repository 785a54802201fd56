// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourcesCommand.h"

#include "checking/Remarks.h"
#include "checking/Units.h"
#include "device/GPUFile.h"
#include "device/Occupancy.h"
#include "resources/CompileResources.h"
#include "resources/KernelName.h"
#include "resources/ReadResources.h"
#include "resources/ResourcesJSON.h"
#include "source/DevicePTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <fmt/format.h>
#include <map>
#include <set>

using namespace coreside;
using llvm::StringRef;

namespace {

bool isSource(StringRef path) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(path))
      .Cases({".cu", ".cuh", ".hip", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp"},
             true)
      .Default(false);
}

std::string targetOf(const KernelResources &record) {
  return record.target.empty() ? smName(record.capability) : record.target;
}

std::string orUnknown(std::optional<unsigned> number) {
  return number ? std::to_string(*number) : "?";
}

class Resources {
public:
  Resources(const ResourcesOptions &options, llvm::raw_ostream &out,
            llvm::raw_ostream &errors)
      : Options(options), Out(out), Said(errors) {}

  int run() {
    if (Options.threads > 1024)
      return fail(
          fmt::format("--threads is {}, must be 1 to 1024", Options.threads));
    if (!Options.gpus.empty()) {
      llvm::Expected<std::vector<GPU>> gpus =
          resolveGPUs(Options.gpus, Options.SMs);
      if (!gpus)
        return fail(llvm::toString(gpus.takeError()));
      Named = std::move(*gpus);
    }

    std::vector<std::string> sources, files;
    for (const std::string &input : Options.inputs)
      (isSource(input) ? sources : files).push_back(input);
    ResourceTable table, before;
    if (llvm::Error error = read(files, table))
      return fail(llvm::toString(std::move(error)));
    if (int code = compile(sources, table))
      return code;
    if (!Options.old.empty())
      if (llvm::Error error = read({Options.old}, before))
        return fail(llvm::toString(std::move(error)));

    std::vector<const KernelResources *> shown;
    for (const KernelResources &record : table.records())
      if (isWanted(record.capability))
        shown.push_back(&record);
    if (shown.empty())
      return fail(table.records().empty()
                      ? "no kernel in what was read"
                      : "no kernel for " + Options.gpus +
                            "; others are there, leave out --gpu to see them");
    if (!Options.old.empty())
      return printDifference(shown, before);
    if (Options.json)
      printJSON(shown);
    else
      printTable(shown);
    return 0;
  }

private:
  int fail(const std::string &line) { return Said.fail(line); }

  void say(StringRef kind, StringRef line) { Said.say(kind, line); }

  bool isWanted(ComputeCapability capability) const {
    return Named.empty() || llvm::any_of(Named, [&](const GPU &gpu) {
             return gpu.architecture.capability == capability;
           });
  }

  //===-- Input -----------------------------------------------------------===//

  llvm::Error read(const std::vector<std::string> &files,
                   ResourceTable &table) {
    if (files.empty())
      return llvm::Error::success();
    LogOptions options;
    // A linker that names no architecture meant the only one there is.
    if (Named.size() == 1)
      options.linkedFor = Named.front().architecture.capability;
    llvm::Expected<ResourceReading> reading = readResources(files, options);
    if (!reading)
      return reading.takeError();
    for (const std::string &note : reading->notes)
      say("note", note);
    for (KernelResources &record : reading->records)
      table.add(std::move(record));
    return llvm::Error::success();
  }

  /// An exit code: 0 when it went well.
  int compile(const std::vector<std::string> &sources, ResourceTable &table) {
    if (sources.empty())
      return 0;
    for (const std::string &source : sources)
      if (!llvm::sys::fs::exists(source))
        return fail("cannot read '" + source + "': No such file or directory");
    UnitOptions reading;
    reading.flags = Options.flags;
    reading.buildDirectory = Options.buildDirectory;
    reading.gpus = Named;
    std::vector<Unit> units = findUnits(sources, reading, Said);
    if (units.empty())
      return 2;
    std::optional<Toolkit> toolkit = findToolkit(Options.cudaPath);
    if (!toolkit)
      return fail(
          "no CUDA toolkit found, so sources cannot be compiled: set CUDA_PATH "
          "or --cuda-path, or name saved build output or a binary");
    std::vector<CompileRequest> requests;
    for (const Unit &unit : units) {
      for (const std::string &note : unit.command.notes)
        say("note", unit.name + ": " + note);
      std::set<ComputeCapability> capabilities;
      for (const GPU &gpu : unit.gpus)
        capabilities.insert(gpu.architecture.capability);
      for (ComputeCapability capability : capabilities)
        requests.push_back({&unit.command, capability});
    }
    CompileOptions compiling;
    compiling.jobs = Options.jobs;
    compiling.makePTX = devicePTX;
    ResourceCache cache(Options.cache ? ResourceCache::defaultFolder() : "");
    compiling.cache = &cache;
    // A line that is written over, so only where someone looks.
    bool watched = llvm::sys::Process::StandardErrIsDisplayed();
    if (watched)
      compiling.progress = [&](size_t done, size_t all, StringRef what) {
        Said.stream() << llvm::formatv("\r\x1b[K[{0}/{1}] nvcc {2}", done + 1,
                                       all, what);
        Said.stream().flush();
      };
    auto compiled = compileResources(requests, *toolkit, compiling);
    if (watched)
      Said.stream() << "\r\x1b[K";
    if (!compiled)
      return fail(llvm::toString(compiled.takeError()));
    for (CompiledResources &result : *compiled) {
      if (!result.error.empty())
        say("warning", result.error);
      for (const std::string &note : result.notes)
        say("note", note);
      for (KernelResources &record : result.records)
        table.add(std::move(record));
    }
    return 0;
  }

  //===-- Blocks per SM ---------------------------------------------------===//

  /// Nothing where the block size or a number is not known.
  std::optional<unsigned> blocksPerSM(const KernelResources &record,
                                      const GPU &gpu) const {
    unsigned threads = Options.threads;
    if (!threads)
      threads = record.maxThreadsPerBlock.value_or(0);
    if (!threads || threads > 1024 || !record.registers ||
        !record.staticShared ||
        gpu.architecture.capability != record.capability)
      return std::nullopt;
    Footprint footprint;
    footprint.threadsPerBlock = threads;
    footprint.registersPerThread = *record.registers;
    footprint.staticShared = *record.staticShared;
    footprint.dynamicShared = Options.dynamicShared;
    footprint.barriers = record.barriers.value_or(0);
    return occupancy(gpu.architecture, footprint).blocksPerSM;
  }

  //===-- Output ----------------------------------------------------------===//

  void printJSON(llvm::ArrayRef<const KernelResources *> records) {
    llvm::json::Array list;
    for (const KernelResources *record : records) {
      llvm::json::Value value = toJSON(*record);
      llvm::json::Object blocks;
      for (const GPU &gpu : Named)
        if (auto number = blocksPerSM(*record, gpu))
          blocks[gpu.name] = *number;
      if (!blocks.empty())
        (*value.getAsObject())["blocksPerSM"] = std::move(blocks);
      list.push_back(std::move(value));
    }
    Out << llvm::formatv("{0:2}", llvm::json::Value(std::move(list))) << '\n';
  }

  void printTable(llvm::ArrayRef<const KernelResources *> records) {
    std::vector<std::vector<std::string>> rows = {
        {"kernel", "target", "registers", "shared", "barriers", "stack",
         "spills"}};
    for (const GPU &gpu : Named)
      rows[0].push_back(gpu.name);
    bool anyOpen = false, anyUnknown = false, anyEstimated = false;
    for (const KernelResources *record : records) {
      anyOpen |= !record->final;
      anyEstimated |= record->estimated;
      std::string spills = "?";
      if (record->spillStores && record->spillLoads)
        spills =
            fmt::format("{}/{}", *record->spillStores, *record->spillLoads);
      std::vector<std::string> row = {demangledKernel(record->kernel),
                                      targetOf(*record),
                                      (record->estimated ? "~"
                                       : record->final   ? ""
                                                         : ">") +
                                          orUnknown(record->registers),
                                      orUnknown(record->staticShared),
                                      orUnknown(record->barriers),
                                      orUnknown(record->stack),
                                      spills};
      for (const GPU &gpu : Named) {
        bool other = gpu.architecture.capability != record->capability;
        auto blocks = blocksPerSM(*record, gpu);
        anyUnknown |= !blocks && !other;
        row.push_back(other ? "" : orUnknown(blocks));
      }
      rows.push_back(std::move(row));
    }
    std::vector<size_t> widths(rows[0].size());
    for (const auto &row : rows)
      for (auto [width, cell] : llvm::zip(widths, row))
        width = std::max(width, cell.size());
    // Templates make names of any length, and they come last anyway.
    widths[0] = std::min<size_t>(widths[0], 60);
    for (const auto &row : rows) {
      std::string line =
          fmt::format("{:<{}}  {:<{}}", row[0], widths[0], row[1], widths[1]);
      for (size_t i = 2; i != row.size(); ++i)
        line += fmt::format("  {:>{}}", row[i], widths[i]);
      Out << StringRef(line).rtrim() << '\n';
    }
    if (anyOpen)
      Out << "\n>: compiled with -rdc=true and not linked; linking can raise "
             "it\n";
    if (anyEstimated)
      Out << "\n~: an estimate: clang compiled the kernel, nvcc may use more "
             "or "
             "fewer\n";
    if (anyUnknown && !Options.threads)
      Out << "\nblocks per SM need a block size: --threads\n";
  }

  /// One line per number that has moved.
  int printDifference(llvm::ArrayRef<const KernelResources *> records,
                      const ResourceTable &before) {
    constexpr std::pair<const char *,
                        std::optional<unsigned> KernelResources::*>
        Numbers[] = {{"registers", &KernelResources::registers},
                     {"bytes of shared memory", &KernelResources::staticShared},
                     {"barriers", &KernelResources::barriers},
                     {"bytes of stack", &KernelResources::stack},
                     {"bytes of spill stores", &KernelResources::spillStores},
                     {"bytes of spill loads", &KernelResources::spillLoads}};
    bool any = false, fewer = false;
    std::set<const KernelResources *> met;
    for (const KernelResources *record : records) {
      std::string why, head = demangledKernel(record->kernel) + " on " +
                              targetOf(*record) + ": ";
      const KernelResources *old =
          before.find(record->kernel, record->capability, &why, record->file);
      if (!old) {
        any = true;
        Out << head << (StringRef(why).contains("differ") ? why : "new")
            << '\n';
        continue;
      }
      met.insert(old);
      for (auto [name, number] : Numbers)
        if (record->*number && old->*number &&
            record->*number != old->*number) {
          any = true;
          Out << head << *(old->*number) << " -> " << *(record->*number) << ' '
              << name << '\n';
        }
      for (const GPU &gpu : Named) {
        auto was = blocksPerSM(*old, gpu), is = blocksPerSM(*record, gpu);
        if (!was || !is || *was == *is)
          continue;
        fewer |= *is < *was;
        Out << head << *was << " -> " << *is << " blocks per SM on " << gpu.name
            << '\n';
      }
    }
    for (const KernelResources &old : before.records())
      if (isWanted(old.capability) && !met.count(&old)) {
        any = true;
        Out << demangledKernel(old.kernel) << " on " << targetOf(old)
            << ": gone\n";
      }
    if (!any)
      Out << "nothing has moved\n";
    return fewer ? 1 : 0;
  }

  const ResourcesOptions &Options;
  llvm::raw_ostream &Out;
  Remarks Said;
  std::vector<GPU> Named;
};

} // namespace

int coreside::runResources(const ResourcesOptions &options,
                           llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  return Resources(options, out, errors).run();
}
