// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileResources.h"
#include "KernelName.h"
#include "PTXEntries.h"
#include "PtxasLog.h"
#include "device/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>

using llvm::StringRef;

namespace coreside {

namespace {

/// A word such as "error", followed by blanks, perhaps a number, and a colon.
bool saysError(StringRef line) {
  for (StringRef word : {"error", "fatal"})
    for (size_t at = line.find(word); at != StringRef::npos;
         at = line.find(word, at + 1)) {
      if (at && llvm::isAlnum(line[at - 1]))
        continue;
      // cudafe++ numbers its errors: "error #20: ...".
      StringRef rest = line.substr(at + word.size()).ltrim(' ');
      if (rest.consume_front("#"))
        rest = rest.drop_while([](char c) { return c != ':' && c != ' '; });
      if (rest.ltrim(' ').starts_with(":"))
        return true;
    }
  return false;
}

/// The tool and the cause: nvcc's temporary files mean nothing to anyone.
std::string withoutTemporaryName(StringRef line) {
  if (line.starts_with("ptxas "))
    if (StringRef cause = line.split("; error   : ").second; !cause.empty())
      return ("ptxas: " + cause).str();
  for (StringRef tool : {"ptxas", "nvcc", "nvlink"})
    if (line.starts_with(tool))
      if (size_t colon = line.find(" : "); colon != StringRef::npos)
        return (tool + ": " + line.substr(colon + 3)).str();
  return line.str();
}

/// Mangled names in quotes, as they stand in the source.
std::string withSourceNames(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [before, rest] = text.split("'_Z");
    result += before;
    if (rest.empty())
      break;
    auto [name, after] = rest.split('\'');
    result += "'" + demangledKernel(("_Z" + name).str()) + "'";
    text = after;
  }
  return result;
}

struct Job {
  const CompileRequest &request;
  const Toolkit &toolkit;
  const CompilerRun &run;
  size_t number;
  const CompileOptions &options;

  const ResourceCache *cache() const { return options.cache; }
  /// Another compiler stands in for nvcc.
  bool estimates() const { return toolkit.nvcc.empty(); }
  std::string tool() const { return estimates() ? "clang and ptxas" : "nvcc"; }
};

/// nvcc with the file's own flags.
std::vector<std::string> flagsFor(const CompileRequest &request,
                                  const Toolkit &toolkit) {
  const CompileCommand &command = *request.command;
  std::vector<std::string> words = {toolkit.nvcc.empty() ? "clang"
                                                         : toolkit.nvcc};
  words.insert(words.end(), command.nvccArguments.begin(),
               command.nvccArguments.end());
  if (command.relocatable)
    words.push_back("-rdc=true");
  return words;
}

/// nvcc's command up to PTX, but for what it writes.
std::vector<std::string> frontEnd(const CompileRequest &request,
                                  const Toolkit &toolkit, StringRef target) {
  std::vector<std::string> words = flagsFor(request, toolkit);
  // Any suffix will do for a file that is compiled as CUDA.
  for (StringRef word : {"-x", "cu", "-ptx"})
    words.push_back(word.str());
  words.push_back(("-arch=" + target).str());
  words.push_back(request.command->file);
  return words;
}

/// ptxas's command where there is no nvcc to make it.
std::vector<std::string> ptxasAlone(const CompileRequest &request,
                                    const Toolkit &toolkit, StringRef target) {
  const CompileCommand &command = *request.command;
  std::vector<std::string> words = {toolkit.ptxas, "-v",
                                    ("-arch=" + target).str()};
  if (command.relocatable)
    words.push_back("--compile-only");
  for (StringRef word : command.nvccArguments)
    if (word.starts_with("-maxrregcount=") || word.consume_front("-Xptxas="))
      words.push_back(word.str());
  return words;
}

/// nvcc's command from PTX on, but for what it reads and writes. nvcc gives
/// ptxas the same options as on the whole way.
std::vector<std::string> backEnd(const CompileRequest &request,
                                 const Toolkit &toolkit, StringRef target) {
  if (toolkit.nvcc.empty())
    return ptxasAlone(request, toolkit, target);
  std::vector<std::string> words = flagsFor(request, toolkit);
  for (StringRef word : {"-cubin", "-Xptxas", "-v"})
    words.push_back(word.str());
  words.push_back(("-arch=" + target).str());
  return words;
}

/// Runs nvcc up to PTX, which is in `name`.ptx afterwards; the files that it
/// read are in `name`.d.
CompilerRun::Outcome runFrontEnd(const Job &job, StringRef target,
                                 const std::string &name) {
  std::vector<std::string> words = frontEnd(job.request, job.toolkit, target);
  words.push_back("-o");
  words.push_back(job.run.path(name + ".ptx"));
  // nvcc's own -MD preprocesses once more, which takes a fifth of the time. The
  // host compiler lists what it reads as it goes. nvcc takes commas apart.
  std::string list = job.run.path(name + ".d");
  if (job.cache() && list.find_first_of(", ") == std::string::npos) {
    words.push_back("-Xcompiler");
    words.push_back("-MD,-MT,x,-MF," + list);
  }
  return job.run.execute(words, job.request.command->directory, name);
}

/// A release of the toolkit, as text: another one may lie in the same place.
std::string versionKey(const Toolkit &toolkit) {
  std::string key;
  for (StringRef tool : {StringRef(toolkit.nvcc), StringRef(toolkit.ptxas)}) {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(tool, status))
      key += std::to_string(status.getSize()) + " " +
             std::to_string(
                 status.getLastModificationTime().time_since_epoch().count()) +
             '\0';
  }
  return key;
}

/// All that decides what nvcc makes of the files that it reads, as one text.
std::string cacheKey(const CompileRequest &request, const Toolkit &toolkit) {
  std::string key;
  auto add = [&](StringRef part) { (key += part) += '\0'; };
  for (const std::string &word :
       frontEnd(request, toolkit, smName(request.capability)))
    add(word);
  add(request.command->directory);
  for (const char *name : {"PATH", "CPATH", "C_INCLUDE_PATH",
                           "CPLUS_INCLUDE_PATH", "NVCC_CCBIN"}) {
    const char *value = std::getenv(name);
    add(value ? value : "");
  }
  return key + versionKey(toolkit);
}

/// The same for all files with this device code in this place; empty where that
/// is not told.
std::string deviceKey(const CompileRequest &request, const Toolkit &toolkit) {
  if (request.deviceWord.empty())
    return {};
  std::string key = "device";
  key += '\0';
  key += request.deviceWord;
  key += '\0';
  return key + cacheKey(request, toolkit);
}

/// All that decides what ptxas makes of `ptx`, as one text.
std::string ptxKey(const Job &job, StringRef target, StringRef ptx) {
  std::string key = "ptx";
  key += '\0';
  for (const std::string &word : backEnd(job.request, job.toolkit, target))
    (key += word) += '\0';
  return key + versionKey(job.toolkit) + ptxWithoutPlaces(ptx);
}

/// One line on why the compiler failed.
std::string describeFailure(const Job &job, const std::string &target,
                            const CompilerRun::Outcome &outcome,
                            bool anyRecords) {
  if (job.run.isOver())
    return "interrupted";
  if (outcome.status == -1)
    return "cannot run '" +
           (job.estimates() ? job.toolkit.ptxas : job.toolkit.nvcc) + "' in '" +
           job.request.command->directory + "'";
  std::string version = job.tool() + " " +
                        std::to_string(job.toolkit.majorVersion) + "." +
                        std::to_string(job.toolkit.minorVersion);
  std::string cause = firstError(outcome.output);
  if (StringRef(cause).contains("Unsupported gpu architecture") ||
      StringRef(cause).contains("is not defined for option "
                                "'gpu-architecture'")) {
    std::string gpu;
    if (const GPU *product = representativeGPU(job.request.capability))
      gpu = " (" + product->name + ")";
    return version + " cannot compile for " + target + gpu +
           ": another toolkit can, or numbers from --ptxas-log";
  }
  std::string failed =
      version + " failed on '" +
      llvm::sys::path::filename(job.request.command->file).str() + "' for " +
      target;
  if (!cause.empty())
    return failed + ": " + cause +
           (anyRecords ? "; the other kernels count" : "");
  return failed + " and gave no reason (" +
         (outcome.status < 0
              ? std::string("ended by a signal")
              : "exit status " + std::to_string(outcome.status)) +
         ")";
}

/// What a compiler said of kernels.
LogReading readOutput(const Job &job, const std::string &target,
                      StringRef output) {
  LogOptions options;
  options.relocatable = job.request.command->relocatable;
  options.linkedFor = job.request.capability;
  std::string source = job.tool() + " -arch=" + target;
  LogReading reading =
      readPtxasLog(llvm::MemoryBufferRef(output, source), options);
  for (KernelResources &record : reading.records) {
    record.source = source;
    record.file = job.request.command->file;
    record.estimated = job.estimates();
  }
  return reading;
}

/// What ptxas makes of one PTX file.
class Assembler {
public:
  Assembler(const Job &job, std::string target, const std::string &name,
            StringRef ptx)
      : J(job), Target(std::move(target)), Name(name), PTX(ptx) {}

  /// All kernels in one go; after an error, those that it is not about.
  CachedResult run() {
    CompilerRun::Outcome first = assemble({});
    First = std::move(first);
    if (First.status != 0 && !First.output.empty() && !isWrongTarget())
      runOthers();
    if (First.status != 0)
      Result.error = describeFailure(J, Target, First, !Result.records.empty());
    return std::move(Result);
  }

  /// Instructions of one generation only, such as wgmma, need its own target.
  bool isWrongTarget() const {
    return First.status != 0 && J.request.capability.major >= 9 &&
           !StringRef(Target).ends_with("a") &&
           StringRef(First.output).contains("not supported on .target");
  }

private:
  /// The most runs of ptxas for a file that it does not compile as a whole.
  static constexpr unsigned MostRuns = 24;

  CompilerRun::Outcome assemble(const llvm::StringSet<> &dropped) {
    std::string name = Name + "-" + std::to_string(Runs++);
    std::string path = J.run.path(name + ".ptx");
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << (dropped.empty() ? PTX.str() : withoutEntries(PTX, dropped));
    file.close();
    std::vector<std::string> words = backEnd(J.request, J.toolkit, Target);
    for (const std::string &word :
         {path, std::string("-o"), J.run.path(name + ".cubin")})
      words.push_back(word);
    CompilerRun::Outcome outcome =
        J.run.execute(words, J.request.command->directory, name);
    take(outcome.output);
    return outcome;
  }

  /// Keeps what was not known. Another run may print a kernel again.
  void take(StringRef output) {
    LogReading reading = readOutput(J, Target, output);
    for (KernelResources &record : reading.records)
      if (Known.insert(record.kernel).second)
        Result.records.push_back(std::move(record));
    for (std::string &note : reading.notes)
      Result.notes.push_back(std::move(note));
  }

  /// Compiles what an error kept from being compiled: without the kernels that
  /// it names or, where it names none, by halves.
  void runOthers() {
    llvm::StringSet<> missing;
    for (const PTXEntry &entry : ptxEntries(PTX))
      if (!Known.contains(entry.name))
        missing.insert(entry.name);
    for (const auto &name : entriesWithErrors(PTX, First.output))
      missing.erase(name.getKey());
    std::vector<std::string> names;
    for (const PTXEntry &entry : ptxEntries(PTX))
      if (missing.contains(entry.name))
        names.push_back(entry.name.str());
    if (!names.empty())
      runOnly(names);
  }

  void runOnly(llvm::ArrayRef<std::string> names) {
    if (Runs >= MostRuns || J.run.isOver())
      return;
    llvm::StringSet<> dropped;
    for (const PTXEntry &entry : ptxEntries(PTX))
      if (!llvm::is_contained(names, entry.name))
        dropped.insert(entry.name);
    CompilerRun::Outcome outcome = assemble(dropped);
    if (outcome.status == 0)
      return;
    llvm::StringSet<> refused =
        entriesWithErrors(withoutEntries(PTX, dropped), outcome.output);
    std::vector<std::string> others;
    for (const std::string &name : names)
      if (!refused.contains(name) && !Known.contains(name))
        others.push_back(name);
    if (others.empty())
      return;
    if (others.size() < names.size())
      return runOnly(others);
    if (others.size() == 1)
      return;
    llvm::ArrayRef<std::string> all = others;
    runOnly(all.take_front(all.size() / 2));
    runOnly(all.drop_front(all.size() / 2));
  }

  const Job &J;
  std::string Target;
  const std::string &Name;
  StringRef PTX;
  CompilerRun::Outcome First;
  CachedResult Result;
  llvm::StringSet<> Known;
  unsigned Runs = 0;
};

/// Some failures have causes that no file shows; those of ptxas come again.
bool isLasting(const Job &job, const CachedResult &result) {
  return !job.run.isOver() && (result.error.empty() || !result.records.empty());
}

/// What ptxas makes of another compiler's PTX.
CachedResult estimateFor(const Job &job, const std::string &target,
                         const std::string &name) {
  llvm::Expected<std::string> ptx = job.options.makePTX(
      *job.request.command, job.toolkit, job.request.capability);
  CachedResult failed;
  if (ptx)
    return Assembler(job, target, name, *ptx).run();
  failed.error = llvm::toString(ptx.takeError());
  return failed;
}

/// What nvcc makes of the file for `target` in one go; nothing where it fails.
std::optional<CachedResult> compileWhole(const Job &job,
                                         const std::string &target,
                                         const std::string &name) {
  std::vector<std::string> words = frontEnd(job.request, job.toolkit, target);
  std::replace(words.begin(), words.end(), std::string("-ptx"),
               std::string("-cubin"));
  for (const std::string &word :
       {std::string("-Xptxas"), std::string("-v"), std::string("-o"),
        job.run.path(name + ".cubin")})
    words.push_back(word);
  CompilerRun::Outcome outcome =
      job.run.execute(words, job.request.command->directory, name);
  if (outcome.status != 0)
    return std::nullopt;
  LogReading reading = readOutput(job, target, outcome.output);
  CachedResult result;
  result.records = std::move(reading.records);
  result.notes = std::move(reading.notes);
  return result;
}

/// What nvcc makes of the file for `target`, by way of PTX.
CachedResult compileFor(const Job &job, const std::string &target,
                        const std::string &name, bool &wrongTarget) {
  if (job.estimates())
    return estimateFor(job, target, name);
  // A quote in a file's name is not escaped at all.
  StringRef file = job.request.command->file;
  if (!isSafeForNvcc(file) || file.contains('"')) {
    CachedResult failed;
    failed.error = "'" + llvm::sys::path::filename(file).str() +
                   "' is not given to nvcc: a shell would run a part of its "
                   "name";
    return failed;
  }
  if (job.options.inOneStep)
    if (std::optional<CachedResult> result = compileWhole(job, target, name))
      return std::move(*result);
  CompilerRun::Outcome front = runFrontEnd(job, target, name);
  // PTX is also there when nvcc's check of it fails.
  auto ptx = llvm::MemoryBuffer::getFile(job.run.path(name + ".ptx"));
  if (!ptx || (*ptx)->getBufferSize() == 0) {
    CachedResult failed;
    failed.error = describeFailure(job, target, front, false);
    return failed;
  }
  std::string key;
  if (job.cache()) {
    key = ptxKey(job, target, (*ptx)->getBuffer());
    if (std::optional<CachedResult> known = job.cache()->find(key)) {
      for (KernelResources &record : known->records)
        record.file = job.request.command->file;
      return std::move(*known);
    }
  }
  Assembler assembler(job, target, name, (*ptx)->getBuffer());
  CachedResult result = assembler.run();
  wrongTarget = assembler.isWrongTarget();
  if (job.cache() && isLasting(job, result) && !wrongTarget)
    job.cache()->store(key, result);
  return result;
}

/// Keeps what came of `files`, for them and for the file's device code.
void keep(const Job &job, std::vector<std::string> files,
          llvm::sys::TimePoint<> began, const CachedResult &result) {
  job.cache()->store(cacheKey(job.request, job.toolkit), files, began, result);
  std::string key = deviceKey(job.request, job.toolkit);
  if (key.empty())
    return;
  // What the file has by way of the word is all that counts of it.
  llvm::erase(files, job.request.command->file);
  job.cache()->store(key, files, began, result);
}

CompiledResources compile(const Job &job) {
  const CompileCommand &command = *job.request.command;
  std::string target = smName(job.request.capability);
  std::string name = std::to_string(job.number);

  auto began = std::chrono::system_clock::now();
  bool wrongTarget = false;
  CachedResult result = compileFor(job, target, name, wrongTarget);
  if (wrongTarget && !job.run.isOver()) {
    bool stillWrong = false;
    CachedResult again = compileFor(job, target + "a", name + "a", stillWrong);
    if (again.error.empty()) {
      name += "a";
      result = std::move(again);
    }
  }
  if (job.cache() && isLasting(job, result))
    if (auto text = llvm::MemoryBuffer::getFile(job.run.path(name + ".d")))
      keep(job, readDependencies((*text)->getBuffer(), command.directory),
           began, result);
  return {command.file,
          job.request.capability,
          std::move(result.records),
          std::move(result.error),
          std::move(result.notes),
          false};
}

/// What the cache has for a request.
CompiledResources known(const CompileRequest &request, CachedResult found) {
  return {request.command->file,    request.capability,
          std::move(found.records), std::move(found.error),
          std::move(found.notes),   /*fromCache=*/true};
}

} // namespace

std::string firstError(StringRef output) {
  while (!output.empty()) {
    auto [line, rest] = output.split('\n');
    line = line.trim();
    if (saysError(line))
      return withSourceNames(withoutTemporaryName(line));
    output = rest;
  }
  return {};
}

std::optional<std::vector<CompiledResources>>
keptResources(llvm::ArrayRef<CompileRequest> requests, const Toolkit &toolkit,
              const ResourceCache &cache) {
  std::vector<CompiledResources> results;
  for (const CompileRequest &request : requests) {
    std::string key = deviceKey(request, toolkit);
    std::optional<CachedResult> found;
    if (!key.empty())
      found = cache.find(key);
    if (!found)
      return std::nullopt;
    results.push_back(known(request, std::move(*found)));
  }
  return results;
}

llvm::Expected<std::vector<CompiledResources>>
compileResources(llvm::ArrayRef<CompileRequest> requests,
                 const Toolkit &toolkit, const CompileOptions &options) {
  if (toolkit.nvcc.empty() && (toolkit.ptxas.empty() || !options.makePTX))
    return llvm::createStringError(
        "no nvcc in '" + toolkit.path +
        "': install the CUDA toolkit, or give saved build output with "
        "--ptxas-log");
  std::vector<CompiledResources> results(requests.size());
  // What the cache knows needs no folder and no threads.
  std::vector<size_t> unknown;
  for (auto [i, request] : llvm::enumerate(requests)) {
    std::optional<CachedResult> found;
    if (options.cache)
      found = options.cache->find(cacheKey(request, toolkit));
    if (std::string key = deviceKey(request, toolkit);
        options.cache && !found && !key.empty())
      found = options.cache->find(key);
    if (!found) {
      unknown.push_back(i);
      continue;
    }
    results[i] = known(request, std::move(*found));
  }
  if (unknown.empty())
    return results;

  llvm::Expected<CompilerRun> run = CompilerRun::start(options.stop);
  if (!run)
    return run.takeError();
  std::mutex progress;
  size_t started = 0;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  for (size_t i : unknown)
    pool.async([&, i] {
      if (options.progress) {
        std::lock_guard lock(progress);
        options.progress(
            started++, unknown.size(),
            llvm::sys::path::filename(requests[i].command->file).str() +
                " for " + smName(requests[i].capability));
      }
      results[i] = compile({requests[i], toolkit, *run, i, options});
    });
  pool.wait();
  if (options.cache && !run->isOver())
    options.cache->prune();
  return results;
}

} // namespace coreside
