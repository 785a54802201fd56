// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that some headers mention, and which macros they change.
//
// In:   a preprocessor that has read <climits>
// Out:  INT_MAX, whose macro is its
//
// Text that has no word in common with headers means the same before and behind
// them, and so do they.

#ifndef CORESIDE_SOURCE_HEADERWORDS_H
#define CORESIDE_SOURCE_HEADERWORDS_H

#include "OpeningHeaders.h"

#include "llvm/ADT/StringMap.h"

namespace clang {
class Preprocessor;
}

namespace coreside {

class HeaderWords {
public:
  HeaderWords() = default;
  /// All that was read but what comes from a precompiled preamble.
  explicit HeaderWords(clang::Preprocessor &preprocessor);

  /// The word and the headers mean the same wherever the one stands.
  bool areIndependentOf(const OpeningHeaders::Word &word) const;

private:
  enum class Macro { None, Kept, Changed };
  llvm::StringMap<Macro> Words;
};

} // namespace coreside

#endif
