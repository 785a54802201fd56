// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a build log: read whole and in pieces, with the same result.

#include "resources/PtxasLog.h"

#include <cstdint>
#include <cstdlib>

using namespace coreside;

static bool same(const LogReading &a, const LogReading &b) {
  if (a.records.size() != b.records.size() || a.notes != b.notes ||
      a.errors != b.errors || a.functions.size() != b.functions.size())
    return false;
  for (size_t i = 0; i != a.records.size(); ++i)
    if (a.records[i].kernel != b.records[i].kernel ||
        a.records[i].registers != b.records[i].registers ||
        a.records[i].staticShared != b.records[i].staticShared ||
        a.records[i].source != b.records[i].source)
      return false;
  return true;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  LogReading whole = readPtxasLog(llvm::MemoryBufferRef(text, "log"));
  // A mark of two bytes at the beginning says how characters are coded, and
  // must come in one piece.
  PtxasLogReader reader("log");
  reader.feed(text.take_front(4));
  for (text = text.drop_front(std::min<size_t>(4, size)); !text.empty();
       text = text.drop_front(std::min<size_t>(7, text.size())))
    reader.feed(text.take_front(7));
  if (!same(whole, reader.finish()))
    abort();
  return 0;
}
