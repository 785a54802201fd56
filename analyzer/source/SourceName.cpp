// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceName.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
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

std::vector<std::string>
coreside::userHeaders(const clang::SourceManager &sources) {
  std::vector<std::string> result;
  llvm::DenseSet<const clang::FileEntry *> seen;
  if (auto main = sources.getFileEntryRefForID(sources.getMainFileID()))
    seen.insert(&main->getFileEntry());
  // The first is none.
  for (unsigned i = 1; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile() ||
        clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic()))
      continue;
    if (auto file = entry.getFile().getContentCache().OrigEntry;
        file && seen.insert(&file->getFileEntry()).second)
      result.push_back(file->getName().str());
  }
  return result;
}
