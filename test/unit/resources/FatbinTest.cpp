// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resources/Fatbin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace coreside;
using testing::HasSubstr;

namespace {

std::string number(uint64_t value, unsigned bytes) {
  std::string text;
  for (; bytes; --bytes, value >>= 8)
    text += char(value & 0xff);
  return text;
}

std::string entry(unsigned kind, llvm::StringRef content, uint64_t flags = 0,
                  uint64_t packed = 0, uint64_t unpacked = 0,
                  uint64_t claimed = ~uint64_t(0)) {
  std::string text = number(kind, 2) + number(0x101, 2) + number(64, 4) +
                     number(std::min<uint64_t>(claimed, content.size()), 8) +
                     number(packed, 4);
  text.resize(40);
  text += number(flags, 8) + number(0, 8) + number(unpacked, 8);
  return text + content.str();
}

std::string fatbin(llvm::StringRef entries) {
  return number(0xba55ed50, 4) + number(1, 2) + number(16, 2) +
         number(entries.size(), 8) + entries.str();
}

std::vector<std::string> cubinsIn(llvm::StringRef bytes) {
  std::vector<std::string> cubins;
  auto contents = forEachCubin(
      bytes, [&](llvm::StringRef cubin) { cubins.push_back(cubin.str()); });
  if (!contents)
    cubins.push_back(llvm::toString(contents.takeError()));
  return cubins;
}

using Cubins = std::vector<std::string>;

TEST(Fatbin, PlainEntriesAndPadding) {
  std::string two =
      fatbin(entry(2, "one") + entry(1, "ptx") + entry(2, "two")) +
      std::string(13, '\0') + fatbin(entry(2, "three"));
  EXPECT_EQ(cubinsIn(two), Cubins({"one", "two", "three"}));
  EXPECT_EQ(cubinsIn(""), Cubins());
  auto contents = forEachCubin(two, [](llvm::StringRef) {});
  ASSERT_TRUE(bool(contents));
  EXPECT_EQ(contents->cubins, 3u);
  EXPECT_EQ(contents->uncompiled, 1u);
}

TEST(Fatbin, CompressedEntries) {
  std::string plain(5000, 'x');
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(plain), packed);
  std::string padded = llvm::toStringRef(packed).str() + std::string(3, '\0');
  EXPECT_EQ(cubinsIn(fatbin(entry(2, padded, 0x8011, packed.size(), 5000))),
            Cubins({plain}));
  // "abcabcabcabcX": three literals, nine more from three bytes back, one.
  std::string block = std::string("\x35"
                                  "abc\x03\x00\x10X",
                                  8);
  EXPECT_EQ(cubinsIn(fatbin(entry(2, block, 0x2011, 8, 13))),
            Cubins({"abcabcabcabcX"}));
}

TEST(Fatbin, LZ4LengthsOfMoreThanFifteen) {
  // 300 literals: 15 + 255 + 30, then a match of 4 + 15 + 255 + 0.
  std::string literals;
  for (int i = 0; i != 300; ++i)
    literals += char('a' + i % 26);
  std::string block = std::string("\xff\xff\x1e", 3) + literals +
                      std::string("\x1a\x00\xff\x00\x00", 5);
  auto plain = decompressLZ4(block, 300 + 274);
  ASSERT_TRUE(bool(plain)) << llvm::toString(plain.takeError());
  EXPECT_EQ(plain->substr(0, 300), literals);
  EXPECT_EQ(plain->substr(300, 26), literals.substr(274, 26));
}

TEST(Fatbin, BrokenOnesAreErrors) {
  std::string good = fatbin(entry(2, "content"));
  for (size_t size = 1; size != good.size(); ++size)
    EXPECT_THAT(cubinsIn(good.substr(0, size)).back(),
                HasSubstr("malformed fatbin"))
        << size;
  std::string other = good;
  other[4] = 9;
  EXPECT_EQ(cubinsIn(other).back(), "malformed fatbin: version 9 is not known");
  // More than any compiler makes, or than so few bytes can hold.
  EXPECT_THAT(
      cubinsIn(fatbin(entry(2, "abc", 0x8011, 3, uint64_t(1) << 40))).back(),
      HasSubstr("1099511627776 bytes"));
  EXPECT_THAT(cubinsIn(fatbin(entry(2, "abc", 0x2011, 3, 100000))).back(),
              HasSubstr("compressed code of"));
  EXPECT_THAT(cubinsIn(fatbin(entry(2, "abc", 0x2011, 99, 100))).back(),
              HasSubstr("cut off"));
}

TEST(Fatbin, BrokenLZ4IsAnError) {
  for (auto block : {std::string("\x35"
                                 "abc\x00\x00",
                                 6),
                     std::string("\x35"
                                 "abc\x09\x00",
                                 6),
                     std::string("\x35"
                                 "abc\x03",
                                 5),
                     std::string("\xf0"),
                     std::string("\x40"
                                 "abc")}) {
    auto plain = decompressLZ4(block, 12);
    EXPECT_FALSE(bool(plain)) << llvm::toHex(block);
    if (!plain)
      llvm::consumeError(plain.takeError());
  }
}

} // namespace
