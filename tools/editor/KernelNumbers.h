// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of open files take, asked of nvcc in the background.
//
// In:   a file that was read
// Out:  its numbers if they are known; else those from before, marked stale,
//       and a call when the new ones are there
//
// A change that is likely one of device code is compiled while the file is
// still read. One file is compiled at a time, for all its architectures side by
// side, the one that was asked for last first. A file that changes again ends
// its run. The last few states of each file are kept: what is undone is known
// at once.

#ifndef CORESIDE_EDITOR_KERNELNUMBERS_H
#define CORESIDE_EDITOR_KERNELNUMBERS_H

#include "CheckedFile.h"
#include "checking/UnitResources.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace llvm {
class thread;
}

namespace coreside {

class KernelNumbers {
public:
  /// `arrived` is called with the path of a file whose numbers are there, from
  /// the thread that found them; `working` before a compiler runs, with what it
  /// compiles, and when all have ended, with nothing.
  KernelNumbers(UnitOptions reading, UnitResourceOptions resources,
                std::function<void(const std::string &path)> arrived,
                std::function<void(llvm::StringRef what)> working);
  /// Ends what runs.
  ~KernelNumbers();

  struct Answer {
    NumbersState state = NumbersState::None;
    /// One for each unit, or none.
    std::vector<ResourceTable> tables;
    /// Why there are none for the file as it is; empty while they are on their
    /// way.
    std::string problem;
  };
  /// Never waits for a compiler.
  Answer ask(std::shared_ptr<const ReadFile> file);

  /// Begins to compile a file that has changed, likely in device code, before
  /// it has been read: `file` is as it was read last, with its documents as
  /// they are now. What comes of it counts if `ask` then asks for it.
  void anticipate(std::shared_ptr<const ReadFile> file);

  /// `path` is about to change so that its numbers do: a run for it is of no
  /// use.
  void drop(const std::string &path);
  /// The file is closed.
  void forget(const std::string &path);

private:
  struct Result {
    std::string key;
    std::vector<ResourceTable> tables;
    std::string problem;
  };
  struct OfFile {
    /// The newest first.
    std::deque<Result> results;
    /// To be compiled.
    std::shared_ptr<const ReadFile> wanted;
    /// What was anticipated and is done, and what came of it.
    std::shared_ptr<const ReadFile> early;
    Result earlyResult;
  };
  void work();
  void want(OfFile &known, std::shared_ptr<const ReadFile> file);
  Result compile(const ReadFile &file, CompilerStop &stop) const;
  static void keep(OfFile &file, Result result);

  UnitOptions Reading;
  UnitResourceOptions Resources;
  std::function<void(const std::string &)> Arrived;
  std::function<void(llvm::StringRef)> Working;

  std::mutex Use;
  std::condition_variable Changed;
  bool Ending = false;
  std::map<std::string, OfFile> Files;
  /// Paths to compile, the newest last.
  std::vector<std::string> Queue;
  /// What is being compiled, and under which key: none where it was
  /// anticipated.
  std::shared_ptr<const ReadFile> Running;
  std::string RunningKey;
  std::shared_ptr<CompilerStop> Stop;
  std::unique_ptr<llvm::thread> Worker;
};

} // namespace coreside

#endif
