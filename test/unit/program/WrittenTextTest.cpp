// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the source says what a fix would change, and where it does not.

#include "Snippet.h"

using namespace coreside;

namespace {

const Kernel &kernelCalled(llvm::StringRef name, const Program &program) {
  for (const Kernel &kernel : program.kernels)
    if (kernel.name == name)
      return kernel;
  static const Kernel none;
  ADD_FAILURE() << "no kernel " << name.str();
  return none;
}

/// The text of step `index` of the function `go`.
StepText textOf(const Program &program, unsigned index = 0) {
  const Trace *trace = findTrace("go", program);
  if (!trace || index >= trace->steps.size() || trace->steps[index].text < 0) {
    ADD_FAILURE() << "no step " << index;
    return {};
  }
  return program.stepTexts[trace->steps[index].text];
}

TEST(WrittenText, BoundsOfAKernel) {
  Program program = readSnippet(R"(
constexpr int most = 128;
__global__ void __launch_bounds__(most, 2) two() {}
template <int N> __global__ void __launch_bounds__(N, 1024 / N) many() {}
__global__ void __maxnreg__(64) few() {}
void go() { many<256><<<1, 1>>>(); }
)");
  const KernelText &two = kernelCalled("two", program).text;
  EXPECT_EQ(two.launchBounds.text, "__launch_bounds__(most, 2)");
  EXPECT_EQ(two.launchBounds.line, 6u);
  EXPECT_EQ(two.launchBounds.column, 17u);
  EXPECT_EQ(two.launchBounds.endColumn, 43u);
  EXPECT_EQ(two.launchBoundsArguments[0].text, "most");
  EXPECT_EQ(two.launchBoundsArguments[1].text, "2");
  EXPECT_FALSE(two.launchBoundsArguments[2]);
  EXPECT_EQ(two.beforeName.column, 44u);
  EXPECT_EQ(two.beforeName.endColumn, 44u);
  const KernelText &many = kernelCalled("many<256>", program).text;
  EXPECT_EQ(many.launchBounds.text, "__launch_bounds__(N, 1024 / N)");
  EXPECT_EQ(many.launchBoundsArguments[1].text, "1024 / N");
  EXPECT_EQ(many.beforeName.line, 7u);
  EXPECT_EQ(kernelCalled("few", program).text.maxRegisters.text,
            "__maxnreg__(64)");
  EXPECT_FALSE(kernelCalled("few", program).text.launchBounds);
}

TEST(WrittenText, NoPlaceWhereAMacroMadeTheKernel) {
  Program program = readSnippet(R"(
#define BOUNDS __launch_bounds__(256)
#define KERNEL(name) __global__ void __launch_bounds__(64) name() {}
__global__ void BOUNDS one() {}
KERNEL(two)
)");
  EXPECT_EQ(kernelCalled("one", program).maxThreads, Value::known(256));
  EXPECT_FALSE(kernelCalled("one", program).text.launchBounds);
  EXPECT_TRUE(kernelCalled("one", program).text.beforeName);
  EXPECT_FALSE(kernelCalled("two", program).text.launchBounds);
  EXPECT_FALSE(kernelCalled("two", program).text.beforeName);
}

TEST(WrittenText, BoundsAreAddedToDefinitions) {
  Program program = readSnippet(R"(
__global__ void elsewhere(int *p);
__global__ void here(int *p);
__global__ void here(int *p) {}
void go(int *p) { elsewhere<<<1, 1>>>(p); }
)");
  EXPECT_FALSE(kernelCalled("elsewhere", program).text.beforeName);
  EXPECT_EQ(kernelCalled("here", program).text.beforeName.line, 7u);
}

TEST(WrittenText, Launch) {
  StepText text = textOf(readSnippet(R"(
#define THREADS 256
void go(int *p, int n, cudaStream_t s) {
  front<<<dim3((n + 255) / THREADS, 2), THREADS,
          n * sizeof(int), s>>>(p);
}
)"));
  EXPECT_EQ(text.kernel.text, "front");
  EXPECT_EQ(text.grid.text, "dim3((n + 255) / THREADS, 2)");
  EXPECT_EQ(text.block.text, "THREADS");
  EXPECT_EQ(text.dynamicShared.text, "n * sizeof(int)");
  EXPECT_EQ(text.dynamicShared.line, 8u);
  EXPECT_EQ(text.stream.text, "s");
  EXPECT_EQ(text.call.line, 7u);
  EXPECT_EQ(text.call.endLine, 8u);
  EXPECT_EQ(text.statement.text, text.call.text + ";");
  EXPECT_EQ(text.indentation, "  ");
  ASSERT_EQ(text.arguments.size(), 1u);
  EXPECT_EQ(text.arguments[0].text, "p");
}

TEST(WrittenText, WhatIsLeftOutHasNoPlace) {
  StepText text =
      textOf(readSnippet("void go(int *p) { front<<<1, 2>>>(p); }"));
  EXPECT_TRUE(text.block);
  EXPECT_FALSE(text.dynamicShared);
  EXPECT_FALSE(text.stream);
}

TEST(WrittenText, LaunchByCall) {
  Program program = readSnippet(R"(
#define CHECK(call) do { auto status = (call); if (status) return; } while (0)
void go(int *p, cudaStream_t s) {
  void *arguments[] = {&p};
  CHECK(cudaLaunchKernel((void *)front, dim3(4), dim3(128), arguments, 64, s));
  if (p)
    CHECK(cudaFree(p));
}
)");
  StepText launch = textOf(program, 0);
  EXPECT_EQ(launch.kernel.text, "(void *)front");
  EXPECT_EQ(launch.grid.text, "dim3(4)");
  EXPECT_EQ(launch.dynamicShared.text, "64");
  EXPECT_EQ(launch.statement.text, "CHECK(" + launch.call.text + ");");
  // Nothing may be added before it: it is not in braces.
  StepText free = textOf(program, 1);
  EXPECT_EQ(free.call.text, "cudaFree(p)");
  EXPECT_FALSE(free.statement);
}

TEST(WrittenText, NoPlaceWhereAMacroMadeTheLaunch) {
  Program program = readSnippet(R"(
#define RUN(kernel, blocks) kernel<<<blocks, 32>>>(p)
void go(int *p, int n) {
  RUN(front, n + 1);
}
)");
  StepText text = textOf(program);
  EXPECT_FALSE(text.call);
  EXPECT_FALSE(text.statement);
  EXPECT_FALSE(text.block);
  EXPECT_EQ(text.grid.text, "n + 1");
}

TEST(WrittenText, StatementsInBracesOnly) {
  Program program = readSnippet(R"(
void go(int *p, bool b) {
  if (b)
    front<<<1, 1>>>(p);
  if (b) {
    front<<<1, 2>>>(p);
  }
  for (int i = 0; i < 1; ++i)
    front<<<1, 3>>>(p);
  cudaError_t failed = cudaMemset(p, 0, 4);
}
)");
  EXPECT_FALSE(textOf(program, 0).statement);
  EXPECT_EQ(textOf(program, 1).statement.text, "front<<<1, 2>>>(p);");
  EXPECT_FALSE(textOf(program, 2).statement);
  EXPECT_EQ(textOf(program, 3).statement.text,
            "cudaError_t failed = cudaMemset(p, 0, 4);");
}

TEST(WrittenText, OneForEachExpression) {
  Program program = readSnippet(R"(
void one(int *p) { front<<<1, 1>>>(p); }
void go(int *p) {
  one(p);
  one(p);
  for (int i = 0; i < 3; ++i) { back<<<1, 1>>>(p); }
}
)");
  EXPECT_EQ(program.stepTexts.size(), 2u);
  EXPECT_EQ(textOf(program, 0).statement.text, "front<<<1, 1>>>(p);");
  EXPECT_EQ(textOf(program, 4).statement.text, "back<<<1, 1>>>(p);");
}

TEST(WrittenText, StreamsKnowTheirCall) {
  Program program = readSnippet(R"(
void go(int *p) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  front<<<1, 1, 0, s>>>(p);
}
)");
  const Stream &stream = findTrace("go", program)->streams[0];
  ASSERT_GE(stream.text, 0);
  const StepText &text = program.stepTexts[stream.text];
  EXPECT_EQ(text.call.text, "cudaStreamCreate(&s)");
  EXPECT_EQ(text.arguments[0].text, "&s");
}

TEST(WrittenText, NoPlaceUnderALineDirective) {
  Program program = readSnippet(R"(
#line 100 "made.in"
void go(int *p) { front<<<1, 1>>>(p); }
)");
  EXPECT_FALSE(textOf(program).call);
  EXPECT_FALSE(textOf(program).grid);
}

} // namespace
