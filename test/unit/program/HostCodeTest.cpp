// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and control flow of host code, seen through what is launched.

#include "Snippet.h"

using namespace coreside;

namespace {

/// Grids of the launches of `go`, in order.
std::vector<std::string> grids(const Program &program,
                               llvm::StringRef function = "go") {
  std::vector<std::string> result;
  if (const Trace *trace = findTrace(function, program))
    for (const Step &step : trace->steps)
      if (step.kind == Step::Kind::Launch)
        result.push_back(text(step.grid));
  return result;
}

TEST(HostCode, NeverStoredToIsKnown) {
  Program program = readSnippet(R"(
    void go() {
      int n = 100000;
      int threads = 256;
      front<<<(n + threads - 1) / threads, threads>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"391"}));
}

TEST(HostCode, FormulasOverParameters) {
  Program program = readSnippet(R"(
    void go(int n, unsigned m) {
      const int threads = 256;
      front<<<(n + threads - 1) / threads, threads>>>(nullptr);
      front<<<dim3(m / 32, n), 32, n * sizeof(float)>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.steps[0].grid[0].text, "(n + 255) / 256");
  EXPECT_EQ(trace.steps[0].grid[0].low, 0);
  EXPECT_EQ(trace.steps[0].grid[0].high, 8388607);
  EXPECT_EQ(trace.steps[1].grid[0].text, "m / 32");
  EXPECT_EQ(trace.steps[1].grid[1].low, 0);
  EXPECT_EQ(trace.steps[1].dynamicShared.text, "n * 4");
}

TEST(HostCode, WhatComesFromOutsideIsCalledByItsVariable) {
  Program program = readSnippet(R"(
    int readSize();
    void go(char **arguments) {
      int n = atoi(arguments[1]);
      front<<<n / 64, 64>>>(nullptr);
      front<<<readSize(), 64>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program),
            (Steps{"n / 64", R"({"unknown":"returned by 'readSize'"})"}));
}

TEST(HostCode, AnAddressThatEscapesIsNotKnownAnyMore) {
  Program program = readSnippet(R"(
    void elsewhere(int *);
    void alsoElsewhere(int &);
    void onlyReads(const int *, int);
    void go() {
      int a = 1, b = 2, c = 3;
      elsewhere(&a);
      alsoElsewhere(b);
      onlyReads(&c, c);
      front<<<a, 1>>>(nullptr);
      front<<<b, 1>>>(nullptr);
      front<<<c, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"a", "b", "3"}));
}

TEST(HostCode, ConstantsOfEveryKind) {
  Program program = readSnippet(R"(
    #define BLOCKS 3
    enum Size { small = 4, large };
    enum class Mode : unsigned { fast = 6 };
    constexpr int square(int x) { return x * x; }
    constexpr int constant = square(3);
    static const int fileConstant = 10;
    const dim3 globalGrid(11, 2);
    struct Config { static constexpr int threads = 12; int member = 13; };
    void go() {
      front<<<BLOCKS, 1>>>(nullptr);
      front<<<large, 1>>>(nullptr);
      front<<<(int)Mode::fast, 1>>>(nullptr);
      front<<<constant, 1>>>(nullptr);
      front<<<fileConstant, 1>>>(nullptr);
      front<<<globalGrid, 1>>>(nullptr);
      front<<<Config::threads, 1>>>(nullptr);
      front<<<Config().member, 1>>>(nullptr);
      front<<<sizeof(double) * 2, 1>>>(nullptr);
      front<<<'a', 1>>>(nullptr);
      front<<<1 << 10, 1>>>(nullptr);
      front<<<true ? 18 : 19, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"3", "5", "6", "9", "10", "11,2", "12", "13",
                                   "16", "97", "1024", "18"}));
}

TEST(HostCode, IntegerTypesAsCHasThem) {
  Program program = readSnippet(R"(
    void go() {
      unsigned char small = 250;
      small += 10;
      front<<<small, 1>>>(nullptr);
      unsigned big = 0;
      big = big - 1;
      front<<<big / 1000000000u, 1>>>(nullptr);
      long long wide = 1LL << 33;
      front<<<(int)(wide >> 30), 1>>>(nullptr);
      int negative = -7;
      front<<<(unsigned)(-(negative / 2)), 1>>>(nullptr);
      front<<<-negative % 4, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"4", "4", "8", "3", "3"}));
}

TEST(HostCode, RoundingUpWithFloatingPoint) {
  Program program = readSnippet(R"(
    #include <cmath>
    void go(int n) {
      const int size = 1000;
      front<<<(int)ceil(size / 256.0), 1>>>(nullptr);
      front<<<std::ceil((float)size / 300), 1>>>(nullptr);
      front<<<ceil((double)n / 256), 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"4", "4", "ceil((double)n / 256)"}));
}

TEST(HostCode, MinAndMax) {
  Program program = readSnippet(R"(
    #include <algorithm>
    void go(int n) {
      front<<<std::min(n, 128), 1>>>(nullptr);
      front<<<max(5, 6), 1>>>(nullptr);
      front<<<std::max(7u, 8u), 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"min(n, 128)", "6", "8"}));
  EXPECT_EQ(findTrace("go", program)->steps[0].grid[0].high, 128);
}

TEST(HostCode, FunctionsOfTheFile) {
  Program program = readSnippet(R"(
    int divideUp(int a, int b = 256) { return (a + b - 1) / b; }
    int clamp(int x) { if (x > 100) return 100; if (x < 1) return 1; return x; }
    void put(int &out, int *also) { out = 4; *also = 5; }
    template <class T> T twice(T x) { return x * 2; }
    void go(int n) {
      front<<<divideUp(1000), 1>>>(nullptr);
      front<<<divideUp(n, 32), 1>>>(nullptr);
      front<<<clamp(5000), 1>>>(nullptr);
      front<<<clamp(-1), 1>>>(nullptr);
      int a, b;
      put(a, &b);
      front<<<dim3(a, b), 1>>>(nullptr);
      front<<<twice(21), 1>>>(nullptr);
      front<<<clamp(n), 1>>>(nullptr);
    }
  )");
  auto result = grids(program);
  ASSERT_EQ(result.size(), 7u);
  EXPECT_EQ((Steps{result.begin(), result.end() - 1}),
            (Steps{"4", "(n + 31) / 32", "100", "1", "4,5", "42"}));
  EXPECT_FALSE(findTrace("go", program)->steps[6].grid[0].isKnown());
}

TEST(HostCode, StructuresAndConstructors) {
  Program program = readSnippet(R"(
    struct Shape {
      int rows, columns;
      Shape(int r, int c = 8) : rows(r), columns(c) { rows += 1; }
      int area() const { return rows * columns; }
      void grow(int by) { rows += by; }
    };
    struct Job { Shape shape{2}; int blocks = shape.rows + 1; };
    struct Plain { int a; dim3 grid; int list[3]; };
    void go() {
      Shape s(3);
      front<<<s.area(), 1>>>(nullptr);
      s.grow(2);
      Shape *p = &s;
      front<<<p->rows, 1>>>(nullptr);
      Shape t = s;
      t.rows = 100;
      front<<<dim3(s.rows, t.rows), 1>>>(nullptr);
      Job job;
      front<<<job.blocks, 1>>>(nullptr);
      Plain plain{1, dim3(7, 8), {4, 5, 6}};
      front<<<plain.grid, plain.list[1]>>>(nullptr);
      Plain zero = {};
      front<<<zero.a + 9, 1>>>(nullptr);
      auto *heap = new Shape(10, 2);
      front<<<heap->area(), 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"32", "6", "6,100", "4", "7,8", "9", "22"}));
}

TEST(HostCode, InheritedAndDelegatingConstructors) {
  CompileCommand command;
  command.clangArguments = {"-std=c++20"};
  Program program = readSnippet(R"(
    struct Base {
      cudaStream_t s; int n;
      Base(cudaStream_t x, int y) : s(x), n(y) {}
    };
    struct Derived : Base { using Base::Base; int extra = 3; };
    struct Twice : Derived { using Derived::Derived; };
    struct Delegates {
      int n, m = n * 2;
      Delegates(int k) : n(k) {}
      Delegates() : Delegates(9) { m += 1; }
    };
    struct Settings {
      int grid = 4, block = 128; cudaStream_t stream = nullptr;
    };
    void run(const Settings &c) {
      front<<<c.grid, c.block, 0, c.stream>>>(nullptr);
    }
    struct One { int n = 1; }; struct Two { int n = 2; };
    struct Both : One, Two {}; struct Hides : One { int n = 7; };
    void go(cudaStream_t s) {
      Twice d(s, 7);
      front<<<d.n, d.extra, 0, d.s>>>(nullptr);
      Delegates e;
      front<<<e.n, e.m>>>(nullptr);
      run({.block = 256, .stream = s});
      Both b; Hides h;
      front<<<b.One::n, b.Two::n>>>(nullptr);
      front<<<h.One::n, h.n>>>(nullptr);
      Both copy = b;
      front<<<copy.One::n, copy.Two::n>>>(nullptr);
    }
  )",
                                {}, command);
  EXPECT_EQ(
      steps("go", program),
      (Steps{"launch front 7 3 0 on s", "launch front 9 19 0 on default stream",
             "launch front 4 256 0 on s",
             "launch front 1 2 0 on default stream",
             "launch front 1 7 0 on default stream",
             "launch front 1 2 0 on default stream"}));
}

TEST(HostCode, PairsTuplesAndBindings) {
  CompileCommand command;
  command.clangArguments = {"-std=c++20"};
  Program program = readSnippet(R"(
    #include <optional>
    #include <tuple>
    #include <utility>
    void go(cudaStream_t s) {
      auto [x, y] = std::make_pair(4, s);
      front<<<x, 32, 0, y>>>(nullptr);
      auto three = std::make_tuple(5, s, 6);
      auto &[u, v, w] = three;
      front<<<u, w, 0, v>>>(nullptr);
      int grid; cudaStream_t t;
      std::tie(grid, t, std::ignore) = three;
      front<<<grid, std::get<2>(three), 0, t>>>(nullptr);
      std::pair<int, int> sizes[2] = {{1, 2}, {3, 4}};
      for (auto [p, q] : sizes) front<<<p, q>>>(nullptr);
      int raw[2] = {7, 8}; auto [r0, r1] = raw;
      front<<<r0, r1>>>(nullptr);
      std::optional<cudaStream_t> o = s;
      if (o) front<<<9, 32, 0, *o>>>(nullptr);
      front<<<10, 32, 0, std::exchange(t, nullptr)>>>(nullptr);
      front<<<11, 32, 0, t>>>(nullptr);
    }
  )",
                                {}, command);
  EXPECT_EQ(
      steps("go", program),
      (Steps{"launch front 4 32 0 on s", "launch front 5 6 0 on s",
             "launch front 5 6 0 on s", "launch front 1 2 0 on default stream",
             "launch front 3 4 0 on default stream",
             "launch front 7 8 0 on default stream", "launch front 9 32 0 on s",
             "launch front 10 32 0 on s",
             "launch front 11 32 0 on default stream"}));
}

TEST(HostCode, ReferencesAndPointersToLocals) {
  Program program = readSnippet(R"(
    void go() {
      int a = 1, b[4] = {10, 20, 30, 40};
      int &r = a;
      r = 2;
      front<<<a, 1>>>(nullptr);
      int *p = &a;
      *p = 3;
      front<<<r, 1>>>(nullptr);
      p = b + 1;
      ++p;
      front<<<*p, 1>>>(nullptr);
      p[1] = 41;
      front<<<b[3], 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(grids(program), (Steps{"2", "3", "30", "41"}));
}

TEST(HostCode, DecidedConditionsGoOneWay) {
  Program program = readSnippet(R"(
    template <int Mode> void run() {
      if constexpr (Mode == 1) front<<<1, 1>>>(nullptr);
      else back<<<2, 1>>>(nullptr);
      switch (Mode) {
      case 1: front<<<3, 1>>>(nullptr); break;
      case 2: front<<<4, 1>>>(nullptr);
      case 3: front<<<5, 1>>>(nullptr); break;
      default: front<<<6, 1>>>(nullptr);
      }
    }
    void go() { run<1>(); run<2>(); }
  )");
  EXPECT_EQ(grids(program), (Steps{"1", "3", "2", "4", "5"}));
}

TEST(HostCode, UndecidedConditionsGuardBothArms) {
  Program program = readSnippet(R"(
    void go(int n) {
      int threads = 64;
      if (n > 10) {
        threads = 128;
        front<<<1, 1>>>(nullptr);
      } else {
        back<<<2, 1>>>(nullptr);
      }
      front<<<3, threads>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 1 0 on default stream if 0.0",
                   "launch back 2 1 0 on default stream if 0.1",
                   "launch front 3 n > 10 ? 128 : 64 0 on default stream"}));
}

TEST(HostCode, TheSameConditionIsOneCondition) {
  Program program = readSnippet(R"(
    void go(bool fast, int n) {
      if (fast) front<<<1, 1>>>(nullptr);
      if (fast) back<<<2, 1>>>(nullptr);
      else back<<<3, 1>>>(nullptr);
      if (n > 1) front<<<4, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 1 0 on default stream if 0.0",
                   "launch back 2 1 0 on default stream if 0.0",
                   "launch back 3 1 0 on default stream if 0.1",
                   "launch front 4 1 0 on default stream if 1.0"}));
}

TEST(HostCode, AfterAnEarlyReturnTheOtherArmHolds) {
  Program program = readSnippet(R"(
    void inner(int n) {
      if (n > 10) {
        front<<<1, 1>>>(nullptr);
        return;
      }
      front<<<2, 1>>>(nullptr);
    }
    void go(int n) {
      inner(n);
      front<<<3, 1>>>(nullptr);
      if (n == 3) {
        front<<<4, 1>>>(nullptr);
        exit(1);
      }
      front<<<5, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 1 0 on default stream if 0.0 if 1.1",
                   "launch front 2 1 0 on default stream if 0.1",
                   "launch front 3 1 0 on default stream",
                   "launch front 4 1 0 on default stream if 1.0 if 0.1",
                   "launch front 5 1 0 on default stream if 1.1"}));
}

TEST(HostCode, UndecidedSwitch) {
  Program program = readSnippet(R"(
    void go(int mode) {
      int threads = 0;
      switch (mode) {
      case 0: threads = 32; front<<<1, 1>>>(nullptr); break;
      case 1: threads = 64; front<<<2, 1>>>(nullptr); break;
      default: return;
      }
      front<<<3, threads>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 1 0 on default stream if 0.0",
                   "launch front 2 1 0 on default stream if 0.1",
                   "launch front 3 [32, 64] 0 on default stream"}));
}

TEST(HostCode, LoopsAreUnrolled) {
  Program program = readSnippet(R"(
    void go() {
      for (int i = 0; i < 3; ++i)
        front<<<i + 1, 1>>>(nullptr);
      int size = 16;
      while (size > 1) {
        size /= 4;
        front<<<size, 1>>>(nullptr);
      }
      do { size += 5; front<<<size, 1>>>(nullptr); } while (size < 10);
      for (int i = 0;; i++) {
        if (i == 1) continue;
        if (i == 3) break;
        front<<<100 + i, 1>>>(nullptr);
      }
    }
  )");
  EXPECT_EQ(grids(program),
            (Steps{"1", "2", "3", "4", "1", "6", "11", "100", "102"}));
  EXPECT_TRUE(findTrace("go", program)->loops.empty());
}

TEST(HostCode, ALoopOfUnknownLengthStandsAsTwoTurns) {
  Program program = readSnippet(R"(
    void go(int turns) {
      int last = 0;
      for (int i = 0; i < turns; i++) {
        front<<<i + 1, 32>>>(nullptr);
        last = i;
      }
      back<<<last, 1>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front i + 1 32 0 on default stream in loop 0 turn 0",
                   "launch front i + 2 32 0 on default stream in loop 0 turn 1",
                   "launch back last 1 0 on default stream"}));
  EXPECT_EQ(findTrace("go", program)->loops[0].turns.text, "turns");
}

TEST(HostCode, ALongLoopStandsAsTwoTurns) {
  Program program = readSnippet(R"(
    void go() {
      for (int i = 0; i < 1000; i++)
        front<<<4, 32>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program).size(), 2u);
  EXPECT_EQ(findTrace("go", program)->loops[0].turns, Value::known(1000));
}

TEST(HostCode, WhatALoopChangesIsNotKnownInItOrAfterIt) {
  Program program = readSnippet(R"(
    void go(int turns) {
      int grid = 1, flag = 0, steady = 7, never = 8;
      while (turns-- > 0) {
        front<<<dim3(grid, steady, never), 1>>>(nullptr);
        if (flag) grid = 5;
        flag = 1;
        steady = 7;
      }
      back<<<dim3(grid, steady, never), 1>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 3u);
  for (const Step &step : trace.steps) {
    EXPECT_FALSE(step.grid[0].isKnown());
    EXPECT_EQ(step.grid[2], Value::known(8));
  }
  EXPECT_EQ(trace.steps[2].grid[1], Value::known(7));
}

TEST(HostCode, AStoreToAnyElementIsOneToEach) {
  Program program = readSnippet(R"(
    #include <vector>
    void array(int i, int x) {
      int sizes[4] = {1, 2, 3, 4};
      sizes[i] = x;
      front<<<sizes[1], 32>>>(nullptr);
    }
    void container(int i, int x) {
      std::vector<int> sizes = {1, 2, 3, 4};
      sizes[i] = x;
      front<<<sizes[1], sizes.size()>>>(nullptr);
    }
    void looped(int n, const int *index) {
      int sizes[4] = {1, 2, 3, 4};
      for (int i = 0; i < n; ++i) {
        front<<<sizes[1], 32>>>(nullptr);
        sizes[index[i]] = n;
      }
    }
  )");
  EXPECT_EQ(steps("array", program),
            Steps{"launch front sizes[1] 32 0 on default stream"});
  EXPECT_EQ(steps("container", program),
            Steps{"launch front sizes[1] 4 0 on default stream"});
  for (const Step &step : findTrace("looped", program)->steps)
    EXPECT_FALSE(step.grid[0].isKnown());
}

TEST(HostCode, WalkingPointersAndUnknownElements) {
  Program program = readSnippet(R"(
    void go(int n, int k) {
      int sizes[4] = {1, 2, 3, 4};
      int others[4] = {1, 2, 3, 4};
      for (int *p = sizes; n-- > 0; ++p) *p = 0;
      others[k] = 9;
      front<<<dim3(sizes[3], others[0]), 1>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_FALSE(trace.steps[0].grid[0].isKnown());
  EXPECT_FALSE(trace.steps[0].grid[1].isKnown());
}

TEST(HostCode, RecursionIsCut) {
  Program program = readSnippet(R"(
    void walk(int depth) {
      front<<<depth, 1>>>(nullptr);
      if (depth > 0) walk(depth - 1);
    }
    void ping(int); void pong(int n) { ping(n); }
    void ping(int n) { back<<<1, 1>>>(nullptr); if (n) pong(n - 1); }
  )");
  const Trace *walk = findTrace("walk", program);
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->cuts, (Steps{"recursion in 'walk'"}));
  EXPECT_EQ(walk->steps.size(), 1u);
  // Functions that only call one another have one root.
  EXPECT_EQ(program.traces.size(), 2u);
}

TEST(HostCode, TooManyStepsAreCut) {
  ReadOptions options;
  options.stepLimit = 5;
  Program program = readSnippet(R"(
    void go() { for (int i = 0; i < 10; ++i) front<<<1, 1>>>(nullptr); }
  )",
                                options);
  EXPECT_EQ(steps("go", program).size(), 5u);
  EXPECT_EQ(findTrace("go", program)->cuts, (Steps{"more than 5 steps"}));
}

TEST(HostCode, GlobalsThatChange) {
  Program program = readSnippet(R"(
    int shared = 4;
    static int own = 5;
    static int stored = 6;
    void elsewhere();
    void change() { stored = 7; }
    void go() { front<<<dim3(shared, own, stored), 1>>>(nullptr); }
    int main() {
      front<<<dim3(shared, own, stored), 1>>>(nullptr);
      change();
      elsewhere();
      front<<<dim3(shared, own, stored), 1>>>(nullptr);
    }
  )");
  // Nobody knows what was stored before `go` is called.
  EXPECT_EQ(grids(program, "go"), (Steps{"shared,5,stored"}));
  EXPECT_EQ(grids(program, "main"), (Steps{"4,5,6", "shared,5,7"}));
}

TEST(HostCode, WhatKernelsMayStoreToIsNotKnown) {
  Program program = readSnippet(R"(
    __device__ __managed__ int flag;
    void go() {
      int *managed;
      cudaMallocManaged(&managed, 4);
      *managed = 0;
      flag = 0;
      front<<<1, 1>>>(managed);
      cudaDeviceSynchronize();
      if (*managed) back<<<2, 1>>>(nullptr);
      if (flag) back<<<3, 1>>>(nullptr);
    }
    int main() { go(); }
  )");
  EXPECT_EQ(grids(program, "main"), (Steps{"1", "2", "3"}));
}

TEST(HostCode, ManyStepsAreNotUnrolled) {
  ReadOptions options;
  options.unrolledSteps = 100;
  Program program = readSnippet(R"(
    void go() {
      for (int i = 0; i < 50; i++)
        for (int j = 0; j < 50; j++)
          front<<<4, 32>>>(nullptr);
    }
  )",
                                options);
  EXPECT_EQ(steps("go", program).size(), 100u);
}

TEST(HostCode, ConditionalStores) {
  Program program = readSnippet(R"(
    struct Context { int blocks; };
    void go(Context *context, bool b) {
      if (b) context->blocks = 4;
      front<<<context->blocks, 1>>>(nullptr);
      context->blocks = 5;
      front<<<context->blocks, 1>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_FALSE(trace.steps[0].grid[0].isKnown());
  EXPECT_EQ(trace.steps[1].grid[0], Value::known(5));
}

TEST(HostCode, EveryFunctionThatNothingCallsIsATrace) {
  Program program = readSnippet(R"(
    void called() { front<<<1, 1>>>(nullptr); }
    void first() { called(); }
    void second() { back<<<2, 1>>>(nullptr); }
    int helper() { return 3; }
    struct Engine { void run() { front<<<helper(), 1>>>(nullptr); } };
    int main() { called(); }
  )");
  Steps names;
  for (const Trace &trace : program.traces)
    names.push_back(trace.function);
  EXPECT_EQ(names, (Steps{"first", "second", "Engine::run", "main"}));
}

} // namespace
