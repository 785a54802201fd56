// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Assumption.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace coreside {

Expected<Assumption> parseAssumption(StringRef text) {
  auto wrong = [&](const char *why) {
    return createStringError(
        "assumption '" + text.str() + "': " + why +
        "; write NAME=VALUE or FILE:FUNCTION:NAME=VALUE with a whole number or "
        "a range like 64..1024");
  };
  Assumption result;
  result.text = text.str();
  auto [where, value] = text.split('=');
  if (!text.contains('='))
    return wrong("there is no '='");
  // "::" belongs to a name.
  SmallVector<StringRef, 4> parts;
  size_t from = 0;
  for (size_t i = 0; i <= where.size(); ++i) {
    if (where.substr(i, 2) == "::") {
      ++i;
      continue;
    }
    if (i < where.size() && where[i] != ':')
      continue;
    parts.push_back(where.slice(from, i).trim());
    from = i + 1;
  }
  if (parts.size() != 1 && parts.size() != 3)
    return wrong("FILE and FUNCTION go together");
  if (parts.size() == 3) {
    result.file = parts[0].str();
    result.function = parts[1].str();
  }
  result.name = parts.back().str();
  if (result.name.empty())
    return wrong("there is no name");
  auto [low, high] = value.trim().split("..");
  if (low.getAsInteger(0, result.low))
    return wrong("the value is no whole number");
  if (!value.contains(".."))
    result.high = result.low;
  else if (high.getAsInteger(0, result.high))
    return wrong("the range has no whole number as its end");
  if (result.low > result.high)
    return wrong("the range ends before it begins");
  return result;
}

} // namespace coreside
