// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Git.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <optional>

#include <unistd.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static std::string contentsOf(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

llvm::Expected<Git> Git::find(StringRef folder) {
  auto program = llvm::sys::findProgramByName("git");
  if (!program)
    return llvm::createStringError("no git on PATH");
  Git git;
  git.Program = *program;
  git.Folder = folder.str();
  llvm::Expected<std::string> root = git.run({"rev-parse", "--show-toplevel"});
  if (!root)
    return llvm::createStringError(
        fmt::format("'{}' is in no git repository that can be read ({})",
                    folder.str(), llvm::toString(root.takeError())));
  git.Folder = StringRef(*root).rtrim("\n").str();
  return git;
}

llvm::Expected<std::string> Git::run(std::vector<StringRef> arguments,
                                     StringRef input) const {
  std::vector<StringRef> words = {Program, "-C",
                                  Folder,  "--no-pager",
                                  "-c",    "core.fsmonitor=false",
                                  "-c",    "protocol.allow=never"};
  llvm::append_range(words, arguments);
  // The caller's GIT_DIR and others would be of another repository, as in a
  // hook; what a user configures is kept.
  std::vector<StringRef> environment = {"GIT_OPTIONAL_LOCKS=0",
                                        "GIT_NO_LAZY_FETCH=1",
                                        "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
  for (char **entry = environ; *entry; ++entry)
    if (StringRef word = *entry;
        (!word.starts_with("GIT_") || word.starts_with("GIT_CONFIG_") ||
         word.starts_with("GIT_CEILING_")) &&
        !word.starts_with("LC_ALL="))
      environment.push_back(word);

  llvm::SmallString<128> files[3];
  std::vector<llvm::FileRemover> removers;
  removers.reserve(3);
  for (llvm::SmallString<128> &file : files) {
    if (std::error_code error =
            fs::createTemporaryFile("coreside-git", "", file))
      return llvm::createStringError("no temporary file: " + error.message());
    removers.emplace_back(file);
  }
  {
    std::error_code error;
    llvm::raw_fd_ostream out(files[0], error);
    out << input;
  }
  std::optional<StringRef> redirects[] = {
      StringRef(files[0]), StringRef(files[1]), StringRef(files[2])};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(Program, words, environment, redirects,
                                       /*SecondsToWait=*/120,
                                       /*MemoryLimit=*/0, &message);
  if (code != 0) {
    std::string error = contentsOf(files[2]);
    StringRef first = StringRef(error).split('\n').first;
    return llvm::createStringError(
        first.empty() ? fmt::format("git ended with {}", code) : first.str());
  }
  return contentsOf(files[1]);
}
