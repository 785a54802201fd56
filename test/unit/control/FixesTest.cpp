// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/Fixes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// A folder of files for one test.
class FixesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("coreside-fixes", Made));
    ASSERT_FALSE(fs::real_path(Made, Folder));
    Options.folders = {Folder.str().str()};
  }
  void TearDown() override { fs::remove_directories(Made); }

  std::string write(StringRef name, StringRef text) {
    llvm::SmallString<128> file(Folder);
    llvm::sys::path::append(file, name);
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    EXPECT_FALSE(error);
    return file.str().str();
  }

  static std::string read(StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "cannot be read";
  }

  static Finding fixedBy(std::vector<SourceEdit> edits) {
    Finding finding;
    finding.fixes = {{"change it", std::move(edits)}};
    return finding;
  }

  llvm::SmallString<128> Made, Folder;
  FixOptions Options;
};

TEST_F(FixesTest, PutsEditsTogether) {
  std::string file = write("a.cu", "one two\nthree\n");
  FixPlan plan = planFixes(
      {fixedBy({{file, 1, 5, 1, 8, "2"}, {file, 2, 1, 2, 1, "2 + 1 = "}}),
       fixedBy({{file, 2, 6, 2, 6, "\nend"}})},
      Options);
  ASSERT_EQ(plan.changes.size(), 1u);
  EXPECT_EQ(plan.changes[0].after, "one 2\n2 + 1 = three\nend\n");
  EXPECT_EQ(plan.applied, (std::vector<unsigned>{0, 1}));
  ASSERT_FALSE(bool(writeChange(plan.changes[0])));
  EXPECT_EQ(read(file), "one 2\n2 + 1 = three\nend\n");
}

TEST_F(FixesTest, LeavesOutWhatOverlaps) {
  std::string file = write("a.cu", "one two three\n");
  FixPlan plan = planFixes({fixedBy({{file, 1, 5, 1, 8, "2"}}),
                            fixedBy({{file, 1, 7, 1, 9, "x"}}),
                            fixedBy({{file, 1, 5, 1, 5, "and "}}),
                            fixedBy({{file, 1, 8, 1, 8, "!"}})},
                           Options);
  EXPECT_EQ(plan.applied, (std::vector<unsigned>{0, 3}));
  ASSERT_EQ(plan.refused.size(), 2u);
  EXPECT_EQ(plan.refused[0].second, "it changes the same text as another fix");
  EXPECT_EQ(plan.changes[0].after, "one 2! three\n");
  // Nor is half of a fix done.
  plan =
      planFixes({fixedBy({{file, 1, 1, 1, 4, "1"}}),
                 fixedBy({{file, 1, 9, 1, 14, "3"}, {file, 1, 1, 1, 2, ""}})},
                Options);
  EXPECT_EQ(plan.changes[0].after, "1 two three\n");
  plan = planFixes(
      {fixedBy({{file, 1, 1, 1, 4, "1"}, {file, 1, 2, 1, 3, "x"}})}, Options);
  EXPECT_EQ(plan.refused[0].second, "it changes the same text twice");
}

TEST_F(FixesTest, DoesWhatTwoWantOnce) {
  std::string file = write("a.cu", "use();\n");
  Finding both = fixedBy({{file, 1, 1, 1, 1, "optIn();\n"}});
  FixPlan plan = planFixes({both, both}, Options);
  EXPECT_EQ(plan.applied.size(), 2u);
  EXPECT_EQ(plan.changes[0].after, "optIn();\nuse();\n");
}

TEST_F(FixesTest, KeepsLineEndsAndPermissions) {
  std::string file = write("a.cu", "one\r\ntwo\r\n");
  ASSERT_FALSE(fs::setPermissions(file, fs::perms(0750)));
  FixPlan plan =
      planFixes({fixedBy({{file, 2, 1, 2, 1, "new\nlines\n"}})}, Options);
  ASSERT_FALSE(bool(writeChange(plan.changes[0])));
  EXPECT_EQ(read(file), "one\r\nnew\r\nlines\r\ntwo\r\n");
  EXPECT_EQ(*fs::getPermissions(file), fs::perms(0750));
}

TEST_F(FixesTest, KeepsToItsFolders) {
  std::string file = write("a.cu", "one\n");
  llvm::SmallString<128> below(Folder);
  llvm::sys::path::append(below, "below");
  ASSERT_FALSE(fs::create_directory(below));
  Options.folders = {below.str().str()};
  FixPlan plan = planFixes({fixedBy({{file, 1, 1, 1, 4, "1"}})}, Options);
  ASSERT_EQ(plan.refused.size(), 1u);
  EXPECT_EQ(plan.refused[0].second,
            "'" + file + "' is outside of the folders that were given");
  // A link leads out.
  llvm::SmallString<128> link(below);
  llvm::sys::path::append(link, "link.cu");
  ASSERT_FALSE(fs::create_link(file, link));
  plan = planFixes({fixedBy({{link.str().str(), 1, 1, 1, 4, "1"}})}, Options);
  EXPECT_EQ(plan.refused.size(), 1u);
  EXPECT_TRUE(plan.changes.empty());
  // A folder that only begins alike is another.
  Options.folders = {Folder.str().drop_back(1).str()};
  EXPECT_EQ(
      planFixes({fixedBy({{file, 1, 1, 1, 4, "1"}})}, Options).refused.size(),
      1u);
}

TEST_F(FixesTest, WritesThroughALinkInTheFolders) {
  std::string file = write("a.cu", "one\n");
  llvm::SmallString<128> link(Folder);
  llvm::sys::path::append(link, "link.cu");
  ASSERT_FALSE(fs::create_link(file, link));
  FixPlan plan =
      planFixes({fixedBy({{link.str().str(), 1, 1, 1, 4, "1"}})}, Options);
  ASSERT_FALSE(bool(writeChange(plan.changes[0])));
  EXPECT_EQ(read(file), "1\n");
  EXPECT_TRUE(fs::is_symlink_file(link));
}

TEST_F(FixesTest, LeavesWhatHasChanged) {
  std::string file = write("a.cu", "one\n");
  Options.readAt = std::chrono::time_point_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now() - std::chrono::hours(1));
  FixPlan plan = planFixes({fixedBy({{file, 1, 1, 1, 4, "1"}})}, Options);
  ASSERT_EQ(plan.refused.size(), 1u);
  EXPECT_EQ(plan.refused[0].second,
            "'" + file + "' has changed since it was analysed");
  // Between planning and writing.
  Options.readAt = llvm::sys::TimePoint<>::max();
  plan = planFixes({fixedBy({{file, 1, 1, 1, 4, "1"}})}, Options);
  write("a.cu", "uno\n");
  EXPECT_EQ(llvm::toString(writeChange(plan.changes[0])),
            "cannot write '" + file +
                "': it has changed since it was analysed");
  EXPECT_EQ(read(file), "uno\n");
}

TEST_F(FixesTest, LeavesPlacesThatAreNotThere) {
  std::string file = write("a.cu", "one\n");
  FixPlan plan = planFixes({fixedBy({{file, 1, 6, 1, 6, "x"}}),
                            fixedBy({{file, 7, 1, 7, 1, "x"}}),
                            fixedBy({{file, 1, 3, 1, 1, "x"}}),
                            fixedBy({{file + "x", 1, 1, 1, 1, "x"}})},
                           Options);
  ASSERT_EQ(plan.refused.size(), 4u);
  EXPECT_EQ(plan.refused[0].second, "'" + file + "' has no text at 1:6");
  EXPECT_TRUE(StringRef(plan.refused[3].second).starts_with("cannot read '"));
}

TEST_F(FixesTest, FolderOfARepository) {
  std::string file = write("a.cu", "one\n");
  EXPECT_EQ(foldersToFix({file}), std::vector{Folder.str().str()});
  llvm::SmallString<128> deep(Folder);
  llvm::sys::path::append(deep, "x", "y");
  ASSERT_FALSE(fs::create_directories(deep));
  std::string below = write("x/y/b.cu", "");
  EXPECT_EQ(foldersToFix({below}), std::vector{deep.str().str()});
  write(".git", "gitdir: elsewhere");
  EXPECT_EQ(foldersToFix({below, file}), std::vector{Folder.str().str()});
}

} // namespace
