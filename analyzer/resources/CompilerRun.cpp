// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompilerRun.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using llvm::StringRef;

namespace coreside {

namespace {

constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler may touch: lock-free atomics only.
std::atomic<int> Caught = 0;
std::atomic<pid_t> Running[256];

std::mutex Guard;
unsigned Runs = 0;
struct sigaction Before[std::size(Signals)];

void endCompilers(int signal) {
  Caught = signal;
  for (auto &process : Running)
    if (pid_t id = process.load())
      kill(-id, SIGTERM);
}

void watchSignals() {
  std::lock_guard lock(Guard);
  if (Runs++)
    return;
  Caught = 0;
  struct sigaction action = {};
  action.sa_handler = endCompilers;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i != std::size(Signals); ++i) {
    sigaction(Signals[i], nullptr, &Before[i]);
    // nohup and shells ignore some on purpose.
    if (Before[i].sa_handler != SIG_IGN)
      sigaction(Signals[i], &action, nullptr);
  }
}

void unwatchSignals() {
  std::lock_guard lock(Guard);
  if (--Runs)
    return;
  for (size_t i = 0; i != std::size(Signals); ++i)
    sigaction(Signals[i], &Before[i], nullptr);
  if (int signal = Caught.exchange(0))
    raise(signal);
}

} // namespace

void CompilerStop::stop() {
  std::lock_guard lock(Use);
  Stopped = true;
  for (int process : Processes)
    kill(-process, SIGTERM);
}

bool CompilerStop::enter(int process) {
  std::lock_guard lock(Use);
  Processes.insert(process);
  return !Stopped;
}

void CompilerStop::leave(int process) {
  std::lock_guard lock(Use);
  Processes.erase(process);
}

llvm::Expected<CompilerRun> CompilerRun::start(CompilerStop *stop) {
  watchSignals();
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("coreside", folder)) {
    unwatchSignals();
    return llvm::createStringError(
        "cannot make a temporary folder: " + error.message() + "; set TMPDIR");
  }
  return CompilerRun(std::string(folder), stop);
}

CompilerRun::CompilerRun(std::string folder, CompilerStop *stop)
    : Folder(std::move(folder)), Stop(stop) {}

CompilerRun::CompilerRun(CompilerRun &&other) noexcept
    : Folder(std::move(other.Folder)), Stop(other.Stop) {
  other.Folder.clear();
}

CompilerRun::~CompilerRun() {
  if (Folder.empty())
    return;
  llvm::sys::fs::remove_directories(Folder);
  unwatchSignals();
}

std::string CompilerRun::path(StringRef name) const {
  llvm::SmallString<128> path(Folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

bool CompilerRun::interrupted() { return Caught != 0; }

bool CompilerRun::isOver() const {
  return interrupted() || (Stop && Stop->stopped());
}

CompilerRun::Outcome CompilerRun::execute(llvm::ArrayRef<std::string> command,
                                          StringRef directory,
                                          StringRef name) const {
  Outcome outcome;
  if (isOver())
    return outcome;
  std::string log = path((name + ".log").str());
  std::string temporary = "TMPDIR=" + Folder;

  std::vector<StringRef> environment;
  for (char **variable = environ; *variable; ++variable) {
    StringRef text(*variable);
    if (!text.starts_with("NVCC_PREPEND_FLAGS=") &&
        !text.starts_with("NVCC_APPEND_FLAGS=") && !text.starts_with("TMPDIR="))
      environment.push_back(text);
  }
  environment.push_back(temporary);

  // LLVM cannot set the folder; the shell can, and leaves its place to the
  // compiler.
  std::vector<StringRef> arguments = {"/bin/sh", "-c",
                                      "cd -- \"$0\" && exec \"$@\"", directory};
  arguments.insert(arguments.end(), command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  bool failed = false;
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      "/bin/sh", arguments, llvm::ArrayRef(environment), redirects,
      /*MemoryLimit=*/0, &outcome.output, &failed, /*AffinityMask=*/nullptr,
      /*DetachProcess=*/true);
  if (failed || process.Pid == llvm::sys::ProcessInfo::InvalidPid)
    return outcome;

  std::atomic<pid_t> *place = nullptr;
  for (auto &slot : Running) {
    pid_t none = 0;
    if (slot.compare_exchange_strong(none, process.Pid)) {
      place = &slot;
      break;
    }
  }
  // The signal may have come between the two.
  if ((Stop && !Stop->enter(process.Pid)) || interrupted())
    kill(-process.Pid, SIGTERM);
  if (Stop) {
    // Until it is waited for its number is nobody else's.
    siginfo_t ended;
    while (waitid(P_PID, process.Pid, &ended, WEXITED | WNOWAIT) == -1 &&
           errno == EINTR)
      ;
    Stop->leave(process.Pid);
  }
  llvm::sys::ProcessInfo ended =
      llvm::sys::Wait(process, std::nullopt, &outcome.output);
  if (place)
    *place = 0;
  outcome.status = ended.ReturnCode;
  if (auto text = llvm::MemoryBuffer::getFile(log))
    outcome.output = (*text)->getBuffer().str();
  llvm::sys::fs::remove(log);
  return outcome;
}

} // namespace coreside
