// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChildProcess.h"

#include "llvm/Support/Errno.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace coreside;

llvm::Expected<std::unique_ptr<ChildProcess>>
ChildProcess::start(const std::string &program,
                    llvm::ArrayRef<std::string> arguments) {
  std::vector<char *> words{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);

  // The third tells whether exec succeeded: it closes then, else the cause
  // comes out of it.
  int in[2], out[2], failed[2];
  auto error = [&](llvm::StringRef what) {
    return llvm::createStringError(program + ": " + what.str() + ": " +
                                   llvm::sys::StrError());
  };
  if (pipe2(in, O_CLOEXEC))
    return error("no pipe");
  if (pipe2(out, O_CLOEXEC)) {
    llvm::Error none = error("no pipe");
    close(in[0]), close(in[1]);
    return none;
  }
  if (pipe2(failed, O_CLOEXEC)) {
    llvm::Error none = error("no pipe");
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    return none;
  }
  pid_t parent = getpid();
  pid_t id = fork();
  if (id == 0) {
    // Whatever becomes of us, it does not stay behind.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
      _exit(127);
    // dup2 clears the flag that closes it.
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    for (int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD})
      std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(program.c_str(), words.data());
    int cause = errno;
    (void)!write(failed[1], &cause, sizeof cause);
    _exit(127);
  }
  int forkError = errno;
  close(in[0]), close(out[1]), close(failed[1]);
  int cause = id < 0 ? forkError : 0;
  if (id > 0) {
    ssize_t got;
    do
      got = read(failed[0], &cause, sizeof cause);
    while (got < 0 && errno == EINTR);
    if (got != sizeof cause)
      cause = 0;
    else
      waitpid(id, nullptr, 0);
  }
  close(failed[0]);
  if (cause) {
    close(in[1]), close(out[0]);
    return llvm::createStringError(
        program + ": cannot be started: " + llvm::sys::StrError(cause));
  }
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ChildProcess>(new ChildProcess(id, in[1], out[0]));
}

ChildProcess::~ChildProcess() {
  if (!exitCode()) {
    kill(SIGKILL);
    int status;
    while (waitpid(Id, &status, 0) < 0 && errno == EINTR)
      ;
  }
  close(Output);
}

std::optional<int> ChildProcess::exitCode() {
  int status;
  if (!ExitCode && waitpid(Id, &status, WNOHANG) == Id)
    ExitCode =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return ExitCode;
}

void ChildProcess::kill(int signal) {
  if (!exitCode())
    ::kill(Id, signal);
}

std::string coreside::describeExit(int code) {
  if (code <= 128)
    return "exit code " + std::to_string(code);
  return "signal " + std::to_string(code - 128) + " (" + strsignal(code - 128) +
         ")";
}
