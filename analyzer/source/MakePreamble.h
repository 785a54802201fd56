// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses what stands before a file's own text, for many parses to begin with.
//
// In:   flags; #include <vector>
// Out:  a Preamble, in memory

#ifndef CORESIDE_SOURCE_MAKEPREAMBLE_H
#define CORESIDE_SOURCE_MAKEPREAMBLE_H

#include "Preamble.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>

namespace coreside {

/// Of what the flags of `invocation` include and of `bounds` of `text`; with
/// `base`, which has the former, of the latter alone, to stand on it. Null
/// where clang cannot make one. With `ownDeclarations` errors that come of
/// these are not kept.
std::shared_ptr<Preamble>
makePreamble(const clang::CompilerInvocation &invocation,
             const llvm::MemoryBuffer &text, clang::PreambleBounds bounds,
             bool ownDeclarations,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
             std::shared_ptr<const Preamble> base = nullptr);

} // namespace coreside

#endif
