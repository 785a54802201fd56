// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies of host functions that device code cannot see.
//
// In:   the host functions of a file
// Out:  which bytes of it may change without a change of any kernel
//
// A kernel depends on host code in more ways than one: constexpr functions and
// deduced types are evaluated in it, lambdas become its code, types its
// arguments, and what a directive defines holds to the end of the file. A body
// with any of these is not named, nor one of a template. What a named body can
// still do is instantiate kernels: these are in the program.

#ifndef CORESIDE_PROGRAM_HOSTBODIES_H
#define CORESIDE_PROGRAM_HOSTBODIES_H

#include "Program.h"

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace coreside {

/// Those of `functions`, in the file itself; headers are not looked at.
std::vector<HostBody>
hostBodies(llvm::ArrayRef<const clang::FunctionDecl *> functions,
           const clang::ASTContext &context);

} // namespace coreside

#endif
