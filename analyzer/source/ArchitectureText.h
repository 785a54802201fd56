// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a source reads differently when it is compiled for a GPU: text under
// conditions that ask for __CUDA_ARCH__, which the host pass does not see.
//
// In:   #if __CUDA_ARCH__ >= 900
//       #define WIDTH 512
//       #else
//       #define WIDTH 256
//       #endif
//       __global__ void __launch_bounds__(WIDTH) blur(float *p);
// Out:  names: WIDTH; boundNames: WIDTH
//
// It is watched while the preprocessor runs and costs nothing where no such
// condition is. System headers are left out: the kernels in them are not the
// user's, and many ask for the architecture.

#ifndef CORESIDE_SOURCE_ARCHITECTURETEXT_H
#define CORESIDE_SOURCE_ARCHITECTURETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace coreside {

struct ArchitectureText {
  /// Such text holds a kernel, an attribute of one, or an #include.
  bool holdsKernels = false;
  /// Such text may let programmatic dependents start: a call that does, or
  /// inline assembly.
  bool holdsTriggers = false;
  /// Whatever such text mentions, and the macros that mention that.
  llvm::StringSet<> names;
  /// What __launch_bounds__ and its kin are given, as written, macros followed.
  llvm::StringSet<> boundNames;

  /// Whether `name` may mean something else on a GPU.
  bool depends(llvm::StringRef name) const;

  /// Takes in what was seen elsewhere in the file.
  void add(const ArchitectureText &other);
};

/// Watches one run of a preprocessor.
class ArchitectureWatch {
public:
  ArchitectureWatch();
  ~ArchitectureWatch();

  /// What the preprocessor must be given; it may outlive this.
  std::unique_ptr<clang::PPCallbacks> callbacks(clang::Preprocessor &);

  /// What was seen, once the file is read.
  ArchitectureText take();

private:
  struct Seen;
  std::shared_ptr<Seen> All;
};

} // namespace coreside

#endif
