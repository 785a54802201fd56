// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that would take for ever is read in bounded time, or cut with a word.

#include "Snippet.h"

#include <ctime>

using namespace coreside;

namespace {

/// Seconds of this process that reading takes, whatever else runs; far above
/// what is needed, and far below what doubling at every level takes.
constexpr double patience = 60;

Program timed(const std::string &text, double &seconds) {
  const std::clock_t before = std::clock();
  Program program = readSnippet(text);
  seconds = double(std::clock() - before) / CLOCKS_PER_SEC;
  return program;
}

TEST(Limits, ShortLoopsTwentyDeep) {
  double seconds = 0;
  std::string text = "void go(int *p) { int sum = 0; ";
  for (unsigned i = 0; i < 20; ++i) {
    std::string v = "i" + std::to_string(i);
    text += "for (int " + v + " = 0; " + v + " < 3; ++" + v +
            ") { sum += " + v + "; ";
  }
  text += "front<<<1, 1>>>(p);" + std::string(20, '}') +
          " front<<<sum, 64>>>(p); }";
  Program program = timed(text, seconds);
  EXPECT_LT(seconds, patience);
  ASSERT_TRUE(findTrace("go", program));
  const Step &last = findTrace("go", program)->steps.back();
  EXPECT_EQ(last.block[0], Value::known(64));
  EXPECT_FALSE(last.grid[0].isKnown());
}

TEST(Limits, LoopsOfUnknownLengthTwentyDeep) {
  double seconds = 0;
  std::string text = "void go(int *p, int n) { int sum = 0; ";
  for (unsigned i = 0; i < 20; ++i) {
    std::string v = "i" + std::to_string(i);
    text += "for (int " + v + " = 0; " + v + " < n; ++" + v +
            ") { sum += " + v + "; ";
  }
  text += "front<<<1, 1>>>(p);" + std::string(20, '}') +
          " front<<<sum, 64>>>(p); }";
  Program program = timed(text, seconds);
  EXPECT_LT(seconds, patience);
  ASSERT_TRUE(findTrace("go", program));
  EXPECT_FALSE(findTrace("go", program)->steps.back().grid[0].isKnown());
  EXPECT_LT(findTrace("go", program)->steps.size(), 64u);
}

TEST(Limits, CallsThatDouble) {
  std::string text =
      "int f24(int n, cudaStream_t s) { return s ? n : n + 1; }\n";
  for (int i = 23; i >= 0; --i) {
    std::string next = "f" + std::to_string(i + 1);
    text += "int f" + std::to_string(i) + "(int n, cudaStream_t s) { return " +
            next + "(n, s) + " + next + "(n + 1, s); }\n";
  }
  text += "void go(int n, cudaStream_t s) { front<<<f0(n, s), 1>>>(nullptr); }";
  Program program = readSnippet(text);
  const Trace *trace = findTrace("go", program);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->cuts, (Steps{"more than 2 million expressions"}));
  // What is left to do after the cut asks nothing more of any size.
  EXPECT_LT(trace->evaluations, 2100000u);
}

TEST(Limits, CopiesOfCopiesInAKernel) {
  std::string body;
  for (int i = 0; i != 14; ++i)
    body += "Holds h" + std::to_string(i) + "{q};";
  for (int i = 0; i != 14; ++i)
    for (int j = 0; j != 14; ++j)
      body += "h" + std::to_string(i) + " = h" + std::to_string(j) + ";";
  double seconds = 0;
  Program program = timed("struct Holds { int *p; };"
                          "__global__ void copies(int *q) {" +
                              body + "*h13.p = 1; while (*h0.p) ; }",
                          seconds);
  EXPECT_LT(seconds, patience);
  EXPECT_FALSE(program.kernels.empty());
}

} // namespace
