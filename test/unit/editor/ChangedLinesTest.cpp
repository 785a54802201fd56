// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor/ChangedLines.h"

#include "gtest/gtest.h"

using namespace coreside;

TEST(ChangedLines, WhatIsBeforeAndBehind) {
  ChangedLines lines("a\nb\nc\n", "a\nx\ny\nc\n");
  EXPECT_EQ(0u, lines.now(0));
  EXPECT_EQ(std::nullopt, lines.now(1));
  EXPECT_EQ(3u, lines.now(2));
  EXPECT_EQ(4u, lines.now(3));
  EXPECT_EQ(std::nullopt, lines.now(4));
  EXPECT_EQ(2u, lines.before(3));
  EXPECT_EQ(std::nullopt, lines.before(1));
}

TEST(ChangedLines, Unchanged) {
  ChangedLines lines("a\nb", "a\nb");
  EXPECT_EQ(1u, lines.now(1));
  EXPECT_EQ(std::nullopt, lines.now(2));
}

TEST(ChangedLines, LinesThatAreAlike) {
  // One of three is gone; which one nobody can tell, and no line is there
  // twice.
  ChangedLines lines("x\nx\nx", "x\nx");
  EXPECT_EQ(0u, lines.now(0));
  EXPECT_EQ(1u, lines.now(1));
  EXPECT_EQ(std::nullopt, lines.now(2));
}

TEST(ChangedLines, RangesOverTheChange) {
  ChangedLines lines("a\nb\nc\nd", "a\nb\nx\nc\nd");
  EXPECT_EQ(std::nullopt, lines.now(TextRange{{1, 0}, {2, 1}}));
  std::optional<TextRange> moved = lines.now(TextRange{{2, 1}, {3, 2}});
  ASSERT_TRUE(moved);
  EXPECT_EQ((TextPosition{3, 1}), moved->start);
  EXPECT_EQ((TextPosition{4, 2}), moved->end);
}
