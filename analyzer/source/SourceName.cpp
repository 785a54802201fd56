// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceName.h"

#include "clang/Basic/FileManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace path = llvm::sys::path;

std::string coreside::absoluteName(StringRef name, clang::FileManager &files) {
  // "<built-in>" and the like are no files.
  if (name.empty() || name.starts_with("<"))
    return name.str();
  bool hasDots = name.contains("./") || name.contains("//");
  if (path::is_absolute(name) && !hasDots)
    return name.str();
  llvm::SmallString<256> absolute(name);
  files.makeAbsolutePath(absolute);
  if (!hasDots)
    return absolute.str().str();
  llvm::SmallString<256> clean(absolute);
  path::remove_dots(clean, /*remove_dot_dot=*/true);
  auto one = files.getOptionalFileRef(absolute);
  auto other = files.getOptionalFileRef(clean);
  bool isSame = one && other && one->getUniqueID() == other->getUniqueID();
  return isSame ? clean.str().str() : absolute.str().str();
}
