// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hashes are what the algorithm of GitHub's upload action gives, worked out
// by another program.

#include "writers/LineHashes.h"

#include <gtest/gtest.h>

using namespace coreside;
using Hashes = std::vector<std::string>;

TEST(LineHashes, EachLineHasOneAndSoHasTheEndOfTheFile) {
  EXPECT_EQ(lineHashes(""), Hashes{"c129715d7a2bc9a3:1"});
  EXPECT_EQ(lineHashes("int a;\n"),
            (Hashes{"fe6def72dd4ce68c:1", "c129715d7a2bc9a3:1"}));
}

TEST(LineHashes, SpacesDoNotCountAndLineEndsAreAlike) {
  EXPECT_EQ(lineHashes("  a\t b\r\n\r\na b\rc\n"), lineHashes("ab\n\nab\nc\n"));
  EXPECT_EQ(
      lineHashes("  a\t b\r\n\r\na b\rc\n"),
      (Hashes{"c77628ae9c80ea98:1", "aaa1ec330613819b:1", "b146fd59e1b128fd:1",
              "3791504be0bd17cc:1", "c129715d7a2bc9a3:1"}));
}

TEST(LineHashes, CharactersAreUTF16UnitsAndAlikeLinesAreCounted) {
  std::string row(250, 'x');
  EXPECT_EQ(
      lineHashes("größe\xF0\x9D\x92\xB3<<<1>>>();\n" + row + "\n" + row + "\n"),
      (Hashes{"83655764ac68ac8c:1", "52b56201ffb58620:1", "52b56201ffb58620:2",
              "c129715d7a2bc9a3:1"}));
  Hashes empty = lineHashes(std::string(130, '\n'));
  ASSERT_EQ(empty.size(), 131u);
  EXPECT_EQ(empty[3], "b18f1d802aa475d8:4");
}

TEST(LineHashes, WhatIsNotUTF8IsNoTrouble) {
  EXPECT_EQ(lineHashes("\xFF\xFE\n").size(), 2u);
}
