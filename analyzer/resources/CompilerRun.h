// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs compilers so that nothing of them stays behind.
//
// In:   {"nvcc", "-cubin", "a.cu"}, the folder to run it in
// Out:  exit status 0 and all that it printed
//
// All files of a run, the compilers' own temporary ones included, are in one
// private folder that goes when the run ends: also on Ctrl-C, on SIGTERM and
// on a closed terminal. Each compiler leads a process group of its own, so that
// what it has started is ended with it.

#ifndef CORESIDE_RESOURCES_COMPILERRUN_H
#define CORESIDE_RESOURCES_COMPILERRUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>

namespace coreside {

/// Ends the compilers of runs from another thread. It outlives these.
class CompilerStop {
public:
  /// Those that run are ended, others are not begun.
  void stop();
  bool stopped() const { return Stopped; }

private:
  friend class CompilerRun;
  /// Whether `process` may run on.
  bool enter(int process);
  void leave(int process);

  std::mutex Use;
  std::atomic<bool> Stopped = false;
  std::set<int> Processes;
};

/// A private folder and the environment for what runs with it. Several may
/// exist at once, in several threads.
class CompilerRun {
public:
  /// Error: no temporary folder can be made. `stop` may be null.
  static llvm::Expected<CompilerRun> start(CompilerStop *stop = nullptr);

  CompilerRun(CompilerRun &&other) noexcept;
  CompilerRun &operator=(CompilerRun &&) = delete;
  /// Removes the folder; when a signal came meanwhile, lets it take its course.
  ~CompilerRun();

  /// A path in the folder that nothing else uses.
  std::string path(llvm::StringRef name) const;

  struct Outcome {
    /// The exit status; -1 when there was nothing to run, -2 when a signal
    /// ended it.
    int status = -1;
    /// Standard output and standard error as they came.
    std::string output;
  };

  /// Runs `command` in `directory`, without standard input, and waits for it.
  /// `name` is unique in this run. Flags that the environment adds to nvcc are
  /// left out, the temporary folder is this run's own. Any thread may call it.
  Outcome execute(llvm::ArrayRef<std::string> command,
                  llvm::StringRef directory, llvm::StringRef name) const;

  /// True once a signal has asked for the end: start nothing more.
  static bool interrupted();
  /// The same, or this run was stopped.
  bool isOver() const;

private:
  CompilerRun(std::string folder, CompilerStop *stop);
  std::string Folder;
  CompilerStop *Stop;
};

} // namespace coreside

#endif
