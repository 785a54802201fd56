// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/OldSources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// One file, a.cu, and patches that have led to it.
class OldSourcesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("coreside-old", Folder));
    File = Folder.str().str() + "/a.cu";
  }
  void TearDown() override { fs::remove_directories(Folder); }

  llvm::Expected<OldSources> before(StringRef patch, StringRef now) {
    std::error_code error;
    llvm::raw_fd_ostream(File, error) << now;
    return sourcesBefore(patch, {File});
  }

  llvm::SmallString<128> Folder;
  std::string File;
};

TEST_F(OldSourcesTest, GoesBackThroughHunks) {
  auto old =
      before("diff --git a/src/a.cu b/src/a.cu\n--- a/a.cu\n+++ b/a.cu\n"
             "@@ -1,2 +1,3 @@\n 1\n+new\n 2\n@@ -5 +6,0 @@ void f() {\n-gone\n",
             "1\nnew\n2\n3\n4\n5\n6\n");
  ASSERT_TRUE(bool(old));
  EXPECT_EQ(old->texts[File], "1\n2\n3\n4\n5\ngone\n6\n");
  EXPECT_EQ(old->lines[File], (std::set<unsigned>{2, 7}));
}

TEST_F(OldSourcesTest, ReadsNamesOfAllKinds) {
  for (const char *name : {"b/a.cu", "a.cu", "b/x/a.cu\t2026-01-01",
                           "\"b/a.cu\"", "\"b/\\141.cu\""}) {
    auto old = before(
        "--- a\n+++ " + std::string(name) + "\n@@ -1 +1 @@\n-0\n+1\n", "1\n");
    ASSERT_TRUE(bool(old));
    // a.cu lies in no folder x.
    bool isOther = StringRef(name).contains("x/");
    EXPECT_EQ(old->texts.count(File), isOther ? 0u : 1u) << name;
  }
}

TEST_F(OldSourcesTest, TakesCarriageReturnsForLineEnds) {
  auto old =
      before("--- a/a.cu\n+++ b/a.cu\n@@ -1 +1 @@\n-0\n+1\n", "1\r\n2\r\n");
  ASSERT_TRUE(bool(old));
  EXPECT_EQ(old->texts[File], "0\n2\n");
}

TEST_F(OldSourcesTest, SaysWhatDoesNotFit) {
  auto error = [&](StringRef patch, StringRef now) {
    auto old = before(patch, now);
    return old ? std::string("none") : llvm::toString(old.takeError());
  };
  std::string head = "--- a/a.cu\n+++ b/a.cu\n";
  EXPECT_EQ(error(head + "@@ -1 +1 @@\n-0\n+1\n", "2\n"),
            "the patch on standard input, line 5: '" + File +
                "' is not what the patch made");
  EXPECT_EQ(error(head + "@@ -1,2 +1,2 @@\n-0\n+1\n", "1\n"),
            "the patch on standard input, line 5: the last hunk ends early");
  EXPECT_EQ(error(head + "@@ -1,2 +1,2 @@\n-0\n+1\nx\n", "1\n"),
            "the patch on standard input, line 6: the hunk ends early");
  EXPECT_EQ(error(head + "@@ -1 +1,2 @@\n-0\n-1\n", "1\n"),
            "the patch on standard input, line 5: the hunk has more lines than "
            "its head says");
  EXPECT_EQ(error(head + "@@ -x +1 @@\n", "1\n"),
            "the patch on standard input, line 3: not the head of a hunk");
  EXPECT_EQ(error("words\n", "1\n"),
            "standard input is no unified diff; git diff or diff -u makes one");
  EXPECT_EQ(error("", "1\n"), "none");
}

} // namespace
