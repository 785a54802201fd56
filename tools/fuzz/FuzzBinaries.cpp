// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a binary, and as the fatbins inside one.

#include "resources/CubinFile.h"
#include "resources/Fatbin.h"

#include <cstdint>

using namespace coreside;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  looksLikeBinary(bytes);
  if (auto reading = readBinary(llvm::MemoryBufferRef(bytes, "file")); !reading)
    llvm::consumeError(reading.takeError());
  if (auto contents = forEachCubin(bytes, [](llvm::StringRef) {}); !contents)
    llvm::consumeError(contents.takeError());
  if (size > 2)
    if (auto plain = decompressLZ4(bytes.drop_front(2), data[0] | data[1] << 8);
        !plain)
      llvm::consumeError(plain.takeError());
  return 0;
}
