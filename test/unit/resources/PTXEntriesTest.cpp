// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resources/PTXEntries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace coreside;

namespace {

constexpr llvm::StringLiteral File = R"(.version 9.0
.target sm_90
// .entry comment () { }
.global .align 1 .b8 text[4] = "}{";
.visible .entry declared(.param .u64 p);
.func (.param .b32 r) helper(.param .b32 a)
{
	ret;
}
	// .globl	first
.visible .entry first(
	.param .u64 first_param_0
)
.maxntid 256
{
	.reg .b32 %r<3>;
	{ // callseq 0, 0
}
	bogus;
	ret;
}
.weak .entry second$x()
{
	ret; /* } */
}
)";

std::vector<std::string> names(llvm::StringRef ptx) {
  std::vector<std::string> result;
  for (const PTXEntry &entry : ptxEntries(ptx))
    result.push_back(entry.name.str());
  return result;
}

TEST(PTXEntries, DefinitionsOnly) {
  EXPECT_THAT(names(File), testing::ElementsAre("first", "second$x"));
  EXPECT_TRUE(ptxEntries("").empty());
  EXPECT_TRUE(ptxEntries(".entry").empty());
  EXPECT_TRUE(ptxEntries(".visible .entry cut(\n)\n{\n ret;").empty());
}

TEST(PTXEntries, OtherLinesStayWhereTheyWere) {
  std::string rest = withoutEntries(File, {{"first"}});
  EXPECT_THAT(names(rest), testing::ElementsAre("second$x"));
  EXPECT_EQ(llvm::StringRef(rest).count('\n'), File.count('\n'));
  EXPECT_EQ(rest.find(".weak"), File.find(".weak"));
  EXPECT_EQ(rest.find("bogus"), std::string::npos);
  EXPECT_NE(rest.find("helper"), std::string::npos);
}

TEST(PTXEntries, ErrorsSayWhere) {
  auto errors = [](llvm::StringRef output) {
    std::vector<std::string> found;
    for (const auto &name : entriesWithErrors(File, output))
      found.push_back(name.getKey().str());
    return found;
  };
  EXPECT_THAT(errors("ptxas /t/x.ptx, line 19; error   : Not a name\n"),
              testing::ElementsAre("first"));
  EXPECT_THAT(errors("ptxas /t/x.ptx, line 8; error   : in a function\n"),
              testing::IsEmpty());
  EXPECT_THAT(errors("ptxas /t/x.ptx, line 900; error   : no such line\n"),
              testing::IsEmpty());
  EXPECT_THAT(errors("ptxas error   : Entry function 'second$x' uses too much "
                     "shared data (0x13880 bytes, 0xc000 max)\n"),
              testing::ElementsAre("second$x"));
  EXPECT_THAT(errors("ptxas warning : for 'first', line 19;\n"),
              testing::IsEmpty());
}

TEST(PTXEntries, PlacesDoNotCount) {
  EXPECT_EQ(
      ptxWithoutPlaces("// a\n.file 1 \"a.cu\"\n\t.loc 1 4 2\n\tret;\n"),
      ptxWithoutPlaces("// b\n\n.file 1 \"b.cu\"\n\t.loc 1 5 2\n\tret;\n"));
  EXPECT_NE(ptxWithoutPlaces("\tret;\n"), ptxWithoutPlaces("\texit;\n"));
}

TEST(PTXEntries, HashesOfTheFileDoNotCount) {
  // The same file twice: with the process id in the hash, and named after its
  // first function.
  auto key = [](const std::string &name) {
    return ptxWithoutPlaces(".entry " + name + "\n");
  };
  EXPECT_EQ(key("_ZN36_GLOBAL__N__475fde5e_4_g_cu_944e1d283hidEPf"),
            key("_ZN36_GLOBAL__N__475fde5e_4_g_cu__Z2goPfi3hidEPf"));
  EXPECT_EQ(
      key("_ZN43_INTERNAL_b7df61da_4_g_cu_e27c8dec_1621144cuda3std3__445_GLOBAL"
          "__N__b7df61da_4_g_cu_e27c8dec_1621146ignoreE"),
      key("_ZN42_INTERNAL_b7df61da_4_g_cu_29674eb8_999914cuda3std3__444_GLOBAL_"
          "_N__b7df61da_4_g_cu_29674eb8_999916ignoreE"));
  EXPECT_EQ(key("__nv_static_25__0aa1b2c3_4_g_cu_d4e5f607__Z4blurPf"),
            key("__nv_static_25__0aa1b2c3_4_g_cu_11111111__Z4blurPf"));
  EXPECT_NE(key("_ZN36_GLOBAL__N__475fde5e_4_g_cu_944e1d283hidEPf"),
            key("_ZN36_GLOBAL__N__475fde5e_4_g_cu_944e1d283herEPf"));
  EXPECT_NE(key("_GLOBAL__N__a"), key("_GLOBAL__N__b"));
  EXPECT_NE(key("9_GLOBAL__N__0_"), key("8_GLOBAL__N__0_"));
}

} // namespace
