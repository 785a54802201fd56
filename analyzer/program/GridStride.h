// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose work does not depend on how many blocks, or threads, there are.
//
//   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
//        i += gridDim.x * blockDim.x)
//     to[i] = from[i];                       any number of blocks and threads
//
//   for (int row = blockIdx.x; row < n; row += gridDim.x)
//     sum(rows[row], threadIdx.x);           any number of blocks

#ifndef CORESIDE_PROGRAM_GRIDSTRIDE_H
#define CORESIDE_PROGRAM_GRIDSTRIDE_H

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace coreside {

struct GridStride {
  /// All that a block's number is used for is where a loop begins that steps by
  /// the whole grid. Said of grids along x.
  bool anyBlocks = false;
  /// The same of threads, and blocks share nothing among their threads.
  bool anyThreads = false;
};

/// Looks at `kernel`, a definition, and what it calls. What is not certain is
/// false.
GridStride gridStrideOf(const clang::FunctionDecl &kernel,
                        const clang::ASTContext &context);

} // namespace coreside

#endif
