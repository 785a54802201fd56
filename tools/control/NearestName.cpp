// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NearestName.h"

#include <algorithm>

using llvm::StringRef;

std::string coreside::didYouMean(StringRef name,
                                 llvm::ArrayRef<StringRef> known) {
  StringRef nearest;
  // An edit distance costs the product of the lengths.
  if (name.size() > 100)
    return {};
  unsigned least = std::max<size_t>(1, name.size() / 3) + 1;
  std::string lower = name.lower();
  for (StringRef candidate : known) {
    // What is cut short is as good as right: "warn".
    if (lower.size() > 1 && candidate.starts_with_insensitive(lower))
      return ", did you mean '" + candidate.str() + "'?";
    unsigned distance =
        StringRef(lower).edit_distance(candidate.lower(), true, least);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : ", did you mean '" + nearest.str() + "'?";
}
