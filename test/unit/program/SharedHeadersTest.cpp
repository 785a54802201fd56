// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which headers are read once, for which files.

#include "source/SharedHeaders.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace coreside;

namespace {

using Headers = std::vector<std::string>;

TEST(SharedHeaders, WhatMostFilesHaveIsAroundWhatFewerHave) {
  SharedHeaders shared = shareHeaders({{"string", "vector"},
                                       {"string"},
                                       {"vector", "string"},
                                       {"string", "vector"},
                                       {"map"},
                                       {}},
                                      3);
  ASSERT_EQ(shared.groups.size(), 2u);
  EXPECT_EQ(shared.groups[0].headers, Headers{"string"});
  EXPECT_EQ(shared.groups[0].parent, std::nullopt);
  EXPECT_EQ(shared.groups[0].files, 4u);
  EXPECT_EQ(shared.groups[1].headers, Headers{"vector"});
  EXPECT_EQ(shared.groups[1].parent, 0u);
  EXPECT_EQ(shared.groups[1].files, 3u);
  const std::vector<std::optional<size_t>> groupOf = {1, 0, 1, 1, {}, {}};
  EXPECT_EQ(shared.groupOf, groupOf);
}

TEST(SharedHeaders, HeadersOfTheSameFilesAreOneGroup) {
  SharedHeaders shared = shareHeaders(
      {{"b", "a", "own"}, {"a", "b"}, {"b", "a"}, {"c"}, {"c"}, {"d"}}, 3);
  ASSERT_EQ(shared.groups.size(), 1u);
  // In the order in which they are met.
  EXPECT_EQ(shared.groups[0].headers, (Headers{"b", "a"}));
  EXPECT_EQ(shared.groupOf[0], 0u);
  EXPECT_EQ(shared.groupOf[3], std::nullopt);
}

TEST(SharedHeaders, TooFewFilesShareNothing) {
  EXPECT_TRUE(shareHeaders({}, 3).groups.empty());
  SharedHeaders shared = shareHeaders({{"a"}, {"a"}, {"b"}}, 3);
  EXPECT_TRUE(shared.groups.empty());
  EXPECT_EQ(shared.groupOf.size(), 3u);
}

TEST(SharedHeaders, AFileIsOfNoGroupWhoseHeadersItLacks) {
  const std::vector<Headers> files = {
      {"a", "c"}, {"c", "a"}, {"a", "c"}, {"a", "b"}, {"b"}, {"a"}, {"c"}};
  SharedHeaders shared = shareHeaders(files, 2);
  EXPECT_FALSE(shared.groups.empty());
  for (size_t file = 0; file != files.size(); ++file)
    for (std::optional<size_t> group = shared.groupOf[file]; group;
         group = shared.groups[*group].parent)
      for (const std::string &header : shared.groups[*group].headers)
        EXPECT_NE(std::find(files[file].begin(), files[file].end(), header),
                  files[file].end())
            << header << " of " << file;
}

} // namespace
