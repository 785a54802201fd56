// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenDocuments.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace coreside;
using llvm::StringRef;

bool coreside::isDeviceSource(StringRef path, StringRef language) {
  bool byName = llvm::StringSwitch<bool>(llvm::sys::path::extension(path))
                    .CasesLower({".cu", ".cuh", ".hip"}, true)
                    .Default(false);
  return byName || llvm::StringSwitch<bool>(language)
                       .CasesLower({"cuda", "cuda-cpp", "hip"}, true)
                       .Default(false);
}

bool coreside::isHeader(StringRef path) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(path))
      .CasesLower({".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl"}, true)
      .Default(false);
}
