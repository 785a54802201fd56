// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangResources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace coreside {

const std::string &clangResources() {
  static const std::string result = [] {
    static int here;
    SmallString<256> carried = sys::path::parent_path(sys::path::parent_path(
        sys::fs::getMainExecutable(/*argv0=*/nullptr, &here)));
    sys::path::append(carried, "lib", "coreside", "clang");
    if (sys::fs::exists(carried + "/include/stddef.h"))
      return std::string(carried);
    return std::string(CORESIDE_RESOURCE_DIR);
  }();
  return result;
}

} // namespace coreside
