// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many parts as one word, which is another as soon as one of them is.
//
// In:   "ab", "c"
// Out:  "5f0c..."; another one for "a", "bc"

#ifndef CORESIDE_TOOLS_WORDOFPARTS_H
#define CORESIDE_TOOLS_WORDOFPARTS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

#include <string>

namespace coreside {

class WordOfParts {
public:
  void add(llvm::StringRef part) {
    uint64_t size = part.size();
    Hash.update(
        llvm::StringRef(reinterpret_cast<const char *>(&size), sizeof size));
    Hash.update(part);
  }
  void add(uint64_t number) { add(std::to_string(number)); }
  /// Of all that was added; ends it.
  std::string word() {
    return llvm::toHex(Hash.final<16>(), /*LowerCase=*/true);
  }

private:
  llvm::BLAKE3 Hash;
};

} // namespace coreside

#endif
