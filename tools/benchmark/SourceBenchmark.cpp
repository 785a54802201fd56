// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reading a source costs beside `clang -fsyntax-only` of the same file
// with the same flags. Asked, of CPU time: a single file 0.65 times as much,
// every further file of a run 0.25, the same file again after an edit 0.2; of
// memory 1.2 times.
//
//   source-benchmark build/bin/coreside a.cu b.cu -- -arch=sm_90 -Iinclude
//
// Prints a row for each file and the medians. Each number is the median of
// five; the files of the row are measured one after the other, so that what
// else the machine does weighs on all columns alike.

#include "program/ReadProgram.h"
#include "source/CompileCommand.h"
#include "source/Parse.h"
#include "source/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace coreside;

namespace {

constexpr unsigned rounds = 5;

double seconds(const rusage &usage) {
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
         1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct Cost {
  /// CPU seconds.
  double time = 0;
  /// MiB.
  double memory = 0;
};

/// Runs a program to its end, its output thrown away.
Cost run(const std::vector<std::string> &words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    for (int stream : {0, 1, 2})
      dup2(nothing, stream);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {seconds(usage), usage.ru_maxrss / 1024.0};
}

double now() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return seconds(usage);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The file with one more line each time it is read, as an editor has it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> edited(const std::string &file,
                                                       unsigned times) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto buffer = llvm::MemoryBuffer::getFile(file);
  std::string text = buffer ? (*buffer)->getBuffer().str() : "";
  for (unsigned i = 0; i != times; ++i)
    text += "\n// edit";
  memory->addFile(file, times, llvm::MemoryBuffer::getMemBufferCopy(text));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

double timeOf(const CompileCommand &command, const ReadOptions &options) {
  double before = now();
  llvm::consumeError(readProgram(command, options).takeError());
  return now() - before;
}

struct Row {
  double clang, cold, further, again, memory;
};

Row measure(const std::string &tool, const std::string &file,
            const std::vector<std::string> &flags) {
  CompileCommand command =
      CompileCommands::fromFlags(flags).commandsFor(file).front();
  ReadOptions options;
  options.parse.toolkit = findToolkit();

  std::vector<std::string> clang = {CORESIDE_CLANG};
  std::vector<std::string> words = clangCommandLine(command, options.parse);
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-include" &&
        llvm::StringRef(words[i + 1]).starts_with("/coreside-headers"))
      ++i;
    else
      clang.push_back(words[i]);
  }
  std::vector<std::string> ours = {
      tool, "check", file, "-j", "1", "--gpu=h100", "--dump=program", "--"};
  llvm::append_range(ours, flags);

  Preambles ofFlags(Preambles::Kind::OfFlags), ofFile(Preambles::Kind::OfFile);
  ReadOptions further = options, again = options;
  further.parse.preambles = &ofFlags;
  for (unsigned i = 0; i != rounds; ++i)
    ofFlags.announce(preambleKey(command, further.parse), command.file);
  timeOf(command, further);
  again.parse.preambles = &ofFile;
  again.parse.files = edited(command.file, 0);
  timeOf(command, again);

  std::vector<double> times[4], memory[2];
  for (unsigned i = 0; i != rounds; ++i) {
    Cost theirs = run(clang), single = run(ours);
    times[0].push_back(theirs.time);
    times[1].push_back(single.time);
    memory[0].push_back(theirs.memory);
    memory[1].push_back(single.memory);
    times[2].push_back(timeOf(command, further));
    again.parse.files = edited(command.file, i + 1);
    times[3].push_back(timeOf(command, again));
  }
  double base = median(times[0]);
  return {base, median(times[1]) / base, median(times[2]) / base,
          median(times[3]) / base, median(memory[1]) / median(memory[0])};
}

void print(llvm::StringRef name, const Row &row) {
  llvm::outs() << "| " << name
               << llvm::format(
                      " | %.2f s | %.2f x | %.2f x | %.2f x | %.2f x |\n",
                      row.clang, row.cold, row.further, row.again, row.memory);
  llvm::outs().flush();
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc), flags;
  auto dashes = llvm::find(words, "--");
  if (dashes != words.end())
    flags.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
  if (words.size() < 2) {
    llvm::errs() << "usage: source-benchmark CORESIDE FILE.cu... [-- flags]\n";
    return 2;
  }
  llvm::outs() << "| file | clang -fsyntax-only | single file | further file | "
                  "after an edit | memory |\n|---|---|---|---|---|---|\n";
  std::vector<Row> rows;
  for (const std::string &file : llvm::drop_begin(words)) {
    rows.push_back(measure(words.front(), file, flags));
    print(llvm::sys::path::filename(file), rows.back());
  }
  auto middle = [&](double Row::*column) {
    std::vector<double> values;
    for (const Row &row : rows)
      values.push_back(row.*column);
    return median(values);
  };
  print("median",
        {middle(&Row::clang), middle(&Row::cold), middle(&Row::further),
         middle(&Row::again), middle(&Row::memory)});
}
