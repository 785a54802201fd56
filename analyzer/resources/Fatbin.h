// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container that nvcc puts cubins into.
//
// In:   the bytes of a section .nv_fatbin
// Out:  each cubin in it, decompressed

#ifndef CORESIDE_RESOURCES_FATBIN_H
#define CORESIDE_RESOURCES_FATBIN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace coreside {

/// True when `bytes` begin with a fatbin.
bool beginsWithFatbin(llvm::StringRef bytes);

/// What the entries of fatbins were, apart from cubins.
struct FatbinContents {
  unsigned cubins = 0;
  /// PTX, or code for the linker to optimise: compiled only later.
  unsigned uncompiled = 0;
};

/// Calls `take` with each cubin of the fatbins that `bytes` hold one after the
/// other. What `take` is given lives only during the call.
llvm::Expected<FatbinContents>
forEachCubin(llvm::StringRef bytes,
             llvm::function_ref<void(llvm::StringRef cubin)> take);

/// Undoes LZ4's block format. Error: `bytes` are not such a block of exactly
/// `size` bytes.
llvm::Expected<std::string> decompressLZ4(llvm::StringRef bytes, size_t size);

} // namespace coreside

#endif
