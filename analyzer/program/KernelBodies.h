// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a kernel, read for what it waits for and releases.
//
// In:   __global__ void relay(volatile Gate *g) { ... while (g->count < n); }
// Out:  a KernelBody: waits for all blocks, on "g->count"
//
// Functions that it calls are followed where their bodies were read.

#ifndef CORESIDE_PROGRAM_KERNELBODIES_H
#define CORESIDE_PROGRAM_KERNELBODIES_H

#include "KernelBody.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace coreside {

/// Reads the body of `kernel`, which is a definition.
KernelBody readKernelBody(const clang::FunctionDecl &kernel,
                          const clang::ASTContext &context);

} // namespace coreside

#endif
