// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fatbin.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using llvm::StringRef;

namespace coreside {

namespace {

using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

// The header: magic, u16 version, u16 its own size, u64 size of all entries.
constexpr uint32_t Magic = 0xba55ed50;
constexpr size_t HeaderSize = 16;
constexpr unsigned Version = 1;

// An entry: u16 kind, u16, u32 size of its header, u64 size of its contents,
// u32 compressed size at 16, u64 flags at 40, u64 decompressed size at 56.
constexpr size_t EntrySize = 64;
constexpr unsigned KindELF = 2;
constexpr uint64_t FlagLZ4 = 0x2000, FlagZstd = 0x8000;

// Code of one file; the largest seen are some tens of megabytes.
constexpr uint64_t LargestCubin = uint64_t(256) << 20;
// zstd and LZ4 reach 20 on cubins; LZ4 cannot exceed 255.
constexpr uint64_t HighestRatio = 1024;

llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("malformed fatbin: " + what);
}

} // namespace

bool beginsWithFatbin(StringRef bytes) {
  return bytes.size() >= HeaderSize && read32le(bytes.data()) == Magic;
}

llvm::Expected<std::string> decompressLZ4(StringRef bytes, size_t size) {
  std::string out;
  out.reserve(size);
  size_t at = 0;
  // A length of 15 goes on in the bytes that follow.
  auto length = [&](size_t value) {
    if (value != 15)
      return value;
    unsigned char more;
    do {
      if (at >= bytes.size() || value > size)
        return std::string::npos;
      more = bytes[at++];
      value += more;
    } while (more == 255);
    return value;
  };
  while (at < bytes.size()) {
    unsigned char token = bytes[at++];
    size_t literals = length(token >> 4);
    if (literals > bytes.size() - at || literals > size - out.size())
      return malformed("LZ4 literals do not end");
    out.append(bytes.data() + at, literals);
    at += literals;
    // The last sequence has literals only.
    if (at == bytes.size())
      break;
    if (bytes.size() - at < 2)
      return malformed("LZ4 block ends within a match");
    size_t distance = read16le(bytes.data() + at);
    at += 2;
    size_t match = length(token & 15);
    if (distance == 0 || distance > out.size() || match > size ||
        match + 4 > size - out.size())
      return malformed("LZ4 match outside of the block");
    for (match += 4; match; --match)
      out += out[out.size() - distance];
  }
  if (out.size() != size)
    return malformed("LZ4 block has another size than its header says");
  return out;
}

llvm::Expected<FatbinContents>
forEachCubin(StringRef bytes, llvm::function_ref<void(StringRef)> take) {
  FatbinContents contents;
  uint64_t decompressed = 0;
  while (true) {
    // The linker fills up between the fatbins of different files.
    bytes = bytes.drop_while([](char c) { return c == 0; });
    if (bytes.empty())
      return contents;
    if (!beginsWithFatbin(bytes))
      return malformed("does not begin with its magic number");
    unsigned version = read16le(bytes.data() + 4);
    unsigned headerSize = read16le(bytes.data() + 6);
    uint64_t size = read64le(bytes.data() + 8);
    if (version != Version || headerSize != HeaderSize)
      return malformed("version " + llvm::Twine(version) + " is not known");
    if (size > bytes.size() - HeaderSize)
      return malformed("it is cut off");
    StringRef entries = bytes.substr(HeaderSize, size);
    bytes = bytes.drop_front(HeaderSize + size);

    while (!entries.empty()) {
      if (entries.size() < EntrySize)
        return malformed("an entry is cut off");
      const char *entry = entries.data();
      unsigned kind = read16le(entry);
      uint64_t entryHeader = read32le(entry + 4);
      uint64_t contentSize = read64le(entry + 8);
      uint64_t packedSize = read32le(entry + 16);
      uint64_t flags = read64le(entry + 40);
      uint64_t unpackedSize = read64le(entry + 56);
      if (entryHeader < EntrySize || entryHeader > entries.size() ||
          contentSize > entries.size() - entryHeader)
        return malformed("an entry is cut off");
      StringRef content = entries.substr(entryHeader, contentSize);
      entries = entries.drop_front(entryHeader + contentSize);
      if (kind != KindELF) {
        ++contents.uncompiled;
        continue;
      }
      ++contents.cubins;
      if (!(flags & (FlagLZ4 | FlagZstd))) {
        take(content);
        continue;
      }
      if (packedSize > content.size())
        return malformed("compressed code is cut off");
      content = content.take_front(packedSize);
      decompressed += unpackedSize;
      if (unpackedSize > LargestCubin || decompressed > 16 * LargestCubin ||
          unpackedSize / HighestRatio > packedSize)
        return malformed("compressed code of " + llvm::Twine(unpackedSize) +
                         " bytes");
      if (flags & FlagLZ4) {
        llvm::Expected<std::string> plain =
            decompressLZ4(content, unpackedSize);
        if (!plain)
          return plain.takeError();
        take(*plain);
        continue;
      }
      // No test: Debian's LLVM can.
      if (!llvm::compression::zstd::isAvailable())
        return llvm::createStringError(
            "this build of LLVM cannot decompress zstd");
      llvm::SmallVector<uint8_t, 0> plain;
      if (llvm::Error error = llvm::compression::zstd::decompress(
              llvm::arrayRefFromStringRef(content), plain, unpackedSize))
        return error;
      take(llvm::toStringRef(plain));
    }
  }
}

} // namespace coreside
