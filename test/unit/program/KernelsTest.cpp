// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the records of kernels hold.

#include "Snippet.h"

using namespace coreside;

namespace {

const Kernel *findKernel(llvm::StringRef name, const Program &program) {
  for (const Kernel &kernel : program.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

TEST(Kernels, NamesAndMangledNames) {
  Program program = readSnippet(R"(
    namespace codec { __global__ void pack(float *p) {} }
    namespace { __global__ void hidden(int) {} }
    static __global__ void local(int) {}
    extern "C" __global__ void plain(int) {}
  )");
  EXPECT_EQ(findKernel("codec::pack", program)->mangled, "_ZN5codec4packEPf");
  EXPECT_EQ(findKernel("hidden", program)->mangled,
            "_ZN12_GLOBAL__N_16hiddenEi");
  EXPECT_EQ(findKernel("local", program)->mangled, "_ZL5locali");
  EXPECT_EQ(findKernel("plain", program)->mangled, "plain");
  EXPECT_EQ(findKernel("front", program)->place.line, 2u);
}

TEST(Kernels, OneForEachInstantiationThatIsUsed) {
  Program program = readSnippet(R"(
    template <int Threads> __global__ void tune(float *p) {}
    template <class T> __global__ void copy(T *to, const T *from) {}
    void go(float *p, double *q) {
      tune<128><<<1, 128>>>(p);
      tune<256><<<1, 256>>>(p);
      copy<<<1, 32>>>(q, q);
    }
  )");
  EXPECT_TRUE(findKernel("tune<128>", program));
  EXPECT_EQ(findKernel("tune<256>", program)->mangled, "_Z4tuneILi256EEvPf");
  EXPECT_EQ(findKernel("copy<double>", program)->mangled,
            "_Z4copyIdEvPT_PKS0_");
  EXPECT_FALSE(findKernel("tune<Threads>", program));
}

TEST(Kernels, LaunchBounds) {
  Program program = readSnippet(R"(
    constexpr int threads = 64 * 4;
    __global__ void __launch_bounds__(threads) one() {}
    __launch_bounds__(128, 2) __global__ void two() {}
    __global__ void __launch_bounds__(256, 2, 4) three() {}
    template <int N> __global__ void __launch_bounds__(N, 1024 / N) four() {}
    __global__ void __launch_bounds__(96) declared();
    __global__ void declared() {}
    void go() { four<256><<<1, 1>>>(); }
  )");
  EXPECT_EQ(findKernel("one", program)->maxThreads, Value::known(256));
  EXPECT_FALSE(findKernel("one", program)->minBlocks);
  EXPECT_EQ(findKernel("two", program)->minBlocks, Value::known(2));
  EXPECT_EQ(findKernel("three", program)->maxBlocksPerCluster, Value::known(4));
  EXPECT_EQ(findKernel("four<256>", program)->maxThreads, Value::known(256));
  EXPECT_EQ(findKernel("four<256>", program)->minBlocks, Value::known(4));
  EXPECT_EQ(findKernel("declared", program)->maxThreads, Value::known(96));
  EXPECT_FALSE(findKernel("front", program)->maxThreads);
}

TEST(Kernels, OtherAttributes) {
  Program program = readSnippet(R"(
    __global__ void __maxnreg__(64) limited() {}
    __global__ void __cluster_dims__(4, 2) clustered() {}
    __global__ void __block_size__((32, 8)) sized() {}
  )");
  EXPECT_EQ(findKernel("limited", program)->maxRegisters, Value::known(64));
  EXPECT_EQ((*findKernel("clustered", program)->clusterDims)[0],
            Value::known(4));
  EXPECT_EQ((*findKernel("clustered", program)->clusterDims)[2],
            Value::known(1));
  EXPECT_EQ(findKernel("sized", program)->maxThreads, Value::known(256));
}

TEST(Kernels, WhatMayStartItsDependents) {
  Program program = readSnippet(R"(
    __device__ void helper(int *p) { *p = 1; }
    __device__ void elsewhere();
    __global__ void quiet(int *p) { helper(p); __syncthreads(); }
    __global__ void assembly() { asm volatile("griddepcontrol.wait;"); }
    __global__ void unseen() { elsewhere(); }
  )");
  EXPECT_FALSE(findKernel("quiet", program)->mayTrigger);
  EXPECT_TRUE(findKernel("assembly", program)->mayTrigger);
  EXPECT_TRUE(findKernel("unseen", program)->mayTrigger);
}

TEST(Kernels, DeclaredSharedMemory) {
  Program program = readSnippet(R"(
    template <int N> __global__ void tile(float *p) {
      __shared__ float a[N];
      extern __shared__ float dynamic[];
      if (p) { __shared__ double b[2]; b[0] = a[0] + dynamic[0]; }
    }
    void go() { tile<64><<<1, 64, 128>>>(nullptr); }
  )");
  EXPECT_EQ(findKernel("tile<64>", program)->declaredShared, 64 * 4 + 16u);
}

} // namespace
