// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding products by what people call them.

#include "device/GPU.h"

#include <gtest/gtest.h>
#include <set>

using namespace coreside;

namespace {

/// The name of the product that `name` finds, or "none".
std::string found(std::string_view name) {
  const GPU *gpu = findGPU(name);
  return gpu ? gpu->name : "none";
}

TEST(GPU, FindsEveryProductByItsNames) {
  std::set<std::string> names;
  for (const GPU &gpu : products()) {
    EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
    EXPECT_EQ(found(gpu.name), gpu.name);
    EXPECT_EQ(found(gpu.product), gpu.name);
    EXPECT_GT(gpu.SMs, 0u) << gpu.name;
  }
}

TEST(GPU, FindsWhatPeopleWrite) {
  for (auto name : {"a100", "A100", "A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB",
                    "nvidia_a100_sxm4_80gb"})
    EXPECT_EQ(found(name), "a100") << name;
  for (auto name : {"rtx4090", "4090", "RTX 4090", "rtx-4090",
                    "NVIDIA GeForce RTX 4090", "GeForce RTX 4090"})
    EXPECT_EQ(found(name), "rtx4090") << name;
  for (auto name : {"4090-laptop", "4090 Laptop", "rtx4090laptop",
                    "NVIDIA GeForce RTX 4090 Laptop GPU"})
    EXPECT_EQ(found(name), "rtx4090-laptop") << name;
  EXPECT_EQ(found("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(found("NVIDIA H100 PCIe"), "h100-pcie");
  EXPECT_EQ(found("h20"), "h20");
  EXPECT_EQ(found("gb200"), "gb200");
  EXPECT_EQ(found("thor"), "thor");
  EXPECT_EQ(found("Tesla T4"), "t4");
  EXPECT_EQ(found("a6000"), "rtxa6000");
  EXPECT_EQ(found("RTX 6000 Ada"), "rtx6000ada");
  EXPECT_EQ(found("1080ti"), "gtx1080ti");
  EXPECT_EQ(found("NVIDIA RTX PRO 6000 Blackwell Workstation Edition"),
            "rtxpro6000");
  EXPECT_EQ(found("DGX Spark"), "gb10");
}

TEST(GPU, FindsNothingInNothing) {
  EXPECT_EQ(found(""), "none");
  EXPECT_EQ(found("NVIDIA GeForce"), "none");
  EXPECT_EQ(found("---"), "none");
  EXPECT_EQ(found("rtx"), "none");
  EXPECT_EQ(found("h10"), "none");
}

TEST(GPU, CountsSMsOfTheProduct) {
  EXPECT_EQ(findGPU("h100")->SMs, 132u);
  EXPECT_EQ(findGPU("h100-pcie")->SMs, 114u);
  EXPECT_EQ(findGPU("h20")->SMs, 78u);
  EXPECT_EQ(findGPU("4090")->SMs, 128u);
  EXPECT_EQ(findGPU("4090-laptop")->SMs, 76u);
  unsigned measured = 0;
  for (unsigned SMs : findGPU("h200")->clusterGroups)
    measured += SMs;
  EXPECT_EQ(measured, findGPU("h200")->SMs);
}

TEST(GPU, SuggestsTheNearest) {
  EXPECT_EQ(nearestGPUName("h10"), "h100");
  EXPECT_EQ(nearestGPUName("rtx409"), "rtx4090");
  EXPECT_EQ(nearestGPUName("a10O"), "a100");
  EXPECT_EQ(nearestGPUName("toaster"), "");
  EXPECT_EQ(nearestGPUName(""), "");
  EXPECT_EQ(nearestGPUName(std::string(100000, 'x')), "");
}

TEST(GPU, OneProductStandsForACapability) {
  const std::pair<ComputeCapability, const char *> expected[] = {
      {{7, 0}, "v100"},    {{7, 5}, "t4"},    {{8, 0}, "a100"},
      {{8, 6}, "rtx3090"}, {{8, 7}, "orin"},  {{8, 9}, "rtx4090"},
      {{9, 0}, "h100"},    {{10, 0}, "b200"}, {{12, 0}, "rtx5090"}};
  for (auto [capability, name] : expected)
    EXPECT_EQ(representativeGPU(capability)->name, name);
  // No product is known to have it.
  EXPECT_EQ(representativeGPU({8, 8}), nullptr);
  EXPECT_EQ(representativeGPU({4, 2}), nullptr);
}

TEST(GPU, GivesShares) {
  const GPU &a100 = *findGPU("a100");
  const std::optional<GPU> slice = withSMs(a100, 14);
  ASSERT_TRUE(slice.has_value());
  EXPECT_EQ(slice->SMs, 14u);
  EXPECT_EQ(slice->name, "a100 with 14 SMs");
  EXPECT_EQ(slice->architecture.capability, a100.architecture.capability);
  EXPECT_EQ(withSMs(a100, 108)->name, "a100");
  EXPECT_FALSE(withSMs(a100, 0).has_value());
  EXPECT_FALSE(withSMs(a100, 109).has_value());
  EXPECT_TRUE(withSMs(*findGPU("h200"), 66)->clusterGroups.empty());
}

} // namespace
