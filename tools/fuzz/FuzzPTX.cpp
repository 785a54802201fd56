// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as PTX: entries lie in it, and without them it has as many lines.

#include "resources/PTXEntries.h"

#include <cstdint>
#include <cstdlib>

using namespace coreside;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef ptx(reinterpret_cast<const char *>(data), size);
  llvm::StringSet<> names;
  size_t end = 0;
  for (const PTXEntry &entry : ptxEntries(ptx)) {
    if (entry.begin < end || entry.begin > entry.end || entry.end > size)
      abort();
    end = entry.end;
    names.insert(entry.name);
  }
  std::string rest = withoutEntries(ptx, names);
  if (rest.size() != size ||
      llvm::StringRef(rest).count('\n') != ptx.count('\n'))
    abort();
  if (ptxWithoutPlaces(ptx).size() > size + 1)
    abort();
  entriesWithErrors(ptx, ptx);
  return 0;
}
