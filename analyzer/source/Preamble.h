// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A precompiled preamble and what was seen while it was made: what a parse that
// uses it does not meet again.
//
// One may stand on another: what it holds comes behind that.

#ifndef CORESIDE_SOURCE_PREAMBLE_H
#define CORESIDE_SOURCE_PREAMBLE_H

#include "ArchitectureText.h"
#include "HeaderWords.h"
#include "ParseErrors.h"

#include "clang/AST/DeclID.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct Preamble {
  std::optional<clang::PrecompiledPreamble> compiled;
  std::shared_ptr<const Preamble> base;
  /// Bytes of the file that it replaces.
  clang::PreambleBounds bounds{0, true};
  /// Of what it adds to its base.
  HeaderWords words;
  ParseErrors errors;
  ArchitectureText architecture;
  /// Names of the files that were read, but for the main file; of those, the
  /// ones that are no system headers, in the order of reading.
  std::vector<std::string> files;
  std::vector<std::string> userHeaders;
  /// Declarations at the top that are not of system headers.
  std::vector<clang::LocalDeclID> declarations;

  /// Makes clang begin with it, and with what it stands on, when it parses
  /// `text` from `files`. It must outlive the AST.
  void begin(clang::CompilerInvocation &invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files,
             llvm::MemoryBuffer *text) const;

  /// The same for another preamble that is to stand on it.
  void carry(clang::CompilerInvocation &invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files) const;

private:
  /// What clang calls it where another stands on it: `begin` has one name for
  /// all.
  std::string name() const;
};

} // namespace coreside

#endif
