// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resources/ReadResources.h"
#include "resources/ResourcesJSON.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace coreside;
using testing::HasSubstr;

namespace {

class ReadResources : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("coreside-test", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string write(llvm::StringRef name, llvm::StringRef text) {
    llvm::SmallString<128> path(Folder);
    llvm::sys::path::append(path, name);
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    return std::string(path);
  }

  static std::string errorOf(llvm::ArrayRef<std::string> paths) {
    auto reading = readResources(paths);
    return reading ? "" : llvm::toString(reading.takeError());
  }

  llvm::SmallString<128> Folder;
};

TEST_F(ReadResources, JSONComesBackAsItWas) {
  KernelResources full;
  full.kernel = "_Z4blurPf";
  full.capability = {9, 0};
  full.target = "sm_90a";
  full.registers = 40;
  full.staticShared = 0;
  full.barriers = 1;
  full.stack = 2;
  full.spillStores = 3;
  full.spillLoads = 4;
  full.calleeSpillStores = 5;
  full.calleeSpillLoads = 6;
  full.constant = 7;
  full.maxThreadsPerBlock = 8;
  full.final = false;
  full.estimated = true;
  full.file = "/a.cu";
  full.source = "nvcc -arch=sm_90a";
  KernelResources empty;
  empty.kernel = "k";
  empty.capability = {12, 0};
  ResourceTable table;
  table.add(full);
  table.add(empty);
  auto reading = readResources(
      write("old.json", llvm::formatv("{0:2}\n", toJSON(table)).str()));
  ASSERT_TRUE(bool(reading)) << llvm::toString(reading.takeError());
  ASSERT_EQ(reading->records.size(), 2u);
  EXPECT_EQ(toJSON(reading->records[0]), toJSON(full));
  EXPECT_EQ(toJSON(reading->records[1]), toJSON(empty));
  EXPECT_EQ(reading->records[1].registers, std::nullopt);
}

TEST_F(ReadResources, LogsAreReadAsOne) {
  std::string compiled = write(
      "a.log", "ptxas info    : Compiling entry function '_Z1kv' for 'sm_86'\n"
               "ptxas info    : Function properties for _Z1kv\n"
               "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
               "loads\n"
               "ptxas info    : Used 24 registers, used 0 barriers\n");
  std::string linked =
      write("b.log",
            "nvlink info    : Function properties for '_Z1kv':\n"
            "nvlink info    : used 90 registers, used 0 barriers, 0 stack, 0 "
            "bytes smem, 372 bytes cmem[0], 0 bytes lmem\n");
  auto reading = readResources({compiled, linked});
  ASSERT_TRUE(bool(reading)) << llvm::toString(reading.takeError());
  ASSERT_EQ(reading->records.size(), 2u);
  EXPECT_EQ(reading->records[1].registers, 90u);
  EXPECT_EQ(reading->records[1].capability, (ComputeCapability{8, 6}));
}

TEST_F(ReadResources, ErrorsNameTheFile) {
  EXPECT_EQ(errorOf(std::string("no/such")),
            "cannot read 'no/such': No such file or directory");
  EXPECT_EQ(errorOf(std::string(Folder)),
            "cannot read '" + std::string(Folder) + "': Is a directory");
  std::string path = write("x", "[{}]");
  EXPECT_EQ(errorOf(path), "cannot read '" + path +
                               "': record 1 has no 'mangled' or no 'target'");
  path = write("x", "[{\"mangled\": \"k\", \"target\": \"sm_90\", "
                    "\"registers\": -1}]");
  EXPECT_THAT(errorOf(path), HasSubstr("record 1 has a number that is none"));
  path = write("x", "[{\"mangled\": \"k\", \"target\": \"90\"}]");
  EXPECT_THAT(errorOf(path), HasSubstr("'target' that is not such as sm_90"));
  path = write("x", "[{");
  EXPECT_THAT(errorOf(path), HasSubstr("cannot read '" + path + "': "));
  path = write("x", "");
  EXPECT_THAT(errorOf(path), HasSubstr("no ptxas records in '" + path + "'"));
}

TEST(ResourcesJSON, OneRecordIsNoList) {
  auto records = recordsFromJSON(llvm::json::Object{{"mangled", "k"}});
  ASSERT_FALSE(bool(records));
  EXPECT_EQ(llvm::toString(records.takeError()), "not an array of records");
}

} // namespace
