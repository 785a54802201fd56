// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineHashes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<std::string> coreside::lineHashes(llvm::StringRef text) {
  constexpr unsigned window = 100;
  constexpr uint64_t base = 37;
  constexpr llvm::UTF16 endOfFile = 65535;

  // What counts, and where in it lines begin.
  llvm::SmallVector<llvm::UTF16, 0> units, counted;
  std::vector<size_t> lines;
  llvm::convertUTF8ToUTF16String(llvm::json::fixUTF8(text), units);
  units.push_back(endOfFile);
  bool atLineStart = true, afterReturn = false;
  for (llvm::UTF16 unit : units) {
    bool isSkipped =
        unit == ' ' || unit == '\t' || (afterReturn && unit == '\n');
    afterReturn = unit == '\r';
    if (isSkipped)
      continue;
    if (atLineStart)
      lines.push_back(counted.size());
    counted.push_back(afterReturn ? '\n' : unit);
    atLineStart = counted.back() == '\n';
  }
  counted.resize(counted.size() + window, 0);

  uint64_t highest = 1;
  for (unsigned i = 0; i != window; ++i)
    highest *= base;
  uint64_t hash = 0;
  size_t hashed = 0;
  std::vector<std::string> hashes;
  llvm::StringMap<unsigned> seen;
  for (size_t line : lines) {
    // From the units before `hashed` to the `window` ones that begin here.
    for (; hashed != line + window; ++hashed)
      hash = hash * base + counted[hashed] -
             (hashed >= window ? highest * counted[hashed - window] : 0);
    std::string digits = fmt::format("{:x}", hash);
    unsigned number = ++seen[digits];
    hashes.push_back(fmt::format("{}:{}", digits, number));
  }
  return hashes;
}
