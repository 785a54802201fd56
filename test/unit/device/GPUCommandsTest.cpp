// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `coreside gpus` and `coreside occupancy` print.

#include "device/GPUFile.h"
#include "tools/coreside/GPUsCommand.h"
#include "tools/coreside/OccupancyCommand.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

struct Printed {
  int code;
  std::string out;
  std::string errors;
};

template <typename Options>
Printed run(int (*command)(const Options &, llvm::raw_ostream &,
                           llvm::raw_ostream &),
            const Options &options) {
  Printed result;
  llvm::raw_string_ostream out(result.out), errors(result.errors);
  result.code = command(options, out, errors);
  return result;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(GPUsCommand, ListsEveryProduct) {
  const Printed list = run(runGPUs, GPUsOptions());
  EXPECT_EQ(list.code, 0);
  for (const GPU &gpu : products())
    EXPECT_TRUE(contains(list.out, "\n" + gpu.name + " ")) << gpu.name;
  EXPECT_TRUE(contains(
      list.out,
      "h100               132  9.0         50 MiB     80 GiB    NVIDIA H100 "
      "80GB HBM3\n"));
}

TEST(GPUsCommand, EachJSONObjectIsAGPUFile) {
  GPUsOptions options;
  options.json = true;
  const Printed list = run(runGPUs, options);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(list.out);
  ASSERT_TRUE(bool(value)) << llvm::toString(value.takeError());
  const llvm::json::Array &objects = *value->getAsArray();
  ASSERT_EQ(objects.size(), products().size());
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string text = llvm::formatv("{0:2}", objects[i]).str();
    llvm::Expected<GPU> gpu = parseGPUFile(text, "gpu.yaml");
    ASSERT_TRUE(bool(gpu)) << text << llvm::toString(gpu.takeError());
    const GPU &expected = products()[i];
    EXPECT_EQ(gpu->name, expected.name);
    EXPECT_EQ(gpu->product, expected.product);
    EXPECT_EQ(gpu->SMs, expected.SMs);
    EXPECT_EQ(gpu->l2Bytes, expected.l2Bytes);
    EXPECT_EQ(gpu->clusterGroups, expected.clusterGroups);
    const Architecture &a = gpu->architecture, &b = expected.architecture;
    EXPECT_EQ(a.capability, b.capability);
    EXPECT_EQ(a.sharedConfigurations, b.sharedConfigurations);
    EXPECT_EQ(a.sharedPerBlockOptIn, b.sharedPerBlockOptIn);
    EXPECT_EQ(a.residentGrids, b.residentGrids);
    EXPECT_EQ(a.l1AndShared, b.l1AndShared);
  }
}

TEST(GPUsCommand, NamesAnUnknownGPU) {
  GPUsOptions options;
  options.gpus = "h10";
  const Printed list = run(runGPUs, options);
  EXPECT_EQ(list.code, 2);
  EXPECT_EQ(list.out, "");
  EXPECT_EQ(list.errors, "coreside: error: unknown GPU 'h10'; did you mean "
                         "'h100'? 'coreside gpus' lists them\n");
}

OccupancyOptions example() {
  OccupancyOptions options;
  options.gpus = "h200";
  options.threads = 256;
  options.registers = 64;
  options.shared = 8192;
  options.blocks = 1000;
  return options;
}

TEST(OccupancyCommand, PrintsATable) {
  const Printed table = run(runOccupancy, example());
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.errors, "");
  EXPECT_EQ(table.out,
            R"(h200 (NVIDIA H200, sm_90, 132 SMs)
  4 blocks per SM, limited by registers; 32 of 64 warps (50 %)

  resource         one block    an SM has   blocks
  warps                    8           64        8
  registers           16,384       65,536        4  <-
  shared memory        9,216      233,472       25
  block slots              1           32       32
  barriers                 1           64       64

  what comes next
  registers       48 (16 less) for 5 blocks; none to spare
  shared memory   less does not help alone; up to 57,344 B for free
  threads         192 (64 less) for 5 blocks; none to spare

  grid            1,000 blocks, 528 a wave: 1 full wave and a tail of 472 blocks (89 % of a wave); 95 % of the slots used
  cooperative     up to 528 blocks
)");
}

TEST(OccupancyCommand, PrintsEachGPUAndItsClusters) {
  OccupancyOptions options = example();
  options.gpus = "h200,h100,a100";
  options.cluster = 4;
  const Printed table = run(runOccupancy, options);
  EXPECT_TRUE(contains(table.out, "clusters        124 of 4 blocks at once"));
  EXPECT_TRUE(
      contains(table.out, "clusters        at most 132 of 4 blocks at once"));
  EXPECT_TRUE(contains(table.out, "clusters        none on sm_80"));
}

TEST(OccupancyCommand, SaysThatAKernelDoesNotRun) {
  OccupancyOptions options = example();
  options.threads = 1024;
  options.registers = 96;
  const Printed table = run(runOccupancy, options);
  EXPECT_EQ(table.code, 0);
  EXPECT_TRUE(contains(
      table.out, "does not run: too much for one SM, limited by registers"));
  EXPECT_TRUE(
      contains(table.out, "registers       64 (32 less) for 1 block\n"));
}

TEST(OccupancyCommand, PrintsJSON) {
  OccupancyOptions options = example();
  options.json = true;
  options.gpus = "v100";
  options.shared = 0;
  const Printed table = run(runOccupancy, options);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(table.out);
  ASSERT_TRUE(bool(value)) << llvm::toString(value.takeError());
  const llvm::json::Object &object = *(*value->getAsArray())[0].getAsObject();
  EXPECT_EQ(object.getString("gpu"), "v100");
  EXPECT_EQ(object.getInteger("blocksPerSM"), 4);
  EXPECT_EQ(object.getString("limiter"), "registers");
  // Not used, not limited.
  EXPECT_TRUE(object.getObject("blocksBy")->getNull("sharedMemory"));
  EXPECT_EQ(object.getObject("grid")->getInteger("tailBlocks"), 1000 - 3 * 320);
}

TEST(OccupancyCommand, NamesTheOptionThatIsOutOfRange) {
  const auto error = [](auto change) {
    OccupancyOptions options = example();
    change(options);
    const Printed table = run(runOccupancy, options);
    EXPECT_EQ(table.code, 2);
    EXPECT_EQ(table.out, "");
    return table.errors;
  };
  EXPECT_EQ(error([](OccupancyOptions &o) { o.threads = 0; }),
            "coreside: error: --threads is 0, must be 1 to 1024\n");
  EXPECT_EQ(error([](OccupancyOptions &o) { o.registers = 256; }),
            "coreside: error: --registers is 256, must be 1 to 255\n");
  EXPECT_EQ(error([](OccupancyOptions &o) { o.barriers = 17; }),
            "coreside: error: --barriers is 17, must be 0 to 16\n");
  EXPECT_EQ(error([](OccupancyOptions &o) { o.cluster = 0; }),
            "coreside: error: --cluster is 0, must be 1 to 16\n");
  EXPECT_EQ(error([](OccupancyOptions &o) { o.carveout = 101; }),
            "coreside: error: --carveout is 101, must be -1 to 100\n");
  EXPECT_EQ(error([](OccupancyOptions &o) { o.gpus = ""; }),
            "coreside: error: no GPU is named; 'coreside gpus' lists them\n");
}

TEST(OccupancyCommand, HugeNumbersEnd) {
  OccupancyOptions options = example();
  options.shared = ~0u;
  options.blocks = ~uint64_t(0);
  EXPECT_EQ(run(runOccupancy, options).code, 0);
  options.shared = 0;
  EXPECT_TRUE(contains(run(runOccupancy, options).out,
                       "18,446,744,073,709,551,615 blocks, 528 a wave"));
}

} // namespace
