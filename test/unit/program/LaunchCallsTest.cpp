// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by call: the driver's, those with attributes, nodes of graphs.

#include "Snippet.h"

using namespace coreside;

namespace {

TEST(LaunchCalls, TheDriver) {
  Program program = readSnippet(R"(
    #include <cuda.h>
    extern "C" __global__ void plain(int *p) {}
    void go(CUmodule module, CUstream s, const char *name) {
      CUfunction f, g, h;
      cuModuleGetFunction(&f, module, "plain");
      cuModuleGetFunction(&g, module, "_Z5frontPi");
      cuModuleGetFunction(&h, module, name);
      CUdeviceptr d;
      cuMemAlloc(&d, 256);
      void *list[] = {&d};
      cuLaunchKernel(f, 4, 2, 1, 64, 1, 1, 128, s, list, 0);
      cuLaunchCooperativeKernel(g, 8, 1, 1, 32, 1, 1, 0, s, list);
      CUlaunchAttribute attribute[1];
      attribute[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attribute[0].value.clusterDim.x = 2;
      attribute[0].value.clusterDim.y = 1;
      attribute[0].value.clusterDim.z = 1;
      CUlaunchConfig config = {};
      config.gridDimX = 16;
      config.gridDimY = config.gridDimZ = 1;
      config.blockDimX = 96;
      config.blockDimY = config.blockDimZ = 1;
      config.hStream = s;
      config.attrs = attribute;
      config.numAttrs = 1;
      cuLaunchKernelEx(&config, f, list, 0);
      cuLaunchKernel(h, 1, 1, 1, 1, 1, 1, 0, s, 0, 0);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  Steps all = steps("go", program);
  EXPECT_EQ(
      Steps(all.begin() + 1, all.end()),
      (Steps{"launch plain 4,2 64 128 on s",
             "launch front 8 32 0 on s cooperative",
             "launch plain 16 96 0 on s cluster 2", "launch ? 1 1 0 on s"}));
  ASSERT_EQ(trace.steps[1].arguments.size(), 1u);
  EXPECT_EQ(trace.allocations[trace.steps[1].arguments[0].allocation].name,
            "d");
  EXPECT_TRUE(program.lostLaunches.empty());
}

TEST(LaunchCalls, KernelsThatTheRuntimeHandsOut) {
  Program program = readSnippet(R"(
    void go() {
      cudaKernel_t kernel;
      cudaGetKernel(&kernel, (const void *)front);
      cudaLaunchKernel((const void *)kernel, 4, 32, 0, 0, 0);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 4 32 0 on default stream"}));
}

TEST(LaunchCalls, OneForEachDevice) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s, cudaStream_t t) {
      cudaLaunchParams list[2];
      for (int i = 0; i < 2; i++) {
        list[i].func = (void *)front;
        list[i].gridDim = 4 + i;
        list[i].blockDim = 64;
        list[i].args = 0;
        list[i].sharedMem = 16;
        list[i].stream = i ? t : s;
      }
      cudaLaunchCooperativeKernelMultiDevice(list, 2);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 4 64 16 on s cooperative",
                   "launch front 5 64 16 on t cooperative"}));
}

TEST(LaunchCalls, Attributes) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s, cudaEvent_t e, int *p, int n) {
      cudaLaunchAttribute attributes[4];
      attributes[0].id = cudaLaunchAttributePriority;
      attributes[0].val.priority = -2;
      attributes[1].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
      attributes[1].val.sharedMemCarveout = 50;
      attributes[2].id = cudaLaunchAttributePreferredClusterDimension;
      attributes[2].val.preferredClusterDim = {4, 1, 1};
      attributes[3].id = cudaLaunchAttributeProgrammaticEvent;
      attributes[3].val.programmaticEvent.event = e;
      cudaLaunchConfig_t config = {1, 32, 0, s, attributes, 4};
      cudaLaunchKernelEx(&config, front, p);
      // Not all of them, from the second on.
      config.attrs = attributes + 1;
      config.numAttrs = 1;
      cudaLaunchKernelEx(&config, front, p);
      // How many is not known: a cluster may be among them.
      attributes[0].id = cudaLaunchAttributeClusterDimension;
      attributes[0].val.clusterDim = {2, 1, 1};
      config.attrs = attributes;
      config.numAttrs = n;
      cudaLaunchKernelEx(&config, front, p);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 5u);
  // It is reached before the kernel's end.
  EXPECT_EQ(steps("go", program)[0], "record e on s");
  const Step &all = trace.steps[1];
  EXPECT_EQ(all.priority, Value::known(-2));
  EXPECT_EQ(all.carveout, Value::known(50));
  ASSERT_TRUE(all.preferredCluster);
  EXPECT_EQ(text(*all.preferredCluster), "4");
  EXPECT_FALSE(trace.steps[2].priority);
  EXPECT_EQ(trace.steps[2].carveout, Value::known(50));
  ASSERT_TRUE(trace.steps[4].cluster);
  EXPECT_EQ((*trace.steps[4].cluster)[0].kind, Value::Kind::Unknown);
}

TEST(LaunchCalls, HugeSharedMemoryIsKnown) {
  Program program = readSnippet(R"(
    void go(int *p) {
      front<<<1, 32, (size_t)-1>>>(p);
      void *list[] = {&p};
      cudaLaunchKernel((void *)front, 1, 32, list, (size_t)-16, 0);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.steps[0].dynamicShared, Value::known(-1));
  EXPECT_EQ(trace.steps[1].dynamicShared, Value::known(-16));
}

TEST(LaunchCalls, ThroughWhateverCanBeCalled) {
  Program program = readSnippet(R"(
    #include <functional>
    struct Launcher {
      cudaStream_t stream;
      void operator()(int grid) const {
        front<<<grid, 32, 0, stream>>>(nullptr);
      }
    };
    template <void (*Kernel)(int *)> void by(cudaStream_t s) {
      Kernel<<<3, 32, 0, s>>>(nullptr);
    }
    template <class F> void with(F body) { body(4); }
    #define RUN(kernel, ...) kernel<<<__VA_ARGS__>>>(nullptr)
    template <class F> __global__ void each(F body) { body(); }
    void go(cudaStream_t s) {
      Launcher{s}(1);
      std::function<void(int)> function = Launcher{s};
      function(2);
      by<back>(s);
      with([=](int grid) { back<<<grid, 32, 0, s>>>(nullptr); });
      RUN(front, 5, 32, 0, s);
      void (*pointer)(cudaStream_t) = by<front>;
      pointer(s);
      each<<<6, 32, 0, s>>>([] __device__() {});
    }
  )");
  Steps all = steps("go", program);
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[6].substr(0, 12), "launch each<");
  all.pop_back();
  EXPECT_EQ(all,
            (Steps{"launch front 1 32 0 on s", "launch front 2 32 0 on s",
                   "launch back 3 32 0 on s", "launch back 4 32 0 on s",
                   "launch front 5 32 0 on s", "launch front 3 32 0 on s"}));
}

TEST(LaunchCalls, LaunchesOfTheDeviceAreLeftOut) {
  CompileCommand command;
  command.relocatable = true;
  Program program = readSnippet(R"(
    __global__ void parent(int *p) { front<<<1, 32>>>(p); }
    void go(int *p) { parent<<<1, 1>>>(p); }
  )",
                                {}, command);
  EXPECT_EQ(steps("go", program),
            (Steps{"launch parent 1 1 0 on default stream"}));
  EXPECT_TRUE(program.lostLaunches.empty());
}

TEST(LaunchCalls, TwoCallsOfOneWrapperAreTwo) {
  Program program = readSnippet(R"(
    static void run(cudaStream_t s, int *p) { front<<<1, 32, 0, s>>>(p); }
    void go(cudaStream_t s, cudaStream_t t, int *p, int n) {
      run(s, p);
      run(t, p);
      for (int i = 0; i < n; i++)
        run(s, p);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 4u);
  auto calledAt = [&](unsigned step) {
    return trace.steps[step].path[0].place;
  };
  EXPECT_NE(calledAt(0), calledAt(1));
  EXPECT_EQ(calledAt(2), calledAt(3));
}

TEST(LaunchCalls, NodesThatAreChanged) {
  Program program = readSnippet(R"(
    void go(int *p, cudaStream_t s) {
      cudaGraph_t graph;
      cudaGraphExec_t executable;
      cudaGraphNode_t node;
      cudaGraphCreate(&graph, 0);
      void *list[] = {&p};
      cudaKernelNodeParams parameters = {(void *)front, 4, 32, 0, list, 0};
      cudaGraphAddKernelNode(&node, graph, 0, 0, &parameters);
      cudaKernelNodeAttrValue value;
      value.priority = -1;
      cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority,
                                      &value);
      cudaGraphInstantiate(&executable, graph);
      parameters.gridDim = 8;
      cudaGraphExecKernelNodeSetParams(executable, node, &parameters);
      cudaGraphLaunch(executable, s);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.steps[0].grid[0], Value::bounded(4, 8));
  EXPECT_EQ(trace.steps[0].block[0], Value::known(32));
  EXPECT_EQ(trace.steps[0].priority, Value::known(-1));
}

} // namespace
