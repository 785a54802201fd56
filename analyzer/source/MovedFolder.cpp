// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MovedFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace coreside {
namespace {

constexpr StringRef pathOptions[] = {"-I", "-isystem", "-iquote", "-idirafter",
                                     "-include"};

bool isInside(StringRef path, StringRef folder) {
  return path.consume_front(folder) && (path.empty() || path.starts_with("/"));
}

} // namespace

std::string MovedFolder::apply(StringRef word) const {
  size_t at = word.find(from);
  if (at == StringRef::npos || !isInside(word.substr(at), from) ||
      sys::fs::exists(word.substr(at)))
    return word.str();
  // A path, or an option and its path: nothing that only mentions one.
  StringRef before = word.take_front(at);
  if (!before.empty() && !before.ends_with("=") &&
      !is_contained(pathOptions, before))
    return word.str();
  return (before + to + word.substr(at + from.size())).str();
}

std::optional<MovedFolder> findMovedFolder(StringRef folder,
                                           ArrayRef<std::string> files) {
  if (any_of(files, [](StringRef file) { return sys::fs::exists(file); }))
    return std::nullopt;
  for (StringRef place : {folder, sys::path::parent_path(folder)})
    for (StringRef file : files) {
      // The longest part of the path that is there.
      StringRef above = sys::path::root_path(file);
      for (size_t slash = above.size(); slash != StringRef::npos;
           slash = file.find('/', slash + 1)) {
        StringRef rest = file.substr(slash).ltrim('/');
        SmallString<128> here(place);
        sys::path::append(here, rest);
        StringRef from = file.drop_back(rest.size()).rtrim('/');
        if (!from.empty() && sys::fs::is_regular_file(here))
          return MovedFolder{from.str(), place.str()};
      }
    }
  return std::nullopt;
}

void leaveFolder(StringRef directory, std::vector<std::string> &arguments) {
  auto absolute = [&](StringRef path) -> std::optional<std::string> {
    SmallString<128> full(path);
    sys::path::make_absolute(directory, full);
    sys::path::remove_dots(full, /*remove_dot_dot=*/true);
    if (path.empty() || sys::path::is_absolute(path) || !sys::fs::exists(full))
      return std::nullopt;
    return full.str().str();
  };
  for (size_t i = 0; i != arguments.size(); ++i)
    for (StringRef option : pathOptions) {
      StringRef word = arguments[i];
      if (!word.consume_front(option))
        continue;
      if (!word.empty()) {
        if (auto path = absolute(word))
          arguments[i] = option.str() + *path;
      } else if (i + 1 != arguments.size()) {
        if (auto path = absolute(arguments[i + 1]))
          arguments[i + 1] = *path;
      }
      break;
    }
}

} // namespace coreside
