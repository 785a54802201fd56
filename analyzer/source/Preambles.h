// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is parsed once and used again: the headers before a file's own text.
//
// In:   a.cu, b.cu and c.cu with the same flags; or a.cu, edited
// Out:  a precompiled preamble that clang reads instead of those headers
//
// Two kinds. What clang and coreside include by themselves before any file
// (some 40,000 lines of CUDA's and the C++ library's headers) is the same for
// all files with the same flags: a run over many files makes it once. On it
// stand others, with system headers that several files open with
// (OpeningHeaders.h, SharedHeaders.h). The #includes at the head of a file stay
// the same while it is edited: an editor keeps them for each file, with the
// constants between them, and they are made again when a header changes.

#ifndef CORESIDE_SOURCE_PREAMBLES_H
#define CORESIDE_SOURCE_PREAMBLES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>

namespace clang {
class CompilerInvocation;
}

namespace coreside {

struct Preamble;

class Preambles {
public:
  enum class Kind {
    /// Shared by the files of a run. One that fewer than three files would use
    /// costs more than it saves and is not made.
    OfFlags,
    /// One for each file that is parsed.
    OfFile,
  };
  explicit Preambles(Kind kind);
  ~Preambles();

  /// `file` will be parsed with `flags` (see `preambleKey`), by the name that
  /// its command gives it.
  void announce(llvm::StringRef flags, llvm::StringRef file);

  /// The preamble for a file: made if need be, by the first thread that asks
  /// while the others wait. Null where there is none to use. With
  /// `ownDeclarations` errors that come of these are not kept.
  std::shared_ptr<const Preamble>
  find(llvm::StringRef flags, const clang::CompilerInvocation &invocation,
       const llvm::MemoryBuffer &text, bool ownDeclarations,
       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

  /// Of files: drops what is kept for `file`, as the command names it.
  void forget(llvm::StringRef file);

private:
  struct Kept;
  class Sharing;
  std::unique_ptr<Kept> All;
};

} // namespace coreside

#endif
