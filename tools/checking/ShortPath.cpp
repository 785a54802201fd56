// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShortPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace coreside;

std::string coreside::shortPath(llvm::StringRef path) {
  llvm::SmallString<128> current;
  if (llvm::sys::fs::current_path(current))
    return path.str();
  llvm::StringRef rest = path;
  if (rest.consume_front(current) && rest.consume_front("/"))
    return rest.str();
  return path.str();
}
