// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kind of log per test: what is read from it, and what is not.

#include "resources/PtxasLog.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace coreside;
using testing::HasSubstr;

namespace {

LogReading read(llvm::StringRef text, LogOptions options = {}) {
  return readPtxasLog(llvm::MemoryBufferRef(text, "b.log"), options);
}

/// "blur sm_90 r40 s2048 b1 spills 8/4" and what else is known.
std::string shortly(const KernelResources &record) {
  auto number = [](std::optional<unsigned> value) {
    return value ? std::to_string(*value) : std::string("?");
  };
  std::string text =
      record.kernel + " " +
      (record.target.empty() ? smName(record.capability) : record.target) +
      " r" + number(record.registers) + " s" + number(record.staticShared) +
      " b" + number(record.barriers) + " spills " + number(record.spillStores) +
      "/" + number(record.spillLoads);
  return text + (record.final ? "" : " unlinked");
}

std::vector<std::string> shortly(const LogReading &reading) {
  std::vector<std::string> all;
  for (const KernelResources &record : reading.records)
    all.push_back(shortly(record));
  return all;
}

using Lines = std::vector<std::string>;

constexpr llvm::StringLiteral Blur =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z4blurPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z4blurPf\n"
    "    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative "
    "stack size, 2048 bytes smem\n"
    "ptxas info    : Compile time = 3.141 ms\n";
const Lines BlurRead = {"_Z4blurPf sm_90 r40 s2048 b1 spills 8/4"};

TEST(PtxasLog, ReadsAKernel) {
  LogReading reading = read(Blur);
  EXPECT_EQ(shortly(reading), BlurRead);
  EXPECT_EQ(reading.records[0].stack, 16u);
  EXPECT_EQ(reading.records[0].constant, std::nullopt);
  EXPECT_EQ(reading.records[0].source, "b.log:5");
  EXPECT_EQ(reading.notes, Lines());
}

TEST(PtxasLog, OldToolsSayLess) {
  // CUDA 8 to 11: no barriers; constant banks; textures.
  LogReading reading = read(
      "ptxas info    : 77696 bytes gmem, 72 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function '_Z4warpPf' for 'sm_61'\n"
      "ptxas info    : Function properties for _Z4warpPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 18 registers, 264 bytes smem, 344 bytes "
      "cmem[0], 8 bytes cmem[2], 2 textures\n");
  EXPECT_EQ(shortly(reading),
            Lines({"_Z4warpPf sm_61 r18 s264 b? spills 0/0"}));
  EXPECT_EQ(reading.records[0].constant, 344u);
  // What the user and what the system asked for, in CUDA 3.
  EXPECT_EQ(shortly(read(
                "ptxas info    : Compiling entry function '_Z1kv' for 'sm_13'\n"
                "ptxas info    : Used 5 registers, 2072+16 bytes smem, 4 bytes "
                "cmem[1]\n")),
            Lines({"_Z1kv sm_13 r5 s2088 b? spills ?/?"}));
}

TEST(PtxasLog, ArchitecturesOfOneKernel) {
  std::string log;
  for (llvm::StringRef target : {"sm_75", "sm_89", "sm_90a", "sm_120"})
    log += ("ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry "
            "function '_Z1kv' for '" +
            target +
            "'\nptxas info    : Function properties for _Z1kv\n    0 bytes "
            "stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas "
            "info    : Used " +
            target.substr(3).take_while(llvm::isDigit) +
            " registers, used 0 barriers\n")
               .str();
  EXPECT_EQ(shortly(read(log)), Lines({"_Z1kv sm_75 r75 s0 b0 spills 0/0",
                                       "_Z1kv sm_89 r89 s0 b0 spills 0/0",
                                       "_Z1kv sm_90a r90 s0 b0 spills 0/0",
                                       "_Z1kv sm_120 r120 s0 b0 spills 0/0"}));
}

/// Each line of Blur with something before and behind it.
std::string dressed(llvm::StringRef before, llvm::StringRef behind) {
  std::string log;
  for (llvm::StringRef line : llvm::split(Blur.rtrim('\n'), '\n'))
    log += (before + line + behind + "\n").str();
  return log;
}

TEST(PtxasLog, PrefixesSuffixesAndColours) {
  EXPECT_EQ(shortly(read(dressed("", "\r"))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("1>", ""))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("    12>", "\r"))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("2026-11-30T12:00:00.123Z ", ""))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("#14 31.41 ", ""))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("[build] ", "  "))), BlurRead);
  EXPECT_EQ(shortly(read(dressed("\x1b[35m\x1b[1m", "\x1b[0m"))), BlurRead);
}

TEST(PtxasLog, OtherFormsOfThePrefix) {
  std::string log = Blur.str();
  for (llvm::StringRef form :
       {"ptxas info :", "ptxas : info :", "CUDACOMPILE : ptxas info :",
        "nvcc.exe : ptxas info    :", "1>ptxas : info :"}) {
    std::string changed;
    for (llvm::StringRef line : llvm::split(log, '\n')) {
      if (line.consume_front("ptxas info    :"))
        changed += form;
      changed += (line + "\n").str();
    }
    EXPECT_EQ(shortly(read(changed)), BlurRead) << form.str();
  }
}

TEST(PtxasLog, SixteenBitCharacters) {
  std::string low = "\xff\xfe", high = "\xfe\xff";
  for (char c : Blur) {
    low += c;
    low += '\0';
    high += '\0';
    high += c;
  }
  EXPECT_EQ(shortly(read(low)), BlurRead);
  EXPECT_EQ(shortly(read(high)), BlurRead);
  EXPECT_EQ(shortly(read("\xef\xbb\xbf" + Blur.str())), BlurRead);
}

TEST(PtxasLog, WrappedAtAnyWidth) {
  for (size_t width = 24; width != 130; ++width)
    for (bool dropBlanks : {false, true}) {
      std::string log;
      for (llvm::StringRef line : llvm::split(Blur.rtrim('\n'), '\n')) {
        for (; line.size() > width; line = line.drop_front(width)) {
          llvm::StringRef piece = line.take_front(width);
          log += (dropBlanks ? piece.rtrim() : piece).str() + "\n";
          // Only one side of the break loses its blank.
          if (dropBlanks && line[width] == ' ')
            line = line.drop_front();
          if (line.size() <= width)
            break;
        }
        log += line.str() + "\n";
      }
      LogReading reading = read(log);
      // What it reads is right, and from 60 columns on it reads all.
      for (const std::string &record : shortly(reading))
        EXPECT_THAT(record, HasSubstr(" r40 s2048 b1 ")) << width;
      if (width >= 60 && !dropBlanks)
        EXPECT_EQ(shortly(reading), BlurRead) << width;
    }
}

TEST(PtxasLog, OtherOutputBetween) {
  EXPECT_EQ(
      shortly(read(
          "[1/9] nvcc -Xptxas -v -c a.cu\n"
          "ptxas warning : Value of threads per SM for entry _Z4blurPf is out "
          "of range. .minnctapersm will be ignored\n"
          "ptxas info    : Overriding maximum register limit 256 for "
          "'_Z4blurPf' with  24 of maxrregcount option\n"
          "ptxas info    : (C7519) Potential Performance Loss: wgmma.mma_async "
          "instructions are serialized in function '_Z4blurPf'\n"
          "a.cu(7): warning #177-D: variable \"n\" was declared but never "
          "referenced\n" +
          Blur.str() +
          "make[2]: Leaving directory '/b'\nnote: 24 bytes stack used \n"
          "info: 12 bytes of text\nUsed 3 registers of 8\n")),
      BlurRead);
}

TEST(PtxasLog, WhatGrepLeaves) {
  // Users save `| grep ptxas` or less.
  Lines kinds = {"Compiling", "Function prop", "bytes stack", "Used"};
  for (unsigned left : {0b1111, 0b1011, 0b1001, 0b1101}) {
    std::string log;
    for (int i = 0; i != 2; ++i)
      for (llvm::StringRef line : llvm::split(Blur, '\n'))
        for (int kind = 0; kind != 4; ++kind)
          if ((left >> kind & 1) && line.contains(kinds[kind]))
            log += (line + "\n").str();
    std::string spills = left & 0b100 ? "8/4" : "?/?";
    // Spills without the name they belong to are nobody's.
    if (left == 0b1101)
      spills = "?/?";
    std::string expected = "_Z4blurPf sm_90 r40 s2048 b1 spills " + spills;
    if (left == 0b1101)
      continue;
    EXPECT_EQ(shortly(read(log)), Lines({expected, expected})) << left;
  }
}

TEST(PtxasLog, CalleesKeepTheirOwnSpills) {
  LogReading reading =
      read(Blur.str() + "ptxas info    : Function properties for _Z3eatPKfi\n"
                        "    0 bytes stack frame, 688 bytes spill stores, 732 "
                        "bytes spill loads\n"
                        "ptxas info    : Function properties for _Z3nipPKfi\n"
                        "    0 bytes stack frame, 70 bytes spill stores, 900 "
                        "bytes spill loads\n");
  EXPECT_EQ(shortly(reading), BlurRead);
  EXPECT_EQ(reading.records[0].calleeSpillStores, 688u);
  EXPECT_EQ(reading.records[0].calleeSpillLoads, 900u);
  ASSERT_EQ(reading.functions.size(), 2u);
  EXPECT_EQ(reading.functions[0].name, "_Z3eatPKfi");
  EXPECT_EQ(reading.functions[0].kernel, "_Z4blurPf");
  EXPECT_EQ(reading.functions[1].spillStores, 70u);
}

TEST(PtxasLog, FunctionsBeforeAnyKernelMeanRelocatableCode) {
  LogReading reading =
      read("ptxas info    : 0 bytes gmem\n"
           "ptxas info    : Function properties for _Z3eatPKfi$3\n"
           "    480 bytes stack frame, 820 bytes spill stores, 856 bytes spill "
           "loads\n" +
           Blur.split('\n').second.str());
  EXPECT_EQ(shortly(reading), Lines({BlurRead[0] + " unlinked"}));
  EXPECT_EQ(reading.records[0].calleeSpillStores, std::nullopt);
  ASSERT_EQ(reading.functions.size(), 1u);
  EXPECT_EQ(reading.functions[0].kernel, "");
  // The next file is another matter.
  EXPECT_TRUE(read("ptxas info    : 0 bytes gmem\n"
                   "ptxas info    : Function properties for _Z3eatPKfi$3\n"
                   "    0 bytes stack frame, 0 bytes spill stores, 0 bytes "
                   "spill loads\n" +
                   Blur.str())
                  .records[0]
                  .final);
}

TEST(PtxasLog, RelocatableNamesAndOptionMakeNumbersPreliminary) {
  std::string log = Blur.str();
  std::string other;
  for (llvm::StringRef line : llvm::split(log, '\n'))
    if (!line.contains("gmem")) {
      auto [before, after] = line.split("_Z4blurPf");
      other += before.str();
      if (!after.empty() || line.ends_with("_Z4blurPf"))
        other +=
            "__nv_static_25__0a1b2c3d_4_b_cu_99887766__Z1gPf" + after.str();
      other += "\n";
    }
  LogReading reading = read(log + other);
  ASSERT_EQ(reading.records.size(), 2u);
  EXPECT_FALSE(reading.records[0].final);
  EXPECT_FALSE(reading.records[1].final);
  LogOptions options;
  options.relocatable = true;
  EXPECT_FALSE(read(log, options).records[0].final);
}

constexpr llvm::StringLiteral Linked =
    "nvlink info    : 0 bytes gmem\n"
    "nvlink info    : Function properties for '_Z4blurPf':\n"
    "nvlink info    : used 96 registers, used 2 barriers, 0 stack, 3072 bytes "
    "smem, 548 bytes cmem[0], 0 bytes lmem\n";

TEST(PtxasLog, LinkerHasTheLastWord) {
  LogReading reading = read(Blur.str() + Linked.str());
  EXPECT_EQ(shortly(reading),
            Lines({BlurRead[0] + " unlinked",
                   // 3,072 bytes with the reserve, as ptxas shows.
                   "_Z4blurPf sm_90 r96 s2048 b2 spills ?/?"}));
  EXPECT_EQ(reading.records[1].constant, 548u);
}

TEST(PtxasLog, ReserveIsTakenOutOnlyWhereItIsCounted) {
  auto linkedShared = [](llvm::StringRef target, unsigned compiled,
                         unsigned linked) {
    std::string log =
        ("ptxas info    : Compiling entry function '_Z1kv' for '" + target +
         "'\nptxas info    : Function properties for _Z1kv\n    0 bytes stack "
         "frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : "
         "Used 9 registers, used 0 barriers, " +
         std::to_string(compiled) +
         " bytes smem\nnvlink info    : Function properties for '_Z1kv':\n"
         "nvlink info    : used 9 registers, used 0 barriers, 0 stack, " +
         std::to_string(linked) + " bytes smem, 0 bytes lmem\n")
            .str();
    return *read(log).records.back().staticShared;
  };
  EXPECT_EQ(linkedShared("sm_80", 2048, 2048), 2048u);
  EXPECT_EQ(linkedShared("sm_90", 2048, 3072), 2048u);
  EXPECT_EQ(linkedShared("sm_90", 2048, 2048), 2048u);
  EXPECT_EQ(linkedShared("sm_120", 2048, 2048), 2048u);
  EXPECT_EQ(linkedShared("sm_120", 2048, 3072), 2048u);
  // A function of another file brought shared memory of its own.
  EXPECT_EQ(linkedShared("sm_90", 2048, 2048 + 512 + 1024), 2560u);
  EXPECT_EQ(linkedShared("sm_80", 2048, 2560), 2560u);
  EXPECT_EQ(linkedShared("sm_90", 0, 0), 0u);
  EXPECT_EQ(linkedShared("sm_90", 0, 1024), 0u);
}

TEST(PtxasLog, LinkerNamesTheTargetWhenThereAreSeveral) {
  LogReading reading = read(
      "nvlink info    : 0 bytes gmem (target: sm_90)\n"
      "nvlink info    : Function properties for '_Z1kv': (target: sm_90)\n"
      "nvlink info    : used 32 registers, used 0 barriers, 0 stack, 0 bytes "
      "smem, 536 bytes cmem[0], 0 bytes lmem (target: sm_90)\n"
      "nvlink info    : 0 bytes gmem (target: sm_80)\n"
      "nvlink info    : Function properties for '_Z1kv': (target: sm_80)\n"
      "nvlink info    : used 40 registers, used 0 barriers, 0 stack, 0 bytes "
      "smem, 360 bytes cmem[0], 0 bytes lmem (target: sm_80)\n");
  EXPECT_EQ(shortly(reading), Lines({"_Z1kv sm_90 r32 s0 b0 spills ?/?",
                                     "_Z1kv sm_80 r40 s0 b0 spills ?/?"}));
}

TEST(PtxasLog, LinkerLinesWithoutATarget) {
  // Nobody says for what.
  LogReading reading = read(Linked);
  EXPECT_TRUE(reading.records.empty());
  ASSERT_EQ(reading.notes.size(), 1u);
  EXPECT_THAT(reading.notes[0], HasSubstr("b.log:3: linked registers of "
                                          "'_Z4blurPf' dropped"));
  // The caller does.
  LogOptions options;
  options.linkedFor = ComputeCapability{8, 9};
  EXPECT_EQ(shortly(read(Linked, options)),
            Lines({"_Z4blurPf sm_89 r96 s3072 b2 spills ?/?"}));
  // Two architectures were compiled, the linker ran once: for either.
  std::string both = Blur.str();
  for (llvm::StringRef line : llvm::split(Blur, '\n')) {
    auto [before, after] = line.split("sm_90");
    both += before.str() + (after.empty() ? "" : "sm_80") + after.str() + "\n";
  }
  reading = read(both + Linked.str());
  EXPECT_EQ(reading.records.size(), 2u);
  EXPECT_FALSE(reading.records[0].final);
  EXPECT_FALSE(reading.records[1].final);
  EXPECT_EQ(reading.notes.size(), 1u);
  // It ran twice and said the same.
  reading = read(both + Linked.str() + Linked.str());
  EXPECT_EQ(reading.records.size(), 4u);
}

TEST(PtxasLog, LinkerOutputInAnotherFile) {
  PtxasLogReader reader("compile.log");
  reader.feed(Blur);
  reader.open("link.log");
  reader.feed(Linked);
  LogReading reading = reader.finish();
  ASSERT_EQ(reading.records.size(), 2u);
  EXPECT_EQ(reading.records[0].source, "compile.log:5");
  EXPECT_EQ(reading.records[1].source, "link.log:3");
  EXPECT_EQ(reading.records[1].capability, (ComputeCapability{9, 0}));
  EXPECT_TRUE(reading.records[1].final);
}

TEST(PtxasLog, LinkerInsideTheDriver) {
  LogOptions options;
  options.linkedFor = ComputeCapability{7, 5};
  EXPECT_EQ(
      shortly(read("info    : 0 bytes gmem\n"
                   "info    : Function properties for 'saxpy':\n"
                   "info    : used 12 registers, 0 stack, 64 bytes smem, 348 "
                   "bytes cmem[0], 0 bytes lmem\n",
                   options)),
      Lines({"saxpy sm_75 r12 s64 b? spills ?/?"}));
}

TEST(PtxasLog, ErrorsAreKeptAndTheirKernelsAreNot) {
  LogReading reading =
      read("ptxas error   : Entry function '_Z4blurPf' uses too much shared "
           "data (0x800 bytes, 0x400 max)\n" +
           Blur.str() +
           "ptxas info    : Compiling entry function '_Z2okv' for 'sm_90'\n"
           "ptxas info    : Function properties for _Z2okv\n"
           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 8 registers, used 0 barriers\n"
           "nvlink error   : entry function '_Z2okv' with max regcount of 32 "
           "calls function '_Z3fari' with regcount of 64\n");
  EXPECT_EQ(shortly(reading), Lines({"_Z2okv sm_90 r8 s0 b0 spills 0/0"}));
  ASSERT_EQ(reading.errors.size(), 2u);
  EXPECT_EQ(reading.errors[0], "Entry function '_Z4blurPf' uses too much "
                               "shared data (0x800 bytes, 0x400 max)");
}

TEST(PtxasLog, TruncatedLogSaysSo) {
  llvm::StringRef whole = Blur;
  for (size_t size = 0; size != whole.size(); ++size) {
    LogReading reading = read(whole.take_front(size));
    // A "Used" line that ends at a comma cannot be told from a whole one.
    for (const KernelResources &record : reading.records)
      EXPECT_EQ(record.registers, 40u) << size;
    if (whole.take_front(size).contains("for 'sm_90'") &&
        !whole.take_front(size).contains("registers")) {
      EXPECT_EQ(reading.records.size(), 0u);
      EXPECT_GE(reading.notes.size(), 1u) << size;
    }
  }
}

TEST(PtxasLog, PiecesOfAnySize) {
  for (size_t size : {1, 2, 7, 63, 64, 1000}) {
    PtxasLogReader reader("b.log");
    for (llvm::StringRef rest = Blur; !rest.empty();
         rest = rest.drop_front(std::min(size, rest.size())))
      reader.feed(rest.take_front(size));
    EXPECT_EQ(shortly(reader.finish()), BlurRead) << size;
  }
}

TEST(PtxasLog, EndlessLineTakesNoMemory) {
  PtxasLogReader reader("b.log");
  std::string piece(1 << 16, 'x');
  for (int i = 0; i != 64; ++i)
    reader.feed(piece);
  reader.feed("\n");
  reader.feed(Blur);
  LogReading reading = reader.finish();
  EXPECT_EQ(shortly(reading), BlurRead);
  EXPECT_EQ(reading.records[0].source, "b.log:6");
}

TEST(PtxasLog, NotesAreCounted) {
  std::string log;
  for (int i = 0; i != 100; ++i)
    log += "ptxas info    : Used 8 registers, used 0 barriers\n";
  LogOptions options;
  options.maxNotes = 5;
  LogReading reading = read(log, options);
  ASSERT_EQ(reading.notes.size(), 6u);
  EXPECT_EQ(reading.notes.back(), "b.log: and 95 more");
}

TEST(PtxasLogFile, ErrorsNameTheFileAndTheCure) {
  auto error = [](auto expected) {
    EXPECT_FALSE(bool(expected));
    return llvm::toString(expected.takeError());
  };
  EXPECT_EQ(error(readPtxasLogFile("no/such.log")),
            "cannot read 'no/such.log': No such file or directory");
  llvm::SmallString<128> path;
  int file;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("coreside", "log", file, path));
  llvm::raw_fd_ostream(file, true) << "nothing of interest\n";
  EXPECT_EQ(error(readPtxasLogFile(path)),
            ("no ptxas records in '" + path +
             "': build with -Xptxas -v (or --resource-usage) and save what the "
             "compiler prints")
                .str());
  llvm::sys::fs::remove(path);
}

} // namespace
