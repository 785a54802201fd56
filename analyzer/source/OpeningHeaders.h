// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system headers that a file opens with, its own and those of the headers
// that it includes, and what stands before them.
//
// In:   #define TILE 32
//       #include "mine.h"      // #pragma once
//                              // #include <vector>
//                              // struct Mine {};
//       #include <map>
// Out:  <vector>, before which TILE is defined
//
// The files of a run that open with the same ones can have them read once,
// before anything else, as long as nothing before them has to do with them.
// Where a file says more than directives and declarations without a body, its
// opening ends: what its headers mean from there on is the parser's to say.

#ifndef CORESIDE_SOURCE_OPENINGHEADERS_H
#define CORESIDE_SOURCE_OPENINGHEADERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
}

namespace coreside {

struct OpeningHeaders {
  /// A word before a header, and what the file does with it.
  struct Word {
    enum class Use {
      /// Defines a macro, or takes it back.
      Defined,
      /// Names it in a declaration.
      Named,
      /// Asks in a condition what macro it is.
      Asked,
    };
    std::string name;
    Use use = Use::Named;
  };
  struct Header {
    /// As it is written, without the brackets.
    std::string name;
    /// How many of `words` stand before it.
    size_t wordsBefore = 0;
  };
  std::vector<Word> words;
  /// In their order, each once.
  std::vector<Header> headers;
};

/// Those of each of `names`, files that are parsed with the flags of
/// `invocation`; without those that are `known`, as clang calls them. A file
/// that cannot be read has none.
std::vector<OpeningHeaders>
readOpenings(const clang::CompilerInvocation &invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
             llvm::ArrayRef<std::string> names, const llvm::StringSet<> &known);

} // namespace coreside

#endif
