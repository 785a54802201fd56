// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resources/Resources.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

KernelResources record(std::string kernel, ComputeCapability capability,
                       unsigned registers, bool final = true) {
  KernelResources made;
  made.kernel = std::move(kernel);
  made.capability = capability;
  made.registers = registers;
  made.staticShared = 0;
  made.final = final;
  made.source = "a.log:1";
  return made;
}

TEST(ResourceTable, ArchitecturesStayApart) {
  ResourceTable table;
  table.add(record("_Z1kv", {8, 0}, 20));
  table.add(record("_Z1kv", {9, 0}, 30));
  EXPECT_EQ(table.find("_Z1kv", {8, 0})->registers, 20u);
  EXPECT_EQ(table.find("_Z1kv", {9, 0})->registers, 30u);
  std::string why;
  EXPECT_EQ(table.find("_Z1kv", {8, 9}, &why), nullptr);
  EXPECT_EQ(why, "no record of 'k()' for sm_89, only for sm_80, sm_90");
}

TEST(ResourceTable, LinkedNumbersReplaceCompiledOnesInEitherOrder) {
  for (bool linkedFirst : {false, true}) {
    KernelResources compiled = record("_Z1kv", {9, 0}, 24, false);
    compiled.spillStores = 8;
    KernelResources linked = record("_Z1kv", {9, 0}, 88);
    ResourceTable table;
    table.add(linkedFirst ? linked : compiled);
    table.add(linkedFirst ? compiled : linked);
    ASSERT_EQ(table.records().size(), 1u);
    const KernelResources *found = table.find("_Z1kv", {9, 0});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->registers, 88u);
    EXPECT_TRUE(found->final);
    // nvlink does not print spills.
    EXPECT_EQ(found->spillStores, 8u);
  }
}

TEST(ResourceTable, SameNumbersTwiceAreOneRecord) {
  ResourceTable table;
  KernelResources first = record("_Z1kv", {9, 0}, 24);
  KernelResources second = first;
  second.barriers = 3;
  table.add(first);
  table.add(second);
  ASSERT_EQ(table.records().size(), 1u);
  EXPECT_EQ(table.find("_Z1kv", {9, 0})->barriers, 3u);
}

TEST(ResourceTable, DifferentNumbersAreNobodys) {
  ResourceTable table;
  table.add(record("_Z4softPf", {9, 0}, 22));
  table.add(record("_Z4softPf", {9, 0}, 88));
  std::string why;
  EXPECT_EQ(table.find("_Z4softPf", {9, 0}, &why), nullptr);
  EXPECT_EQ(why, "2 records fit 'soft(float*)' on sm_90 and differ: 22 "
                 "registers, 0 bytes shared (a.log:1), and 88 registers, 0 "
                 "bytes shared (a.log:1)");
}

TEST(ResourceTable, FileDecidesBetweenKernelsOfOneName) {
  ResourceTable table;
  KernelResources one = record("_Z4stepv", {9, 0}, 10);
  one.file = "/p/one.cu";
  KernelResources two = record("_Z4stepv", {9, 0}, 20);
  two.file = "/p/two.cu";
  table.add(one);
  table.add(two);
  EXPECT_EQ(table.find("_ZL4stepv", {9, 0}), nullptr);
  EXPECT_EQ(table.find("_ZL4stepv", {9, 0}, nullptr, "/p/one.cu")->registers,
            10u);
  EXPECT_EQ(table.find("_ZL4stepv", {9, 0}, nullptr, "/p/two.cu")->registers,
            20u);
}

TEST(ResourceTable, NameInHashDecidesWhereNoFileIsKnown) {
  ResourceTable table;
  table.add(
      record("_ZN36_GLOBAL__N__0a1b2c3d_4_a_cu_998877664darkEv", {9, 0}, 10));
  table.add(
      record("_ZN36_GLOBAL__N__0a1b2c3d_4_b_cu_998877664darkEv", {9, 0}, 20));
  EXPECT_EQ(table.find("_ZN12_GLOBAL__N_14darkEv", {9, 0}), nullptr);
  EXPECT_EQ(table.find("_ZN12_GLOBAL__N_14darkEv", {9, 0}, nullptr, "/x/b.cu")
                ->registers,
            20u);
}

TEST(ResourceTable, ExactNameComesFirst) {
  // A static kernel and an extern one of the same name in two files.
  ResourceTable table;
  table.add(record("_Z4stepv", {9, 0}, 10));
  table.add(
      record("__nv_static_25__0a1b2c3d_4_a_cu_99887766__Z4stepv", {9, 0}, 20));
  EXPECT_EQ(table.find("_Z4stepv", {9, 0})->registers, 10u);
}

TEST(ResourceTable, SpecialTargetOfOneArchitectureIsAnotherRecord) {
  ResourceTable table;
  table.add(record("_Z1kv", {9, 0}, 24));
  KernelResources special = record("_Z1kv", {9, 0}, 40);
  special.target = "sm_90a";
  table.add(special);
  EXPECT_EQ(table.records().size(), 2u);
  EXPECT_EQ(table.find("_Z1kv", {9, 0}), nullptr);
}

TEST(ResourceTable, MeasuredBeatsEstimated) {
  ResourceTable table;
  KernelResources estimate = record("_Z1kv", {9, 0}, 40);
  estimate.estimated = true;
  table.add(estimate);
  EXPECT_EQ(table.find("_Z1kv", {9, 0})->registers, 40u);
  table.add(record("_Z1kv", {9, 0}, 32));
  EXPECT_EQ(table.find("_Z1kv", {9, 0})->registers, 32u);
}

} // namespace
