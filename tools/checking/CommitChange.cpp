// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommitChange.h"

#include "IncludingUnits.h"
#include "control/Git.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstdlib>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

bool exists(const Git &git, const std::string &revision) {
  auto found = git.run({"rev-parse", "--verify", "--quiet", "--end-of-options",
                        revision + "^{commit}"});
  if (!found)
    llvm::consumeError(found.takeError());
  return bool(found);
}

/// The other parents of a merge that is about to be committed.
std::vector<std::string> mergedHeads(const Git &git) {
  auto name = git.run({"rev-parse", "--git-path", "MERGE_HEAD"});
  if (!name) {
    llvm::consumeError(name.takeError());
    return {};
  }
  llvm::SmallString<128> file(StringRef(*name).rtrim("\n"));
  if (path::is_relative(file)) {
    file = git.root();
    path::append(file, StringRef(*name).rtrim("\n"));
  }
  auto buffer = llvm::MemoryBuffer::getFile(file);
  std::vector<std::string> heads;
  if (!buffer)
    return heads;
  llvm::SmallVector<StringRef> lines;
  llvm::SplitString((*buffer)->getBuffer(), lines, "\n");
  for (StringRef line : lines)
    heads.push_back(line.trim().str());
  return heads;
}

/// The revisions that a run between two others starts from: `pre-commit run
/// --from-ref`, a push.
std::vector<std::string> startOf(const Git &git, const std::string &from,
                                 const std::string &to) {
  // pre-commit names the files that have changed since the two parted. In a
  // shallow clone that may be out of sight.
  auto base = git.run({"merge-base", from, to});
  if (base)
    return {StringRef(*base).trim().str()};
  llvm::consumeError(base.takeError());
  return {from};
}

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

llvm::Expected<CommitChange>
coreside::changeOfCommit(llvm::ArrayRef<std::string> files,
                         const CommitOptions &options) {
  CommitChange change;
  std::vector<std::string> present;
  for (const std::string &file : files)
    // A submodule is a folder here.
    if (fs::is_regular_file(file))
      present.push_back(file);
  if (present.empty())
    return change;

  IncludingUnitsOptions including;
  including.flags = options.flags;
  including.buildDirectory = options.buildDirectory;
  llvm::SmallString<128> first(present.front());
  fs::make_absolute(first);
  llvm::Expected<Git> git = Git::find(path::parent_path(first));
  if (!git) {
    change.note =
        llvm::toString(git.takeError()) + ": all that is found counts";
    llvm::SmallString<128> current;
    (void)fs::current_path(current);
    including.folders = {current.str().str()};
  } else {
    // The root is without links; paths of a database may be with them.
    llvm::SmallString<128> current;
    (void)fs::current_path(current);
    including.folders = {git->root(), current.str().str()};
    std::string from = environment("PRE_COMMIT_FROM_REF");
    std::string to = environment("PRE_COMMIT_TO_REF");
    if (!options.revision.empty())
      change.revisions = {options.revision};
    else if (!from.empty() && !to.empty() && exists(*git, from))
      change.revisions = startOf(*git, from, to);
    else if (exists(*git, "HEAD"))
      change.revisions = {"HEAD"};
    if (options.revision.empty() && from.empty())
      llvm::append_range(change.revisions, mergedHeads(*git));
    // Untracked units are part of no commit.
    auto tracked = git->run({"ls-files", "-z", "--", "*.cu", "*.hip"});
    if (!tracked)
      llvm::consumeError(tracked.takeError());
    else
      for (StringRef rest = *tracked; !rest.empty();) {
        StringRef name;
        std::tie(name, rest) = rest.split('\0');
        including.others.push_back(git->root() + "/" + name.str());
      }
  }
  auto units = unitsOfChange(present, including);
  if (!units)
    return units.takeError();
  change.units = std::move(*units);
  return change;
}
