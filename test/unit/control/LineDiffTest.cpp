// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/LineDiff.h"

#include <gtest/gtest.h>

#include <random>

using namespace coreside;
using llvm::StringRef;

static std::string script(StringRef before, StringRef after) {
  return lineScript(linesOf(before), linesOf(after));
}

TEST(LineDiff, FindsTheFewestLines) {
  EXPECT_EQ(script("", ""), "");
  EXPECT_EQ(script("a\nb\n", "a\nb\n"), "  ");
  EXPECT_EQ(script("a\nb\nc\n", "a\nx\nc\n"), " -+ ");
  EXPECT_EQ(script("a\nb\nc\nd\n", "b\nd\ne\n"), "- - +");
  EXPECT_EQ(script("", "a\n"), "+");
  EXPECT_EQ(script("a", "a\n"), "-+");
}

TEST(LineDiff, ScriptLeadsFromOneToTheOther) {
  std::mt19937 random(7);
  for (int round = 0; round != 200; ++round) {
    std::string texts[2];
    for (std::string &text : texts)
      for (unsigned i = random() % 20; i; --i)
        text += std::string(1, char('a' + random() % 4)) + "\n";
    std::vector<StringRef> before = linesOf(texts[0]),
                           after = linesOf(texts[1]);
    std::string made;
    size_t i = 0, j = 0;
    for (char step : lineScript(before, after)) {
      if (step != '-')
        made += after[j++];
      if (step != '+')
        ++i;
      if (step == ' ')
        EXPECT_EQ(before[i - 1], after[j - 1]);
    }
    EXPECT_EQ(made, texts[1]);
    EXPECT_EQ(i, before.size());
    EXPECT_EQ(j, after.size());
  }
}

TEST(LineDiff, WritesHunksAsDiffDoes) {
  EXPECT_EQ(
      unifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
                  "f"),
      "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  // Two changes near each other are one hunk, far from each other two.
  EXPECT_EQ(StringRef(unifiedDiff("a\n1\n2\n3\n4\n5\n6\nb\n",
                                  "x\n1\n2\n3\n4\n5\n6\ny\n", "f"))
                .count("@@ -"),
            1u);
  EXPECT_EQ(StringRef(unifiedDiff("a\n1\n2\n3\n4\n5\n6\n7\nb\n",
                                  "x\n1\n2\n3\n4\n5\n6\n7\ny\n", "f"))
                .count("@@ -"),
            2u);
  EXPECT_EQ(unifiedDiff("", "a\n", "f"),
            "--- a/f\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(unifiedDiff("a", "a\n", "f"),
            "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of "
            "file\n+a\n");
}
