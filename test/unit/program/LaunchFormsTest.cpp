// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way to write a launch.

#include "Snippet.h"

using namespace coreside;

namespace {

TEST(LaunchForms, TwoToFourArguments) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s) {
      front<<<4, 128>>>(nullptr);
      front<<<4, 128, 1024>>>(nullptr);
      front<<<4, 128, 0, s>>>(nullptr);
      front<<<dim3(4, 2), dim3(8, 8, 4), sizeof(float) * 64, 0>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 4 128 0 on default stream",
                   "launch front 4 128 1024 on default stream",
                   "launch front 4 128 0 on s",
                   "launch front 4,2 8,8,4 256 on default stream"}));
}

TEST(LaunchForms, ThePlaceIsThatOfTheLaunch) {
  Program program = readSnippet(R"(
#define LAUNCH(kernel, n) kernel<<<(n), 32>>>(nullptr)
void go() {
  front<<<4, 128>>>(nullptr);
  LAUNCH(back, 7);
}
)");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.steps[0].place, (SourcePlace{"/snippet/a.cu", 7, 3}));
  EXPECT_EQ(trace.steps[1].place, (SourcePlace{"/snippet/a.cu", 8, 3}));
  EXPECT_EQ(steps("go", program)[1], "launch back 7 32 0 on default stream");
}

TEST(LaunchForms, Dim3InAllForms) {
  Program program = readSnippet(R"(
    void go() {
      dim3 a(3), b = dim3(4, 5), c{6, 7, 8}, d = {9}, e;
      e.x = 10;
      e.z = 11;
      dim3 f = e;
      f.y = f.x * 2;
      front<<<a, b>>>(nullptr);
      front<<<c, d>>>(nullptr);
      front<<<e, f>>>(nullptr);
      const dim3 g(1, 2);
      auto h = g;
      front<<<h, dim3(h.y, 2)>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 3 4,5 0 on default stream",
                   "launch front 6,7,8 9 0 on default stream",
                   "launch front 10,1,11 10,20,11 0 on default stream",
                   "launch front 1,2 2,2 0 on default stream"}));
}

TEST(LaunchForms, CudaLaunchKernel) {
  Program program = readSnippet(R"(
    void go(int *p, cudaStream_t s) {
      void *arguments[] = {&p};
      cudaLaunchKernel(front, dim3(4), dim3(64), arguments, 16, s);
      cudaLaunchKernel((const void *)back, 5, 32, arguments, 0, s);
      cudaLaunchCooperativeKernel((void *)front, dim3(6), dim3(64), arguments);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 4 64 16 on s", "launch back 5 32 0 on s",
                   "launch front 6 64 0 on default stream cooperative"}));
}

TEST(LaunchForms, CudaLaunchKernelEx) {
  Program program = readSnippet(R"(
    void go(int *p, cudaStream_t s) {
      cudaLaunchConfig_t config = {};
      config.gridDim = dim3(16);
      config.blockDim = 128;
      config.dynamicSmemBytes = 2048;
      config.stream = s;
      cudaLaunchAttribute attributes[2];
      attributes[0].id = cudaLaunchAttributeClusterDimension;
      attributes[0].val.clusterDim.x = 4;
      attributes[0].val.clusterDim.y = 1;
      attributes[0].val.clusterDim.z = 1;
      attributes[1].id = cudaLaunchAttributeCooperative;
      attributes[1].val.cooperative = 1;
      config.attrs = attributes;
      config.numAttrs = 2;
      cudaLaunchKernelEx(&config, front, p);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 16 128 2048 on s cooperative cluster 4"}));
}

TEST(LaunchForms, ThroughFunctionPointers) {
  Program program = readSnippet(R"(
    using Kernel = void (*)(int *);
    void run(Kernel kernel, int grid) { kernel<<<grid, 32>>>(nullptr); }
    template <class F> void apply(F function) { function<<<3, 32>>>(nullptr); }
    void go(bool fast) {
      run(front, 2);
      auto chosen = back;
      chosen<<<1, 32>>>(nullptr);
      Kernel table[] = {front, back};
      table[1]<<<4, 32>>>(nullptr);
      apply(&front);
      Kernel either = fast ? front : back;
      either<<<5, 32>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 2 32 0 on default stream",
                   "launch back 1 32 0 on default stream",
                   "launch back 4 32 0 on default stream",
                   "launch front 3 32 0 on default stream",
                   "launch front 5 32 0 on default stream if 0.0",
                   "launch back 5 32 0 on default stream if 0.1"}));
}

TEST(LaunchForms, InTemplatesOncePerInstantiation) {
  Program program = readSnippet(R"(
    template <int Threads> __global__ void tune(int *p) {}
    template <int Threads> void go(int n) {
      tune<Threads><<<(n + Threads - 1) / Threads, Threads>>>(nullptr);
    }
    void all() { go<64>(128); go<256>(1024); }
  )");
  EXPECT_EQ(steps("all", program),
            (Steps{"launch tune<64> 2 64 0 on default stream",
                   "launch tune<256> 4 256 0 on default stream"}));
  EXPECT_TRUE(program.lostLaunches.empty());
}

TEST(LaunchForms, ATemplateThatIsNeverUsedIsNamed) {
  Program program = readSnippet(R"(
    template <class T> void unused(T *p) { front<<<1, 32>>>(p); }
  )");
  ASSERT_EQ(program.lostLaunches.size(), 1u);
  EXPECT_NE(program.lostLaunches[0].why.find("'unused' is a template"),
            std::string::npos);
}

TEST(LaunchForms, WhatIsNeverReachedIsNamed) {
  Program program = readSnippet(R"(
    void go() {
      const bool debug = false;
      if (debug)
        front<<<1, 32>>>(nullptr);
      back<<<1, 32>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program).size(), 1u);
  EXPECT_TRUE(program.lostLaunches.empty());
  ASSERT_EQ(program.untakenLaunches.size(), 1u);
  EXPECT_EQ(program.untakenLaunches[0].place.line, 8u);
  EXPECT_EQ(program.untakenLaunches[0].kernel, "front");
}

TEST(LaunchForms, InLambdasAndFunctionObjects) {
  Program program = readSnippet(R"(
    #include <functional>
    struct Launcher {
      int blocks;
      void operator()(int threads) { front<<<blocks, threads>>>(nullptr); }
    };
    void go(int n) {
      int blocks = 3;
      auto byReference = [&](int threads) { front<<<blocks, threads>>>(nullptr); };
      auto byValue = [=] { back<<<blocks, 32>>>(nullptr); };
      blocks = 4;
      byReference(64);
      byValue();
      Launcher{5}(96);
      std::function<void(int)> stored = [](int grid) { back<<<grid, 1>>>(nullptr); };
      stored(6);
      auto generic = [](auto grid) { front<<<grid, 1>>>(nullptr); };
      generic(7);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 4 64 0 on default stream",
                   "launch back 3 32 0 on default stream",
                   "launch front 5 96 0 on default stream",
                   "launch back 6 1 0 on default stream",
                   "launch front 7 1 0 on default stream"}));
}

TEST(LaunchForms, OnDeviceTheyAreLeftOut) {
  CompileCommand command;
  command.relocatable = true;
  Program program = readSnippet(R"(
    __global__ void parent() { front<<<1, 32>>>(nullptr); }
    void go() { parent<<<1, 1>>>(); }
  )",
                                {}, command);
  EXPECT_EQ(steps("go", program),
            (Steps{"launch parent 1 1 0 on default stream"}));
  EXPECT_TRUE(program.lostLaunches.empty());
}

TEST(LaunchForms, CallsShowTheWayToTheLaunch) {
  Program program = readSnippet(R"(
    void inner(int grid) { front<<<grid, 32>>>(nullptr); }
    void outer() { inner(2); }
    int main() { outer(); inner(3); }
  )");
  const Trace &trace = *findTrace("main", program);
  ASSERT_EQ(trace.steps.size(), 2u);
  ASSERT_EQ(trace.steps[0].path.size(), 2u);
  EXPECT_EQ(trace.steps[0].path[0].callee, "outer");
  EXPECT_EQ(trace.steps[0].path[1].callee, "inner");
  EXPECT_EQ(trace.steps[1].path.size(), 1u);
  EXPECT_EQ(program.traces.size(), 1u);
}

} // namespace
