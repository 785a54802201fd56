// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A clang command line becomes what clang's front end is run with.
//
// In:   {"clang++", "-x", "cuda", "--cuda-host-only", "a.cu"}, the files
// Out:  the invocation, or null where the driver refuses the whole command
//
// The driver complains about flags it does not know and goes on without them;
// its complaints are not kept.

#ifndef CORESIDE_SOURCE_INVOCATION_H
#define CORESIDE_SOURCE_INVOCATION_H

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>

namespace coreside {

std::shared_ptr<clang::CompilerInvocation>
invocationOf(llvm::ArrayRef<std::string> commandLine,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace coreside

#endif
