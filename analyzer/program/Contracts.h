// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code itself says of its kernels.
//
// In:   // coreside: together(doers, feeders)
//       __attribute__((annotate("coreside::together(doers, feeders)")))
//       __global__ void doers(...)
// Out:  a contract of doers and feeders, once for each place

#ifndef CORESIDE_PROGRAM_CONTRACTS_H
#define CORESIDE_PROGRAM_CONTRACTS_H

#include "Program.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace coreside {

/// Reads the comments of the main file and of `userHeaders` (see ParsedFile),
/// and the attributes of `kernels`. What cannot be read goes to
/// `program.unread`.
void readContracts(clang::ASTContext &context,
                   llvm::ArrayRef<std::string> userHeaders,
                   llvm::ArrayRef<const clang::FunctionDecl *> kernels,
                   Program &program);

} // namespace coreside

#endif
