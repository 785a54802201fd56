// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile database names the folders of the machine, or of the container, it
// was made in. Where the sources lie somewhere else now, its paths are read as
// if they lay here.
//
// In:   /home/me/blur/compile_commands.json about /src/blur/main.cu, which is
//       not there, while /home/me/blur/main.cu is.
// Out:  "-I/src/blur/include" is "-I/home/me/blur/include".

#ifndef CORESIDE_SOURCE_MOVEDFOLDER_H
#define CORESIDE_SOURCE_MOVEDFOLDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct MovedFolder {
  std::string from;
  std::string to;

  /// `word`, or the path at its end, with `to` for `from`. A path that is there
  /// stays.
  std::string apply(llvm::StringRef word) const;
};

/// Where the sources of the database in `folder` have moved to: its folder, or
/// the one above, where that has one of `files` by the last parts of its path.
/// Nothing where one of `files`, all absolute, is where the database says.
std::optional<MovedFolder> findMovedFolder(llvm::StringRef folder,
                                           llvm::ArrayRef<std::string> files);

/// Makes relative paths to folders and headers in `arguments` absolute, for a
/// working folder that is not there; what cannot be found stays.
void leaveFolder(llvm::StringRef directory,
                 std::vector<std::string> &arguments);

} // namespace coreside

#endif
