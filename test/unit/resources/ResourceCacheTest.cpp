// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resources/ResourceCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <map>
#include <thread>

using namespace coreside;
namespace fs = llvm::sys::fs;

namespace {

using Files = std::vector<std::string>;

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("coreside-test", Folder));
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> path(Folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  /// Writes a file that was last changed `secondsAgo`.
  std::string write(llvm::StringRef name, llvm::StringRef text,
                    unsigned secondsAgo = 60) {
    std::string where = path(name);
    int file;
    EXPECT_FALSE(fs::openFileForWrite(where, file));
    llvm::raw_fd_ostream out(file, /*shouldClose=*/false);
    out << text;
    out.flush();
    auto time =
        std::chrono::system_clock::now() - std::chrono::seconds(secondsAgo);
    EXPECT_FALSE(fs::setLastAccessAndModificationTime(file, time, time));
    out.close();
    ::close(file);
    return where;
  }

  std::string readFile(llvm::StringRef where) {
    auto text = llvm::MemoryBuffer::getFile(where);
    return text ? (*text)->getBuffer().str() : "";
  }

  static CachedResult result(unsigned registers) {
    CachedResult made;
    KernelResources record;
    record.kernel = "_Z1kv";
    record.capability = {9, 0};
    record.registers = registers;
    made.records.push_back(record);
    made.notes = {"a note"};
    made.error = "an error";
    return made;
  }

  void store(llvm::StringRef command, Files files, unsigned registers) {
    Cache().store(command, files, std::chrono::system_clock::now(),
                  result(registers));
  }

  std::optional<unsigned> find(llvm::StringRef command) {
    auto found = Cache().find(command);
    return found ? found->records.at(0).registers : std::nullopt;
  }

  ResourceCache Cache() { return ResourceCache(path("cache/deep")); }

  llvm::SmallString<128> Folder;
};

TEST_F(CacheTest, FindsWhatWasStored) {
  std::string file = write("a.cu", "one");
  EXPECT_EQ(find("nvcc a.cu"), std::nullopt);
  store("nvcc a.cu", {file}, 30);
  EXPECT_EQ(find("nvcc a.cu"), 30u);
  EXPECT_EQ(find("nvcc -G a.cu"), std::nullopt);
  auto found = Cache().find("nvcc a.cu");
  EXPECT_EQ(found->notes, Files({"a note"}));
  EXPECT_EQ(found->error, "an error");
}

TEST_F(CacheTest, ChangedFilesAreNoticed) {
  std::string source = write("a.cu", "one"), header = write("a.h", "two");
  store("c", {source, header}, 30);
  // The same size and another time.
  write("a.h", "owt", 50);
  EXPECT_EQ(find("c"), std::nullopt);
  // Touched, but the same.
  write("a.h", "two", 40);
  EXPECT_EQ(find("c"), 30u);
  fs::remove(header);
  EXPECT_EQ(find("c"), std::nullopt);
}

TEST_F(CacheTest, BranchesThatAreComeBackTo) {
  std::string file = write("a.cu", "main");
  store("c", {file}, 1);
  write("a.cu", "side", 50);
  store("c", {file}, 2);
  EXPECT_EQ(find("c"), 2u);
  write("a.cu", "main", 40);
  EXPECT_EQ(find("c"), 1u);
  // But not for ever.
  for (unsigned i = 0; i != 10; ++i) {
    write("a.cu", "other" + std::to_string(i), 30);
    store("c", {file}, 100 + i);
  }
  write("a.cu", "main", 40);
  EXPECT_EQ(find("c"), std::nullopt);
  EXPECT_EQ(Cache().check().entries, 1u);
}

TEST_F(CacheTest, FilesThatChangeMeanwhileAreNotKept) {
  std::string file = write("a.cu", "one");
  Cache().store("c", {file},
                std::chrono::system_clock::now() - std::chrono::hours(1),
                result(1));
  EXPECT_EQ(find("c"), std::nullopt);
  store("c", {file, path("gone.h")}, 1);
  EXPECT_EQ(find("c"), std::nullopt);
}

TEST_F(CacheTest, DamageIsNoResult) {
  std::string file = write("a.cu", "one");
  store("c", {file}, 1);
  std::error_code error;
  std::string entry = fs::directory_iterator(path("cache/deep"), error)->path();
  std::string good = readFile(entry);
  ASSERT_GT(good.size(), 50u);
  for (size_t at = 0; at < good.size(); at += 7) {
    for (std::string bad :
         {good.substr(0, at), std::string(good).replace(at, 1, "~")}) {
      std::error_code error;
      llvm::raw_fd_ostream(entry, error) << bad;
      EXPECT_EQ(find("c"), std::nullopt) << at;
    }
  }
  EXPECT_EQ(Cache().check().damaged, 1u);
  // It is written anew.
  store("c", {file}, 2);
  EXPECT_EQ(find("c"), 2u);
  EXPECT_EQ(Cache().check().damaged, 0u);
}

TEST_F(CacheTest, ClearingLeavesOtherFilesAlone) {
  std::string file = write("a.cu", "one");
  store("c", {file}, 1);
  store("d", {file}, 2);
  write("cache/deep/Thin-0a1b.tmp", "unfinished");
  write("cache/deep/photo.jpg", "mine");
  EXPECT_EQ(Cache().check().entries, 3u);
  EXPECT_EQ(Cache().clear(), 3u);
  EXPECT_EQ(Cache().check().entries, 0u);
  EXPECT_EQ(readFile(path("cache/deep/photo.jpg")), "mine");
}

TEST_F(CacheTest, OldestGoFirst) {
  std::string file = write("a.cu", "one");
  for (unsigned i = 0; i != 20; ++i)
    store(std::to_string(i), {file}, i);
  ResourceCache::Usage all = Cache().check();
  // Ages by hand, 0 is the oldest; last, because reading makes young.
  std::map<std::string, unsigned> entries;
  std::error_code error;
  for (fs::directory_iterator at(path("cache/deep"), error), end; at != end;
       at.increment(error)) {
    std::string text = readFile(at->path());
    unsigned number;
    llvm::StringRef(text)
        .split("\"registers\":")
        .second.consumeInteger(10, number);
    entries[at->path()] = number;
  }
  ASSERT_EQ(entries.size(), 20u);
  for (auto &[entry, number] : entries) {
    int descriptor;
    ASSERT_FALSE(fs::openFileForReadWrite(entry, descriptor,
                                          fs::CD_OpenExisting, fs::OF_None));
    auto time =
        std::chrono::system_clock::now() - std::chrono::minutes(100 - number);
    fs::setLastAccessAndModificationTime(descriptor, time, time);
    ::close(descriptor);
  }
  ResourceCache(path("cache/deep"), all.bytes / 2).prune();
  ResourceCache::Usage left = Cache().check();
  EXPECT_LE(left.bytes, all.bytes / 2);
  EXPECT_GE(left.entries, 8u);
  EXPECT_EQ(find("0"), std::nullopt);
  EXPECT_EQ(find("19"), 19u);
}

TEST_F(CacheTest, ManyWritersOfOneEntry) {
  std::string file = write("a.cu", "one");
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong = 0;
  for (unsigned i = 0; i != 8; ++i)
    threads.emplace_back([&, i] {
      for (unsigned n = 0; n != 50; ++n) {
        store("c", {file}, i);
        auto found = find("c");
        wrong += !found || *found > 7;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(Cache().check().entries, 1u);
  EXPECT_EQ(Cache().check().damaged, 0u);
}

TEST_F(CacheTest, FolderThatCannotBeWritten) {
  std::string file = write("a.cu", "one");
  ResourceCache cache("/proc/no/such");
  cache.store("c", {file}, std::chrono::system_clock::now(), result(1));
  EXPECT_FALSE(cache.find("c"));
  EXPECT_EQ(cache.clear(), 0u);
  cache.prune();
  EXPECT_FALSE(ResourceCache("").find("c"));
}

TEST(Dependencies, AsMakeReadsThem) {
  EXPECT_EQ(readDependencies("x : a.cu \\\n  /usr/include/a.h \\\r\n b\\ c.h "
                             "d$$e.h f\\#g.h\n",
                             "/p"),
            Files({"/p/a.cu", "/usr/include/a.h", "/p/b c.h", "/p/d$e.h",
                   "/p/f#g.h"}));
  EXPECT_EQ(readDependencies("x: a.cu", "/p"), Files({"/p/a.cu"}));
  EXPECT_EQ(readDependencies("x: a.cu\ny: b.cu\n", "/p"), Files({"/p/a.cu"}));
  EXPECT_EQ(readDependencies("", "/p"), Files());
  EXPECT_EQ(readDependencies("no rule", "/p"), Files());
}

} // namespace
