// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory launches, copies and windows are about.

#include "Snippet.h"

using namespace coreside;

namespace {

std::string name(int allocation, const Trace &trace) {
  return allocation < 0 ? "?" : trace.allocations[allocation].name;
}

/// "0:a 1:b", one for each launch.
Steps arguments(llvm::StringRef function, const Program &program) {
  Steps result;
  const Trace *trace = findTrace(function, program);
  if (!trace)
    return result;
  for (const Step &step : trace->steps) {
    if (step.kind != Step::Kind::Launch)
      continue;
    std::string line;
    for (const KernelArgument &argument : step.arguments)
      line +=
          (line.empty() ? "" : " ") +
          (argument.parameter < 0 ? "v" : std::to_string(argument.parameter)) +
          ":" + name(argument.allocation, *trace);
    result.push_back(line);
  }
  return result;
}

/// "device a n * 4"
Steps allocations(llvm::StringRef function, const Program &program) {
  static const char *const kinds[] = {"device", "managed",  "pinned",
                                      "host",   "variable", "external"};
  Steps result;
  if (const Trace *trace = findTrace(function, program))
    for (const Allocation &one : trace->allocations)
      result.push_back(std::string(kinds[static_cast<int>(one.kind)]) + " " +
                       one.name + " " + text(one.bytes) +
                       (one.isOne ? "" : " each turn"));
  return result;
}

/// "h > d 256 to device"
Steps copies(llvm::StringRef function, const Program &program) {
  static const char *const directions[] = {"", " to host to host", " to device",
                                           " to host", " on device"};
  Steps result;
  if (const Trace *trace = findTrace(function, program))
    for (const Step &step : trace->steps)
      if (step.kind == Step::Kind::MemoryOperation)
        result.push_back(name(step.source, *trace) + " > " +
                         name(step.target, *trace) + " " + text(step.bytes) +
                         directions[static_cast<int>(step.direction)]);
  return result;
}

TEST(Allocations, SizesAndArguments) {
  Program program = readSnippet(R"(
    __global__ void two(float *a, int n, const float *b) {}
    void go(int n, cudaStream_t s) {
      float *a, *b, *c, *h;
      size_t pitch;
      cudaMalloc(&a, n * sizeof(float));
      cudaMallocAsync(&b, 1024, s);
      cudaMallocManaged(&c, 64);
      cudaMallocHost(&h, 16);
      float *rows;
      cudaMallocPitch(&rows, &pitch, 100, 8);
      two<<<1, 1>>>(a, n, b);
      two<<<1, 1>>>(a + n, n, c + 8);
      two<<<1, 1>>>(&b[n], n, h);
      two<<<1, 1>>>(nullptr, n, rows);
    }
  )");
  EXPECT_EQ(
      allocations("go", program),
      (Steps{"device a n * 4", "device b 1024", "managed c 64", "pinned h 16",
             "device rows {\"unknown\":\"rows of the pitch that "
             "'cudaMallocPitch' picks\"}"}));
  EXPECT_EQ(findTrace("go", program)->allocations[4].bytes.low, 800);
  EXPECT_EQ(arguments("go", program),
            (Steps{"0:a 2:b", "0:a 2:c", "0:b 2:h", "2:rows"}));
}

TEST(Allocations, WhatComesFromOutside) {
  Program program = readSnippet(R"(
    struct View { int *data; int size; };
    __global__ void takes(View view, int *other) {}
    __global__ void list(View *views) {}
    struct Engine {
      int *member;
      View view;
      void run(int *given, View *views, int i) {
        takes<<<1, 1>>>(view, given);
        takes<<<1, 1>>>(View{given, 3}, member);
        list<<<1, 1>>>(views + i);
        int *mine;
        cudaMalloc(&mine, 8);
        view.data = mine;
        takes<<<1, 1>>>(view, given ? given : mine);
        extern int *find(int);
        front<<<1, 1>>>(find(3));
      }
    };
  )");
  EXPECT_EQ(arguments("Engine::run", program),
            (Steps{"0:view.data 1:given", "0:given 1:member", "0:views",
                   "0:mine 1:?", "0:?"}));
  Steps all = allocations("Engine::run", program);
  EXPECT_EQ(all[0].substr(0, 18), "external view.data");
}

TEST(Allocations, VariablesOfTheDevice) {
  Program program = readSnippet(R"(
    __device__ int table[256];
    __managed__ int flag;
    __constant__ float weights[8];
    __device__ int helper() { return table[0]; }
    __global__ void reads(int *p) { p[0] = helper(); }
    __global__ void waits() { while (flag == 0) {} }
    __global__ void scales(float *p) { p[0] *= weights[0]; }
    void go(int *h) {
      reads<<<1, 1>>>(h);
      waits<<<1, 1>>>();
      int *p;
      cudaGetSymbolAddress((void **)&p, table);
      front<<<1, 1>>>(p);
      scales<<<1, 1>>>(nullptr);
      cudaMemcpyToSymbol(table, h, 64);
      cudaMemcpyFromSymbol(h, table, 32);
    }
  )");
  EXPECT_EQ(arguments("go", program),
            (Steps{"0:h v:table", "v:flag", "0:table", "v:weights"}));
  EXPECT_EQ(allocations("go", program)[1], "variable table 1024");
  EXPECT_EQ(copies("go", program),
            (Steps{"h > table 64 to device", "table > h 32 to host"}));
  EXPECT_EQ(program.kernels[2].variables, (Steps{"table"}));
}

TEST(Allocations, LoopsAndPointersThatWalk) {
  Program program = readSnippet(R"(
    void go(int n) {
      int *parts[4], *p, *many[64];
      for (int i = 0; i < 4; i++) cudaMalloc(&parts[i], 4 << i);
      front<<<1, 1>>>(parts[2]);
      cudaMalloc(&p, n);
      for (int i = 0; i < n; i++) {
        front<<<2, 1>>>(p);
        p += 128;
      }
      front<<<3, 1>>>(p);
      for (int i = 0; i < n; i++) cudaMalloc(&many[i], 32);
    }
  )");
  EXPECT_EQ(arguments("go", program),
            (Steps{"0:parts[2]", "0:p", "0:p", "0:p"}));
  Steps all = allocations("go", program);
  EXPECT_EQ(all[2], "device parts[2] 16");
  EXPECT_EQ(all.back().substr(all.back().size() - 12), "32 each turn");
}

TEST(Allocations, Copies) {
  Program program = readSnippet(R"(
    void go(char *given, cudaStream_t s) {
      char *d, *e, *h;
      char local[16];
      cudaMalloc(&d, 256);
      cudaMalloc(&e, 256);
      cudaMallocHost(&h, 256);
      cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);
      cudaMemcpy(local, d, 16, cudaMemcpyDeviceToHost);
      cudaMemcpyAsync(e, d, 128, cudaMemcpyDefault, s);
      cudaMemcpyAsync(h, e, 128, cudaMemcpyDefault, s);
      cudaMemcpyAsync(given, e, 128, cudaMemcpyDefault, s);
      cudaMemcpy2DAsync(d, 32, h, 32, 16, 8, cudaMemcpyHostToDevice, s);
      cudaMemsetAsync(d, 0, 64, s);
      cudaFreeAsync(e, s);
      cudaFree(d);
    }
  )");
  EXPECT_EQ(copies("go", program),
            (Steps{"h > d 256 to device", "d > local 16 to host",
                   "d > e 128 on device", "e > h 128 to host", "e > given 128",
                   "h > d 128 to device", "? > d 64",
                   "? > e {\"unknown\":\"all of it\"}"}));
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(name(trace.steps.back().target, trace), "d");
}

TEST(Allocations, ArgumentLists) {
  Program program = readSnippet(R"(
    __global__ void both(int *a, int n, int *b) {}
    void go(int n, cudaStream_t s) {
      int *a, *b;
      cudaMalloc(&a, 4);
      cudaMalloc(&b, 4);
      void *list[] = {&a, &n, &b};
      cudaLaunchKernel((void *)both, 1, 1, list, 0, s);
      cudaLaunchConfig_t config = {1, 1, 0, s};
      cudaLaunchKernelEx(&config, both, b, n, a + 1);
      cudaLaunchKernelExC(&config, (void *)both, list);
      cudaGraph_t graph;
      cudaGraphNode_t node;
      cudaGraphCreate(&graph, 0);
      cudaKernelNodeParams parameters = {(void *)both, 1, 1, 0, list, 0};
      cudaGraphAddKernelNode(&node, graph, 0, 0, &parameters);
    }
  )");
  EXPECT_EQ(arguments("go", program),
            (Steps{"0:a 2:b", "0:b 2:a", "0:a 2:b", "0:a 2:b"}));
}

TEST(Allocations, WindowsOfL2) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s) {
      int *a;
      cudaMalloc(&a, 1 << 20);
      cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 19);
      cudaStreamAttrValue value = {};
      value.accessPolicyWindow.base_ptr = a;
      value.accessPolicyWindow.num_bytes = 1 << 18;
      value.accessPolicyWindow.hitRatio = 0.5;
      value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
      value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
      cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value);
      cudaLaunchAttribute attribute[1];
      attribute[0].id = cudaLaunchAttributeAccessPolicyWindow;
      attribute[0].val.accessPolicyWindow.base_ptr = a + 64;
      attribute[0].val.accessPolicyWindow.num_bytes = 4096;
      attribute[0].val.accessPolicyWindow.hitRatio = 1;
      attribute[0].val.accessPolicyWindow.hitProp = cudaAccessPropertyStreaming;
      cudaLaunchConfig_t config = {1, 1, 0, s, attribute, 1};
      cudaLaunchKernelEx(&config, front, a);
      cudaCtxResetPersistingL2Cache();
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 5u);
  EXPECT_EQ(trace.steps[1].attribute, "persistingL2");
  EXPECT_EQ(trace.steps[1].attributeValue, Value::known(1 << 19));
  const Step &setting = trace.steps[2];
  EXPECT_EQ(setting.kind, Step::Kind::Setting);
  EXPECT_EQ(trace.streams[setting.stream].name, "s");
  ASSERT_TRUE(setting.window);
  EXPECT_EQ(name(setting.window->allocation, trace), "a");
  EXPECT_EQ(setting.window->bytes, Value::known(1 << 18));
  EXPECT_EQ(setting.window->hitRatio, 0.5);
  EXPECT_EQ(setting.window->hit, "persisting");
  EXPECT_EQ(setting.window->miss, "streaming");
  ASSERT_TRUE(trace.steps[3].window);
  EXPECT_EQ(name(trace.steps[3].window->allocation, trace), "a");
  EXPECT_EQ(trace.steps[3].window->hit, "streaming");
  EXPECT_EQ(trace.steps[3].window->hitRatio, 1.0);
  EXPECT_EQ(trace.steps[4].function, "cudaCtxResetPersistingL2Cache");
}

} // namespace
