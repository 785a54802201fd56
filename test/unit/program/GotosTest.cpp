// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a goto skips, what stands behind its label, and gotos that go back.

#include "Snippet.h"

using namespace coreside;

namespace {

const std::string start = "launch front 1 32 0 on default stream";
const std::string finish = "launch back 1 32 0 on default stream";
const std::string frontIt = "front<<<1, 32>>>(nullptr);";
const std::string backIt = "back<<<1, 32>>>(nullptr);";

Steps stepsOf(const std::string &body, std::vector<std::string> cuts = {}) {
  Program program =
      readSnippet("void go(int n, int m, cudaStream_t s) {" + body + "}");
  const Trace *trace = findTrace("go", program);
  EXPECT_TRUE(trace) << body;
  if (trace)
    EXPECT_EQ(trace->cuts, cuts) << body;
  return steps("go", program);
}

TEST(Gotos, WhatIsSkippedRunsOnTheOtherWayOnly) {
  EXPECT_EQ(stepsOf("int size = 64;"
                    "if (n > 5) { size = 128; goto Error; }" +
                    frontIt + "Error: back<<<1, size>>>(nullptr);"),
            (Steps{start + " if 0.1",
                   "launch back 1 [64, 128] 0 on default stream"}));
  EXPECT_EQ(stepsOf("goto end; " + frontIt + "end: " + backIt), Steps{finish});
}

TEST(Gotos, InAMacroOfErrors) {
  EXPECT_EQ(stepsOf("\n#define CHECK(x) \\\n"
                    "do { if ((x) != cudaSuccess) goto Error; } while (0)\n"
                    "int *p; CHECK(cudaMalloc(&p, n));" +
                    frontIt + "CHECK(cudaGetLastError()); Error: cudaFree(p);"),
            (Steps{"allocate cudaMalloc", start, "implicit cudaFree"}));
}

// c runs for both ways to `two` and `one`, what stands between for one of them.
TEST(Gotos, LabelsOneAfterTheOther) {
  EXPECT_EQ(stepsOf("if (n) goto one;" + frontIt + "if (m) goto two;" +
                    frontIt + "return; two: " + backIt +
                    "one: front<<<3, 32>>>(nullptr);"),
            (Steps{start + " if 0.1", start + " if 0.1 if 1.1",
                   finish + " if 0.1 if 2.0",
                   "launch front 3 32 0 on default stream"}));
}

TEST(Gotos, OutOfLoops) {
  Steps seen = stepsOf("for (int i = 0; i < n; ++i)"
                       "  for (int j = 0; j < n; ++j) {" +
                       frontIt + "    if (i * j == 77) goto out; }" +
                       "back<<<2, 32>>>(nullptr); out: " + backIt);
  ASSERT_EQ(seen.size(), 6u);
  EXPECT_EQ(seen.back(), finish);
  EXPECT_TRUE(llvm::StringRef(seen[4]).starts_with(
      "launch back 2 32 0 on default stream if"));
}

TEST(Gotos, BackwardsTheyAreALoop) {
  EXPECT_EQ(stepsOf("int i = 0; again: front<<<i + 1, 32>>>(nullptr); ++i;"
                    "if (i < 3) goto again; back<<<i, 32>>>(nullptr);"),
            (Steps{"launch front 1 32 0 on default stream",
                   "launch front 2 32 0 on default stream",
                   "launch front 3 32 0 on default stream",
                   "launch back 3 32 0 on default stream"}));
  Steps seen = stepsOf("int i = 0; again: front<<<i + 1, 32>>>(nullptr); ++i;"
                       "if (i < n) goto again; back<<<i, 32>>>(nullptr);");
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], "launch front i + 1 32 0 on default stream "
                     "in loop 0 turn 0");
  EXPECT_NE(seen[2], "launch back 1 32 0 on default stream");
}

// A break in such a loop leaves the loop around it.
TEST(Gotos, BreaksLeaveTheLoopAround) {
  EXPECT_EQ(
      stepsOf("for (int i = 0; i < 3; ++i) { int tries = 0; again: " + frontIt +
              "if (++tries < 2) goto again; if (i == 1) break; }" + backIt),
      (Steps{start, start, start, start, finish}));
}

TEST(Gotos, ASwitchInTheMiddle) {
  EXPECT_EQ(stepsOf("switch (n) { case 0: goto two; case 1: " + frontIt +
                    "break; two: case 2: " + backIt + " break; }"),
            (Steps{finish + " if 0.0", start + " if 0.1", finish + " if 0.2"}));
}

TEST(Gotos, LabelsByTheirAddress) {
  Steps seen = stepsOf("void *to[] = {&&x, &&y}; goto *to[n]; x: " + frontIt +
                       "return; y: " + backIt);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1], finish);
}

// Such a block is run from its beginning, and the trace says so.
TEST(Gotos, IntoABlock) {
  EXPECT_EQ(stepsOf("if (n) goto done;" + frontIt + "{ done: " + backIt + "}",
                    {"goto into a block in 'go'"}),
            (Steps{start + " if 0.1", finish}));
}

TEST(Gotos, EndTheObjectsThatTheyLeave) {
  Program program = readSnippet(R"(
    struct Waits { cudaStream_t s; ~Waits() { cudaStreamSynchronize(s); } };
    void go(cudaStream_t s) {
      { Waits w{s}; front<<<1, 32, 0, s>>>(nullptr); goto end; }
      front<<<2, 32>>>(nullptr);
    end:
      back<<<1, 32>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 32 0 on s", "synchronize s", finish}));
}

} // namespace
