// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/HostCalls.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coreside;

namespace {

TEST(HostCalls, AreFoundByTheLongestName) {
  EXPECT_EQ(findHostCall("cudaMalloc_64MB")->name, "cudaMalloc");
  EXPECT_EQ(findHostCall("cudaMallocAsync")->name, "cudaMallocAsync");
  EXPECT_EQ(findHostCall("cudaMemcpyAsync_default_stream")->name,
            "cudaMemcpyAsync_default");
  EXPECT_EQ(findHostCall("cudaMallocate"), nullptr);
  EXPECT_EQ(findHostCall(""), nullptr);
}

TEST(HostCalls, WhatIsObservedAndWhatIsDocumentedDiffer) {
  EXPECT_EQ(findHostCall("cudaMalloc")->observed, Stops::Nothing);
  EXPECT_EQ(findHostCall("cudaMalloc")->documented, Stops::EveryPair);
  EXPECT_EQ(findHostCall("cudaFree")->observed, Stops::EveryPair);
  EXPECT_EQ(findHostCall("cudaMemcpy")->observed, Stops::BlockingStreams);
}

TEST(HostCalls, EachHasANameOfItsOwnAndASource) {
  EXPECT_TRUE(std::ranges::is_sorted(hostCalls(), {}, &HostCall::name));
  for (const HostCall &call : hostCalls()) {
    EXPECT_FALSE(call.source.empty()) << call.name;
    EXPECT_EQ(findHostCall(call.name), &call);
  }
}

} // namespace
