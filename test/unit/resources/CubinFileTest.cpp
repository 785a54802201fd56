// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins put together by hand, in the layout that CUDA 13.0 writes and in the
// one before it. test/resources/ reads real ones.

#include "resources/CubinFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

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

/// An attribute with bytes of its own.
std::string attribute(unsigned attribute, llvm::ArrayRef<uint32_t> words) {
  std::string text =
      number(4, 1) + number(attribute, 1) + number(words.size() * 4, 2);
  for (uint32_t word : words)
    text += number(word, 4);
  return text;
}

struct Section {
  std::string name;
  unsigned type;
  std::string contents;
  uint64_t size;
  uint64_t flags = 0;
  uint32_t info = 0;
};

/// A cubin with one kernel, which is symbol 1.
struct Cubin {
  std::string kernel = "_Z4blurPf";
  uint32_t flags = 0x6005a04; // sm_90
  unsigned abi = 8;
  unsigned type = llvm::ELF::ET_EXEC;
  unsigned kernelSymbols = 1;
  std::vector<Section> sections;

  void add(std::string name, std::string contents) {
    size_t size = contents.size();
    sections.push_back({name, llvm::ELF::SHT_PROGBITS, contents, size});
  }
  void reserve(std::string name, uint64_t size) {
    sections.push_back({name, llvm::ELF::SHT_NOBITS, "", size});
  }

  std::string bytes() const {
    std::string names(1, '\0');
    std::vector<Section> all = {{"", 0, "", 0}};
    std::string strings = std::string(1, '\0') + kernel + std::string(1, '\0');
    std::string symbols(24, '\0');
    for (unsigned i = 0; i != kernelSymbols; ++i)
      symbols += number(1, 4) + number(0x12, 1) + number(0x10, 1) +
                 number(1, 2) + number(0, 16);
    all.insert(all.end(), sections.begin(), sections.end());
    all.push_back({".strtab", llvm::ELF::SHT_STRTAB, strings, strings.size()});
    all.push_back({".symtab", llvm::ELF::SHT_SYMTAB, symbols, symbols.size()});
    all.push_back({".shstrtab", llvm::ELF::SHT_STRTAB, "", 0});
    for (const Section &section : all)
      names += section.name + std::string(1, '\0');
    all.back().contents = names;
    all.back().size = names.size();

    std::string text = std::string("\x7f"
                                   "ELF\x02\x01\x01\x41",
                                   8) +
                       number(abi, 1) + std::string(7, '\0');
    text += number(type, 2) + number(190, 2) + number(1, 4) + number(0, 16);
    size_t offset = 64;
    for (const Section &section : all)
      offset += section.contents.size();
    text += number(offset, 8) + number(flags, 4) + number(64, 2) +
            number(0, 4) + number(64, 2) + number(all.size(), 2) +
            number(all.size() - 1, 2);
    for (const Section &section : all)
      text += section.contents;
    size_t name = 1, at = 64;
    for (const Section &section : all) {
      bool symbolTable = section.type == llvm::ELF::SHT_SYMTAB;
      text += number(name, 4) + number(section.type, 4) +
              number(section.flags, 8) + number(0, 8) + number(at, 8) +
              number(section.size, 8) +
              number(symbolTable ? all.size() - 3 : 0, 4) +
              number(section.info, 4) + number(1, 8) +
              number(symbolTable ? 24 : 0, 8);
      name += section.name.size() + 1;
      at += section.contents.size();
    }
    return text;
  }
};

Cubin blur() {
  Cubin cubin;
  cubin.add(".nv.info", attribute(0x2f, {1, 40}) + attribute(0x11, {1, 16}) +
                            attribute(0x12, {1, 48}));
  cubin.add(".nv.info._Z4blurPf", attribute(0x05, {64, 4, 1}) + number(2, 1) +
                                      number(0x4c, 1) + number(3, 2));
  cubin.add(".nv.constant0._Z4blurPf", std::string(536, '\0'));
  cubin.reserve(".nv.shared._Z4blurPf", 2048 + 1024);
  return cubin;
}

llvm::Expected<BinaryReading> read(const std::string &bytes) {
  return readBinary(llvm::MemoryBufferRef(bytes, "blur.cubin"));
}

std::string errorOf(const std::string &bytes) {
  auto reading = read(bytes);
  return reading ? "" : llvm::toString(reading.takeError());
}

TEST(CubinFile, ReadsAKernel) {
  auto reading = read(blur().bytes());
  ASSERT_TRUE(bool(reading)) << llvm::toString(reading.takeError());
  ASSERT_EQ(reading->records.size(), 1u);
  const KernelResources &record = reading->records[0];
  EXPECT_EQ(record.kernel, "_Z4blurPf");
  EXPECT_EQ(record.capability, (ComputeCapability{9, 0}));
  EXPECT_EQ(record.registers, 40u);
  EXPECT_EQ(record.staticShared, 2048u);
  EXPECT_EQ(record.barriers, 3u);
  EXPECT_EQ(record.stack, 48u);
  EXPECT_EQ(record.constant, 536u);
  EXPECT_EQ(record.maxThreadsPerBlock, 256u);
  EXPECT_EQ(record.spillStores, std::nullopt);
  EXPECT_TRUE(record.final);
  EXPECT_EQ(record.source, "blur.cubin");
}

TEST(CubinFile, ReserveIsInLinkedCodeFromHopperOn) {
  Cubin cubin = blur();
  cubin.flags = 0x6005004; // sm_80
  EXPECT_EQ(read(cubin.bytes())->records[0].staticShared, 3072u);
  cubin = blur();
  cubin.type = llvm::ELF::ET_REL;
  EXPECT_EQ(read(cubin.bytes())->records[0].staticShared, 3072u);
  EXPECT_FALSE(read(cubin.bytes())->records[0].final);
  cubin = blur();
  cubin.sections.pop_back();
  EXPECT_EQ(read(cubin.bytes())->records[0].staticShared, 0u);
}

TEST(CubinFile, OlderLayout) {
  // The number of the architecture in the low byte, barriers and registers with
  // the code.
  Cubin cubin;
  cubin.abi = 7;
  cubin.flags = 0x004b054b;
  cubin.sections.push_back({".text._Z4blurPf", llvm::ELF::SHT_PROGBITS, "", 0,
                            uint64_t(2) << 20 | 6, 33u << 24 | 5});
  auto reading = read(cubin.bytes());
  ASSERT_TRUE(bool(reading)) << llvm::toString(reading.takeError());
  EXPECT_EQ(reading->records[0].capability, (ComputeCapability{7, 5}));
  EXPECT_EQ(reading->records[0].registers, 33u);
  EXPECT_EQ(reading->records[0].barriers, 2u);
}

TEST(CubinFile, UnknownAttributesAreSkipped) {
  Cubin cubin = blur();
  cubin.sections[0].contents = attribute(0x7a, {1, 2, 3}) + number(1, 1) +
                               number(0x35, 1) + number(0, 2) +
                               cubin.sections[0].contents;
  cubin.sections[0].size = cubin.sections[0].contents.size();
  EXPECT_EQ(read(cubin.bytes())->records[0].registers, 40u);
}

TEST(CubinFile, SymbolsOutOfRangeAreNobodys) {
  Cubin cubin = blur();
  cubin.sections[0].contents = attribute(0x2f, {77, 40});
  cubin.sections[0].size = 12;
  EXPECT_EQ(read(cubin.bytes())->records[0].registers, std::nullopt);
}

TEST(CubinFile, BrokenOnesAreErrors) {
  EXPECT_EQ(errorOf("text"), "cannot read 'blur.cubin': neither a cubin or "
                             "fatbin nor an object file");
  EXPECT_EQ(errorOf(""), "cannot read 'blur.cubin': neither a cubin or fatbin "
                         "nor an object file");
  Cubin cubin = blur();
  cubin.kernelSymbols = 0;
  EXPECT_EQ(errorOf(cubin.bytes()),
            "no machine code of a kernel in 'blur.cubin'");
  cubin.kernelSymbols = 2;
  EXPECT_THAT(errorOf(cubin.bytes()), HasSubstr("two kernels are called"));
  cubin = blur();
  cubin.flags = 0;
  EXPECT_THAT(errorOf(cubin.bytes()), HasSubstr("no architecture"));
  cubin = blur();
  cubin.sections[0].contents.resize(20);
  cubin.sections[0].size = 20;
  EXPECT_THAT(errorOf(cubin.bytes()), HasSubstr("does not end"));
}

TEST(CubinFile, AnyByteMayBeWrong) {
  std::string good = blur().bytes();
  for (size_t at = 0; at != good.size(); ++at)
    for (char value : {'\0', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[at] = value;
      EXPECT_EQ(errorOf(bad).find('\n'), std::string::npos);
    }
  for (size_t size = 0; size != good.size(); ++size)
    EXPECT_NE(errorOf(good.substr(0, size)), "") << size;
}

/// An archive whose only member says that it has `size` bytes.
std::string archive(const std::string &member, size_t size) {
  std::string text = std::to_string(size);
  text.resize(10, ' ');
  return "!<arch>\nblur.o/         0           0     0     644     " + text +
         "`\n" + member;
}

TEST(CubinFile, MembersOfAnArchiveEndWithinIt) {
  std::string member = blur().bytes();
  member.resize(member.size() + member.size() % 2);
  EXPECT_EQ(errorOf(archive(member, member.size())), "");
  EXPECT_THAT(errorOf(archive(member, member.size() + 400000)),
              HasSubstr("malformed archive: a member is longer than the file"));
}

TEST(CubinFile, TellsBinariesFromText) {
  EXPECT_TRUE(looksLikeBinary(blur().bytes()));
  EXPECT_TRUE(looksLikeBinary("!<arch>\nx"));
  EXPECT_FALSE(looksLikeBinary("ptxas info    : 0 bytes gmem"));
  EXPECT_FALSE(looksLikeBinary(""));
}

} // namespace
