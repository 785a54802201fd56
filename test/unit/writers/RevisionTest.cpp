// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/Revision.h"

#include <gtest/gtest.h>

using namespace coreside;

TEST(Revision, RemotesAreURIsWithoutSecrets) {
  auto uri = [](const char *remote) { return repositoryURI(remote, "/w/r"); };
  EXPECT_EQ(uri("https://example.org/a/b.git"), "https://example.org/a/b.git");
  EXPECT_EQ(uri("https://token@example.org/a/b"), "https://example.org/a/b");
  EXPECT_EQ(uri("https://me:p@ss@example.org:8443/a"),
            "https://example.org:8443/a");
  EXPECT_EQ(uri("https://example.org/a?token=x#y"), "https://example.org/a");
  EXPECT_EQ(uri("git@example.org:a/b.git"), "ssh://example.org/a/b.git");
  EXPECT_EQ(uri("example.org:/a b"), "ssh://example.org/a%20b");
  EXPECT_EQ(uri("ssh://git@example.org:22/a"), "ssh://example.org:22/a");
  EXPECT_EQ(uri("/home/x y/r.git"), "file:///home/x%20y/r.git");
  EXPECT_EQ(uri("../r.git"), "file:///w/r.git");
  EXPECT_EQ(uri("file:///a/b"), "file:///a/b");
}

TEST(Revision, BytesThatURIsLackAreEncoded) {
  EXPECT_EQ(relativeURI("a b/#ä%.cu"), "a%20b/%23%C3%A4%25.cu");
  EXPECT_EQ(relativeURI("a:b\\c"), "a%3Ab%5Cc");
  EXPECT_EQ(fileURI("/~x/-_.cu"), "file:///~x/-_.cu");
}
