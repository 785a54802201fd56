// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that narrow what a number can be, and such that exclude another.

#include "Snippet.h"
#include "program/ConditionForm.h"

using namespace coreside;

namespace {

/// The launches of `go`: "front <grid> [low, high]", by x.
std::vector<std::string> ranges(llvm::StringRef body) {
  Program program = readSnippet(body);
  std::vector<std::string> result;
  if (const Trace *trace = findTrace("go", program))
    for (const Step &step : trace->steps)
      if (step.kind == Step::Kind::Launch)
        result.push_back(text(step.grid[0]) + " [" +
                         std::to_string(step.grid[0].low) + ", " +
                         std::to_string(step.grid[0].high) + "]");
  return result;
}

TEST(Narrowing, AnEarlyReturn) {
  EXPECT_EQ(ranges(R"(
    void go(int n) {
      int copy = n;
      int grid = (n + 255) / 256;
      if (n > 1024 || n <= 0) return;
      front<<<n, 1>>>(nullptr);
      front<<<copy, 1>>>(nullptr);
      front<<<grid, 1>>>(nullptr);
    }
  )"),
            (Steps{"n [1, 1024]", "n [1, 1024]", "(n + 255) / 256 [1, 4]"}));
}

TEST(Narrowing, AnAssertAndWhatItsCallerKnows) {
  EXPECT_EQ(ranges(R"(
    void check(int n) {
      (static_cast<bool>(n <= 256 && n > 0)
           ? void(0) : __assert_fail("n", "a.cu", 1, "check"));
    }
    void go(int n, int m) {
      check(n);
      front<<<n, 1>>>(nullptr);
      if (m > 5) throw 1;
      front<<<m, 1>>>(nullptr);
    }
  )"),
            (Steps{"n [1, 256]", "m [0, 5]"}));
}

// `do { ... } while (0)` has one turn, however much was calculated before it,
// and what it learns is not crowded out by loops that are over.
TEST(Narrowing, AnAssertLateInALongTurn) {
  std::string body = R"(
    extern "C" void abort();
    void go(int n, int turns) {
      for (int turn = 0; turn < turns; ++turn) {
        int sum = 0;
        for (int i = 0; i < 6000; ++i)
          sum += i;
  )";
  for (unsigned i = 0; i < 40; ++i)
    body += "for (int i = 0; i < turns; ++i) sum += i;\n";
  body += R"(
        do { if (!(n <= 64 && n > 0)) { abort(); } } while (false);
        front<<<n, 1>>>(nullptr);
      }
    }
  )";
  EXPECT_EQ(ranges(body), (Steps{"n [1, 64]", "n [1, 64]"}));
}

TEST(Narrowing, ArmsAndWhatIsAfterThem) {
  EXPECT_EQ(
      ranges(R"(
    void go(int n, unsigned u) {
      if (n < 10) front<<<n, 1>>>(nullptr);
      else front<<<n, 1>>>(nullptr);
      front<<<n, 1>>>(nullptr);
      if (u == 7) front<<<u, 1>>>(nullptr);
      if (n * 4 <= 40) front<<<n, 1>>>(nullptr);
      if (!(n < 10) && n != 10) front<<<n, 1>>>(nullptr);
      if ((unsigned)n < 12u) front<<<n, 1>>>(nullptr);
    }
  )"),
      (Steps{"n [0, 9]", "n [10, 2147483647]", "n [0, 2147483647]", "7 [7, 7]",
             "n [0, 10]", "n [11, 2147483647]", "n [0, 11]"}));
}

TEST(Narrowing, NotPastAStoreNorAWayAround) {
  EXPECT_EQ(
      ranges(R"(
    int next();
    void skips(int n, bool off) {
      if (off) return;
      if (n > 8) throw 1;
    }
    void go(int n, int m, bool off) {
      skips(n, off);
      front<<<n, 1>>>(nullptr);
      if (m > 8) return;
      m = next();
      front<<<m, 1>>>(nullptr);
      int k = n;
      if (off) { if (k > 3) return; }
      front<<<k, 1>>>(nullptr);
      for (int i = 0; i < m; ++i) { if (n > 100) throw 1; }
      front<<<n, 1>>>(nullptr);
      try { if (n > 100) throw 1; } catch (...) {}
      front<<<n, 1>>>(nullptr);
    }
  )"),
      (Steps{"n [0, 2147483647]", "m [0, 2147483647]", "n [0, 2147483647]",
             "n [0, 2147483647]", "n [0, 2147483647]"}));
}

TEST(Narrowing, WhatALoopLeaves) {
  EXPECT_EQ(ranges(R"(
    void go(int n) {
      int threads = 1024;
      if (n > 512) return;
      while (threads > n) threads /= 2;
      front<<<threads, 1>>>(nullptr);
    }
  )"),
            (Steps{"threads [0, 512]"}));
}

TEST(Narrowing, WhicheverIsSmaller) {
  EXPECT_EQ(
      ranges(R"(
    void go(int n) {
      front<<<n < 1024 ? n : 1024, 1>>>(nullptr);
      front<<<n > 64 ? n : 64, 1>>>(nullptr);
      front<<<n > 64 ? n / 64 : 1, 1>>>(nullptr);
      int grid = n;
      if (grid > 65535) grid = 65535;
      front<<<grid, 1>>>(nullptr);
      grid = n / 64;
      if (n % 64 != 0) ++grid;
      front<<<grid, 1>>>(nullptr);
    }
  )"),
      (Steps{"min(n, 1024) [0, 1024]", "max(n, 64) [64, 2147483647]",
             "n > 64 ? n / 64 : 1 [1, 33554431]", "min(n, 65535) [0, 65535]",
             "n % 64 != 0 ? n / 64 + 1 : n / 64 [0, 33554432]"}));
}

/// Guards of the launches of `go`.
std::vector<std::string> guards(llvm::StringRef body) {
  Program program = readSnippet(body);
  std::vector<std::string> result;
  if (const Trace *trace = findTrace("go", program))
    for (const Step &step : trace->steps) {
      result.emplace_back();
      for (const Guard &guard : step.guards)
        result.back() += (result.back().empty() ? "" : " ") +
                         std::to_string(guard.condition) + "." +
                         std::to_string(guard.arm);
    }
  return result;
}

TEST(Narrowing, OppositeConditionsAreOne) {
  EXPECT_EQ(guards(R"(
    void go(int c) {
      if (c > 0) front<<<1, 1>>>(nullptr);
      if (c <= 0) front<<<2, 1>>>(nullptr);
      if (!(c > 0)) front<<<3, 1>>>(nullptr);
      if (1 <= c) front<<<4, 1>>>(nullptr);
      c = c + 1;
      if (c > 0) front<<<5, 1>>>(nullptr);
    }
  )"),
            (Steps{"0.0", "0.1", "0.1", "0.0", "1.0"}));
}

TEST(Narrowing, ConditionsThatExcludeOneAnother) {
  EXPECT_EQ(guards(R"(
    void go(int c) {
      if (c == 1) front<<<1, 1>>>(nullptr);
      if (c == 2) front<<<2, 1>>>(nullptr);
      if (c > 8) front<<<3, 1>>>(nullptr);
    }
  )"),
            (Steps{"0.0 1.1 2.1", "1.0 0.1 2.1", "2.0 0.1 1.1"}));
}

TEST(Narrowing, WhatAConditionChoseGoesWithTheCondition) {
  EXPECT_EQ(
      ranges(R"(
    void go(int threads, int n) {
      int size = threads <= 32 ? 2 * threads : threads + 1;
      switch (threads) {
      case 512: front<<<size, 1>>>(nullptr); break;
      case 32: front<<<size, 1>>>(nullptr); break;
      }
      int grid = 64;
      if (n > 1000) grid = 256;
      front<<<grid, 1>>>(nullptr);
      if (n > 2000) front<<<grid, 1>>>(nullptr);
      if (n < 10) front<<<grid, 1>>>(nullptr);
    }
  )"),
      (Steps{"513 [513, 513]", "64 [64, 64]", "n > 1000 ? 256 : 64 [64, 256]",
             "256 [256, 256]", "64 [64, 64]"}));
}

TEST(ConditionForm, OneFormForAll) {
  using Relation = ConditionForm::Relation;
  EXPECT_EQ(conditionForm("n:0..9 4 >:i32"),
            (ConditionForm{"n:0..9", Relation::AtMost, 4, true}));
  EXPECT_EQ(conditionForm("n:0..9 4 <:i32"),
            (ConditionForm{"n:0..9", Relation::AtMost, 3, false}));
  EXPECT_EQ(conditionForm("n:0..9 4 >:i32 0 ==:i32"),
            (ConditionForm{"n:0..9", Relation::AtMost, 4, false}));
  EXPECT_EQ(conditionForm("n:0..9 m:0..9 <:i32"),
            (ConditionForm{"n:0..9 m:0..9 <:i32", Relation::Equal, 0, true}));
}

TEST(ConditionForm, OneDecidesAnother) {
  ConditionForm atMostFour = conditionForm("n:0..9 4 <=:i32");
  auto [low, high] = rangeWhere(conditionForm("n:0..9 8 >:i32"), true);
  EXPECT_EQ(decided(atMostFour, low, high), false);
  EXPECT_EQ(decided(atMostFour, 0, 4), true);
  EXPECT_EQ(decided(atMostFour, 0, 5), std::nullopt);
}

TEST(ConditionForm, WhatFollowsForAPart) {
  auto part = rangeOfPart("n:0..9 255 +:i32 256 /:i32", 0, 4);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->formula, "n:0..9 255 +:i32");
  EXPECT_EQ(part->low, -255);
  EXPECT_EQ(part->high, 1279);
  part = rangeOfPart("n:0..9 3 *:i32", 4, 10);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->low, 2);
  EXPECT_EQ(part->high, 3);
  part = rangeOfPart("n:0..9 256 min:i32", 4, 64);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->low, 4);
  EXPECT_EQ(part->high, 64);
  part = rangeOfPart("n:0..9 256 min:i32", 4, 256);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->high, Value::highest);
  part = rangeOfPart("n:0..9 32 max:u64", 32, 64);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->low, Value::lowest);
  EXPECT_EQ(part->high, 64);
  part = rangeOfPart("n:0..9 8 /:u32", 1, 4);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->low, 8);
  EXPECT_EQ(part->high, 39);
  EXPECT_FALSE(rangeOfPart("n:0..9 3 *:u32", 4, 10));
  EXPECT_FALSE(rangeOfPart("n:0..9 to:i32:u32", 0, 4294967295));
  EXPECT_FALSE(rangeOfPart("n:0..9 to:i64:i32", 0, 8));
  EXPECT_TRUE(rangeOfPart("n:0..9 to:i32:u32", 0, 8));
}

} // namespace
