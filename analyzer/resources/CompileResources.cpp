// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileResources.h"
#include "CompilerRun.h"
#include "KernelName.h"
#include "PtxasLog.h"
#include "device/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

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
};

CompilerRun::Outcome runCompiler(const Job &job, StringRef target,
                                 StringRef suffix) {
  const CompileCommand &command = *job.request.command;
  std::string name = std::to_string(job.number) + suffix.str();
  std::vector<std::string> words = {job.toolkit.nvcc};
  words.insert(words.end(), command.nvccArguments.begin(),
               command.nvccArguments.end());
  if (command.relocatable)
    words.push_back("-rdc=true");
  // Any suffix will do for a file that is compiled as CUDA.
  for (StringRef word : {"-x", "cu", "-cubin", "-Xptxas", "-v", "-o"})
    words.push_back(word.str());
  words.push_back(job.run.path(name + ".cubin"));
  words.push_back(("-arch=" + target).str());
  words.push_back(command.file);
  return job.run.execute(words, command.directory, name);
}

CompiledResources compile(const Job &job) {
  const CompileCommand &command = *job.request.command;
  CompiledResources result;
  result.file = command.file;
  result.capability = job.request.capability;
  std::string target = smName(result.capability);

  CompilerRun::Outcome outcome = runCompiler(job, target, "");
  // Instructions of one generation only, such as wgmma, need its own target.
  if (outcome.status != 0 && result.capability.major >= 9 &&
      StringRef(outcome.output).contains("not supported on .target") &&
      !CompilerRun::interrupted()) {
    CompilerRun::Outcome again = runCompiler(job, target + "a", "a");
    if (again.status == 0) {
      target += "a";
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
  if (outcome.status == 0)
    return result;

  std::string version = "nvcc " + std::to_string(job.toolkit.majorVersion) +
                        "." + std::to_string(job.toolkit.minorVersion);
  std::string cause = firstError(outcome.output);
  std::string name = llvm::sys::path::filename(command.file).str();
  if (CompilerRun::interrupted()) {
    result.error = "interrupted";
  } else if (StringRef(cause).contains("Unsupported gpu architecture") ||
             StringRef(cause).contains("is not defined for option "
                                       "'gpu-architecture'")) {
    std::string gpu;
    if (const GPU *product = representativeGPU(result.capability))
      gpu = " (" + product->name + ")";
    result.error = version + " cannot compile for " + target + gpu +
                   ": another toolkit can, or numbers from --ptxas-log";
  } else if (outcome.status == -1) {
    result.error =
        "cannot run '" + job.toolkit.nvcc + "' in '" + command.directory + "'";
  } else if (cause.empty()) {
    std::string status = outcome.status < 0
                             ? "ended by a signal"
                             : "exit status " + std::to_string(outcome.status);
    result.error = version + " failed on '" + name + "' for " + target +
                   " and gave no reason (" + status + ")";
  } else {
    result.error =
        version + " failed on '" + name + "' for " + target + ": " + cause;
    if (!result.records.empty())
      result.error += "; the other kernels count";
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
  llvm::Expected<CompilerRun> run = CompilerRun::start();
  if (!run)
    return run.takeError();

  std::vector<CompiledResources> results(requests.size());
  std::mutex progress;
  size_t started = 0;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  for (size_t i = 0; i != requests.size(); ++i)
    pool.async([&, i] {
      if (options.progress) {
        std::lock_guard lock(progress);
        options.progress(
            started++, requests.size(),
            llvm::sys::path::filename(requests[i].command->file).str() +
                " for " + smName(requests[i].capability));
      }
      results[i] = compile({requests[i], toolkit, *run, i});
    });
  pool.wait();
  return results;
}

} // namespace coreside
