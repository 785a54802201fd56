// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReportPaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string realPath(StringRef file) {
  llvm::SmallString<128> real;
  return fs::real_path(file, real) ? std::string() : real.str().str();
}

/// The nearest folder with a .git in it, `folder` or one above; empty where
/// there is none.
static std::string repositoryOf(StringRef folder) {
  for (; !folder.empty(); folder = path::parent_path(folder)) {
    llvm::SmallString<128> git(folder);
    path::append(git, ".git");
    if (fs::exists(git))
      return folder.str();
  }
  return {};
}

/// What of `file` is below `folder`; empty where it is not.
static StringRef below(StringRef file, StringRef folder) {
  if (folder == "/" && file.consume_front("/"))
    return file;
  if (folder.empty() || !file.consume_front(folder) || !file.consume_front("/"))
    return {};
  return file;
}

std::string coreside::findRoot(StringRef folder,
                               llvm::ArrayRef<std::string> sources) {
  std::string here = realPath(folder);
  std::string repository = repositoryOf(here);
  auto isBelow = [&](const std::string &source) {
    return !below(realPath(source), repository).empty();
  };
  if (!repository.empty() &&
      (sources.empty() || llvm::any_of(sources, isBelow)))
    return repository;
  for (const std::string &source : sources)
    if (std::string other = repositoryOf(path::parent_path(realPath(source)));
        !other.empty())
      return other;
  return here.empty() ? folder.str() : here;
}

ReportPaths::ReportPaths(StringRef root)
    : Root(root), RealRoot(realPath(root)) {}

const std::string &ReportPaths::of(StringRef file) {
  auto [entry, isNew] = Known.try_emplace(file);
  if (!isNew)
    return entry->second;
  llvm::SmallString<128> full(file);
  fs::make_absolute(full);
  path::remove_dots(full, true);
  StringRef name = below(full, Root);
  std::string real;
  if (name.empty()) {
    real = realPath(full);
    name = below(real, RealRoot);
  }
  entry->second = name.empty() ? full.str().str() : name.str();
  return entry->second;
}
