// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileResources.h"
#include "CompilerRun.h"
#include "KernelName.h"
#include "PtxasLog.h"
#include "device/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include <chrono>
#include <cstdlib>
#include <mutex>

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
  const ResourceCache *cache;
};

/// nvcc's command but for what it writes.
std::vector<std::string> commandFor(const CompileRequest &request,
                                    const Toolkit &toolkit, StringRef target) {
  const CompileCommand &command = *request.command;
  std::vector<std::string> words = {toolkit.nvcc};
  words.insert(words.end(), command.nvccArguments.begin(),
               command.nvccArguments.end());
  if (command.relocatable)
    words.push_back("-rdc=true");
  // Any suffix will do for a file that is compiled as CUDA.
  for (StringRef word : {"-x", "cu", "-cubin", "-Xptxas", "-v"})
    words.push_back(word.str());
  words.push_back(("-arch=" + target).str());
  words.push_back(command.file);
  return words;
}

/// Runs nvcc. The files that it read are in `suffix`.d afterwards.
CompilerRun::Outcome runCompiler(const Job &job, StringRef target,
                                 StringRef suffix) {
  std::string name = std::to_string(job.number) + suffix.str();
  std::vector<std::string> words = commandFor(job.request, job.toolkit, target);
  words.push_back("-o");
  words.push_back(job.run.path(name + ".cubin"));
  // nvcc's own -MD preprocesses once more, which takes a fifth of the time. The
  // host compiler lists what it reads as it goes. nvcc takes commas apart.
  std::string list = job.run.path(name + ".d");
  if (job.cache && list.find_first_of(", ") == std::string::npos) {
    words.push_back("-Xcompiler");
    words.push_back("-MD,-MT,x,-MF," + list);
  }
  return job.run.execute(words, job.request.command->directory, name);
}

/// All that decides what nvcc makes of the files that it reads, as one text.
std::string cacheKey(const CompileRequest &request, const Toolkit &toolkit) {
  std::string key;
  auto add = [&](StringRef part) { (key += part) += '\0'; };
  for (const std::string &word :
       commandFor(request, toolkit, smName(request.capability)))
    add(word);
  add(request.command->directory);
  for (const char *name : {"PATH", "CPATH", "C_INCLUDE_PATH",
                           "CPLUS_INCLUDE_PATH", "NVCC_CCBIN"}) {
    const char *value = std::getenv(name);
    add(value ? value : "");
  }
  // Another release in the same place.
  for (StringRef tool : {StringRef(toolkit.nvcc), StringRef(toolkit.ptxas)}) {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(tool, status))
      add(std::to_string(status.getSize()) + " " +
          std::to_string(
              status.getLastModificationTime().time_since_epoch().count()));
  }
  return key;
}

/// One line on why the compiler failed.
std::string describeFailure(const Job &job, const std::string &target,
                            const CompilerRun::Outcome &outcome,
                            bool anyRecords) {
  if (CompilerRun::interrupted())
    return "interrupted";
  if (outcome.status == -1)
    return "cannot run '" + job.toolkit.nvcc + "' in '" +
           job.request.command->directory + "'";
  std::string version = "nvcc " + std::to_string(job.toolkit.majorVersion) +
                        "." + std::to_string(job.toolkit.minorVersion);
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

CompiledResources compile(const Job &job) {
  const CompileCommand &command = *job.request.command;
  CompiledResources result;
  result.file = command.file;
  result.capability = job.request.capability;
  std::string target = smName(result.capability);

  auto began = std::chrono::system_clock::now();
  StringRef suffix = "";
  CompilerRun::Outcome outcome = runCompiler(job, target, suffix);
  // Instructions of one generation only, such as wgmma, need its own target.
  if (outcome.status != 0 && result.capability.major >= 9 &&
      StringRef(outcome.output).contains("not supported on .target") &&
      !CompilerRun::interrupted()) {
    CompilerRun::Outcome again = runCompiler(job, target + "a", "a");
    if (again.status == 0) {
      target += "a";
      suffix = "a";
      outcome = std::move(again);
    }
  }

  std::string source = "nvcc -arch=" + target;
  LogOptions options;
  options.relocatable = command.relocatable;
  options.linkedFor = result.capability;
  LogReading reading =
      readPtxasLog(llvm::MemoryBufferRef(outcome.output, source), options);
  result.records = std::move(reading.records);
  result.notes = std::move(reading.notes);
  for (KernelResources &record : result.records) {
    record.file = command.file;
    record.source = source;
  }
  if (outcome.status != 0)
    result.error =
        describeFailure(job, target, outcome, !result.records.empty());
  // Some failures have causes that no file shows; those of ptxas come again.
  bool lasting = outcome.status == 0 || !result.records.empty();
  if (job.cache && lasting && !CompilerRun::interrupted()) {
    std::string list =
        job.run.path(std::to_string(job.number) + suffix.str() + ".d");
    if (auto text = llvm::MemoryBuffer::getFile(list))
      job.cache->store(
          cacheKey(job.request, job.toolkit),
          readDependencies((*text)->getBuffer(), command.directory), began,
          {result.records, result.notes, result.error});
  }
  return result;
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

llvm::Expected<std::vector<CompiledResources>>
compileResources(llvm::ArrayRef<CompileRequest> requests,
                 const Toolkit &toolkit, const CompileOptions &options) {
  if (toolkit.nvcc.empty())
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
    if (!found) {
      unknown.push_back(i);
      continue;
    }
    results[i] = {request.command->file, request.capability,
                  std::move(found->records), std::move(found->error),
                  std::move(found->notes)};
  }
  if (unknown.empty())
    return results;

  llvm::Expected<CompilerRun> run = CompilerRun::start();
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
      results[i] = compile({requests[i], toolkit, *run, i, options.cache});
    });
  pool.wait();
  if (options.cache && !CompilerRun::interrupted())
    options.cache->prune();
  return results;
}

} // namespace coreside
