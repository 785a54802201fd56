// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an entry of the cache: as they are, and as what an entry holds
// behind its hash, which no one would hit by chance.

#include "resources/ResourceCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <cstdlib>

using namespace coreside;

namespace {

std::string hashOf(llvm::StringRef bytes) {
  return llvm::toHex(llvm::BLAKE3::hash<20>(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

/// A folder with the one entry that belongs to `Command`.
struct Folder {
  static constexpr llvm::StringLiteral Command = "nvcc";
  llvm::SmallString<128> path;
  std::string entry;

  Folder() {
    if (llvm::sys::fs::createUniqueDirectory("coreside-fuzz", path))
      abort();
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, "llvmcache-" + hashOf(Command));
    entry = std::string(file);
  }
  ~Folder() { llvm::sys::fs::remove_directories(path); }

  void read(llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(entry, error) << bytes;
    ResourceCache cache{std::string(path)};
    if (cache.check().entries != 1)
      abort();
    cache.find(Command);
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Folder folder;
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  folder.read(bytes);
  std::string text = "coreside resources 1\n" + bytes.str();
  folder.read(hashOf(text) + "\n" + text);
  return 0;
}
