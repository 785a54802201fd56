// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor/DocumentURI.h"

#include "gtest/gtest.h"

using namespace coreside;

TEST(DocumentURI, Paths) {
  EXPECT_EQ("/a/b c.cu", pathOfURI("file:///a/b%20c.cu"));
  EXPECT_EQ("/a.cu", pathOfURI("file://localhost/a.cu"));
  EXPECT_EQ("/a.cu", pathOfURI("file:/a.cu"));
  EXPECT_EQ("/\u00e4/\u20ac.cu", pathOfURI("file:///%C3%A4/%e2%82%AC.cu"));
  EXPECT_EQ("/a+b.cu", pathOfURI("file:///a+b.cu"));
  EXPECT_EQ("/b.cu", pathOfURI("file:///a/../b.cu"));
  // No escape, so as it is.
  EXPECT_EQ("/100%", pathOfURI("file:///100%"));
  EXPECT_EQ("/%zz", pathOfURI("file:///%zz"));
}

TEST(DocumentURI, NoFiles) {
  for (const char *uri : {"untitled:Untitled-1", "file://host/a.cu", "", "a.cu",
                          "file:a.cu", "file:///a%00b", "git:/a.cu?x"})
    EXPECT_EQ(std::nullopt, pathOfURI(uri)) << uri;
}

TEST(DocumentURI, ThereAndBack) {
  for (const char *path : {"/a/b c.cu", "/\u00e4/%20.cu", "/a#b?c=d&e.cu",
                           "/with'quote\"[1]{2}~-_.cu"})
    EXPECT_EQ(path, pathOfURI(uriOfPath(path)));
  EXPECT_EQ("file:///a%20%C3%A4%23.cu", uriOfPath("/a \u00e4#.cu"));
}
