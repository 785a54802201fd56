// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the bounds of kernels can differ between the host pass and the
// passes for GPUs, so that these must be read too.
//
// In:   kernels, and what of the text depends on the architecture
// Out:  true for __launch_bounds__(Policy<T>::width) where a condition on
//       __CUDA_ARCH__ holds Policy, or a constant that width is made from

#ifndef CORESIDE_PROGRAM_BOUNDSDEPENDENCE_H
#define CORESIDE_PROGRAM_BOUNDSDEPENDENCE_H

#include "source/ArchitectureText.h"

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace coreside {

/// Never false where they differ, but for kernels of system headers; true
/// costs a parse for each target.
bool boundsMayDiffer(const ArchitectureText &text,
                     llvm::ArrayRef<const clang::FunctionDecl *> kernels,
                     const clang::ASTContext &context);

} // namespace coreside

#endif
