// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a file is kept while the rest of it is edited.

#include "source/LeadingIncludes.h"

#include "gtest/gtest.h"

using namespace coreside;

namespace {

/// What is kept of `text`.
std::string keptOf(const std::string &text) {
  clang::LangOptions language;
  language.CPlusPlus = true;
  clang::PreambleBounds bounds =
      leadingIncludes(language, llvm::MemoryBufferRef(text, "a.cu"));
  return text.substr(0, bounds.Size);
}

TEST(LeadingIncludes, GoUpToTheFirstBody) {
  const std::string constants = "const char *name = \"#include <none>\";\n"
                                "int sizes[] = {1, 2};\n"
                                "void declared(int (*)(int));\n";
  const std::string body = "__global__ void kernel() {}\n"
                           "#include <after>\n";
  EXPECT_EQ(keptOf("#include <a>\n" + constants + "#include <b>\n" + body),
            "#include <a>\n" + constants + "#include <b>\n");
  EXPECT_EQ(keptOf(constants + "#include <b>"), constants);
  EXPECT_EQ(keptOf(constants + "#include <b>\n#define N \\\n 3\nint n = N;\n"),
            constants + "#include <b>\n#define N \\\n 3\n");
  // Nothing is included behind them.
  EXPECT_EQ(keptOf("#include <a>\n" + constants + "#define N 3\n" + body),
            "#include <a>\n");
  for (const char *stop :
       {"struct S { int n; };\n", "template <class T> T f(T);\n",
        "namespace n {\n", "extern \"C\" {\n", "int f() { return 3; }\n",
        "auto f = [] { return 3; };\n", "}\n", "int unfinished\n"})
    EXPECT_EQ(
        keptOf("#include <a>\n" + std::string(stop) + "#include <b>\n" + body),
        "#include <a>\n")
        << stop;
}

TEST(LeadingIncludes, DoNotEndWithinAConditionOfTheirOwn) {
  EXPECT_EQ(keptOf("int n;\n#ifdef A\n#include <a>\n#endif\nint m;\n"),
            "int n;\n#ifdef A\n#include <a>\n#endif\n");
  EXPECT_EQ(keptOf("int n;\n#include <a>\n#ifdef A\n#include <b>\nint m;\n"
                   "#endif\n#include <c>\nint k;\n"),
            "int n;\n#include <a>\n#ifdef A\n#include <b>\nint m;\n"
            "#endif\n#include <c>\n");
  EXPECT_EQ(keptOf("int n;\n#include <a>\n#ifdef A\nvoid f() {}\n#endif\n"
                   "#include <c>\n"),
            "int n;\n#include <a>\n");
}

} // namespace
