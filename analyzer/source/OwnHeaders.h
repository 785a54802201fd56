// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that coreside brings with it: in memory, over the files that
// clang reads.
//
// In:   the file system
// Out:  the same with /coreside-headers in it

#ifndef CORESIDE_SOURCE_OWNHEADERS_H
#define CORESIDE_SOURCE_OWNHEADERS_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace coreside {

/// Where they lie.
inline constexpr llvm::StringLiteral ownHeaders = "/coreside-headers";

/// Turns attributes that clang ignores into annotations.
inline constexpr llvm::StringLiteral annotationsHeader =
    "/coreside-headers/Annotations.h";

/// What nvcc offers to every file and clang does not.
inline constexpr llvm::StringLiteral offersHeader =
    "/coreside-headers/Offers.h";

/// The folder whose cuda_runtime.h and others stand in for a toolkit's, and
/// the file that they all include.
inline constexpr llvm::StringLiteral declarationsFolder =
    "/coreside-headers/cuda";
inline constexpr llvm::StringLiteral declarationsHeader =
    "/coreside-headers/cuda/Declarations.h";

/// The same under HIP's names.
inline constexpr llvm::StringLiteral hipDeclarationsFolder =
    "/coreside-headers/hip";
inline constexpr llvm::StringLiteral hipDeclarationsHeader =
    "/coreside-headers/hip/Declarations.h";

/// The cuda.h that clang's own headers get, beside which it lies: nvcc includes
/// cuda.h into no file by itself, and a user may have one, or its types, of his
/// own. Whoever asks for <cuda.h> later gets the toolkit's.
std::string versionHeader();

/// Lays them over `base`, of which only regular files are read.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withOwnHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base);

} // namespace coreside

#endif
