// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is called by way of pointers to members, wrappers of the standard
// library, visitors, recursion, coroutines and other threads.

#include "Snippet.h"

using namespace coreside;

namespace {

Program read(const std::string &text, bool openMP = false) {
  CompileCommand command;
  command.clangArguments = {"-std=c++20"};
  if (openMP)
    command.clangArguments.push_back("-fopenmp");
  return readSnippet(R"(
    #include <array>
    #include <functional>
    #include <future>
    #include <memory>
    #include <queue>
    #include <thread>
    #include <tuple>
    #include <variant>
    #include <vector>
    #include <algorithm>
    #include <coroutine>
    static void work(int g, cudaStream_t s) { front<<<g, 32, 0, s>>>(nullptr); }
    struct Object {
      cudaStream_t s;
      void one(int g) { front<<<g, 32, 0, s>>>(nullptr); }
      void two(int g) { back<<<g, 32, 0, s>>>(nullptr); }
    };
  )" + text,
                     {}, command);
}

/// "front 2 on s", with the thread where it is not the first.
Steps launches(llvm::StringRef function, const Program &program) {
  Steps result;
  if (const Trace *trace = findTrace(function, program))
    for (const Step &step : trace->steps)
      if (step.kind == Step::Kind::Launch)
        result.push_back(
            program.kernels[step.kernel].name + " " + text(step.grid) + " on " +
            trace->streams[step.stream].name +
            (step.thread ? " thread " + std::to_string(step.thread) : ""));
  return result;
}

TEST(Callables, PointersToMembers) {
  Program program = read(R"(
    void go(cudaStream_t s) {
      Object x{s}, *y = &x;
      void (Object::*member)(int) = &Object::one;
      (x.*member)(2);
      (y->*member)(3);
      std::invoke(&Object::two, x, 4);
      auto called = std::mem_fn(&Object::one);
      called(x, 5);
      called(y, 6);
    }
  )");
  EXPECT_EQ(launches("go", program),
            (Steps{"front 2 on s", "front 3 on s", "back 4 on s",
                   "front 5 on s", "front 6 on s"}));
}

TEST(Callables, BoundAndApplied) {
  Program program = read(R"(
    void go(cudaStream_t s, cudaStream_t t) {
      using namespace std::placeholders;
      auto bound = std::bind(work, _1, s);
      bound(2);
      Object z{s};
      std::function<void()> method = std::bind(&Object::two, &z, 3);
      method();
      std::apply(work, std::make_tuple(4, s));
      std::thread other(work, 5, std::ref(t));
      other.join();
      std::thread member(&Object::one, &z, 6);
      member.join();
      auto task = std::make_shared<std::packaged_task<void(int)>>(
          [=](int g) { work(g, s); });
      (*task)(7);
    }
  )");
  EXPECT_EQ(launches("go", program),
            (Steps{"front 2 on s", "back 3 on s", "front 4 on s",
                   "front 5 on t thread 1", "front 6 on s thread 2",
                   "front 7 on s"}));
}

TEST(Callables, VisitorsOfAllAlternatives) {
  Program program = read(R"(
    struct A {}; struct B {};
    template <class... T> struct Over : T... { using T::operator()...; };
    template <class... T> Over(T...) -> Over<T...>;
    void overloads(std::variant<A, B> v) {
      std::visit(Over{[](A) { front<<<1, 32>>>(nullptr); },
                      [](B) { back<<<2, 32>>>(nullptr); }}, v);
    }
    void generic(const std::variant<A, B> &v) {
      std::visit([](const auto &x) {
        if constexpr (std::is_same_v<std::decay_t<decltype(x)>, A>)
          front<<<1, 32>>>(nullptr);
        else
          back<<<2, 32>>>(nullptr);
      }, v);
    }
  )");
  for (const char *name : {"overloads", "generic"}) {
    Steps seen = steps(name, program);
    ASSERT_EQ(seen.size(), 2u) << name;
    EXPECT_EQ(seen[0], "launch front 1 32 0 on default stream if 0.0");
    EXPECT_EQ(seen[1], "launch back 2 32 0 on default stream if 0.1");
  }
}

TEST(Callables, RecursionThatEnds) {
  Program program = read(R"(
    static void down(int n) {
      if (n == 0) return;
      front<<<n, 32>>>(nullptr);
      down(n - 1);
    }
    static int power(int n) { return n <= 1 ? 1 : 2 * power(n - 1); }
    void go() { down(3); back<<<power(4), 32>>>(nullptr); }
  )");
  EXPECT_EQ(launches("go", program),
            (Steps{"front 3 on default stream", "front 2 on default stream",
                   "front 1 on default stream", "back 8 on default stream"}));
  EXPECT_TRUE(findTrace("go", program)->cuts.empty());
}

TEST(Callables, ByPointersToBasesInAContainer) {
  Program program = read(R"(
    struct Base { virtual void go(int g) = 0; virtual ~Base() {} };
    struct One : Base {
      void go(int g) override { front<<<g, 32>>>(nullptr); }
    };
    struct Two : Base {
      void go(int g) override { back<<<g, 32>>>(nullptr); }
    };
    void made() {
      std::vector<std::unique_ptr<Base>> all;
      all.push_back(std::make_unique<One>());
      all.push_back(std::make_unique<Two>());
      for (auto &one : all) one->go(4);
    }
    void given(Base *one) { one->go(5); }
  )");
  EXPECT_EQ(launches("made", program),
            (Steps{"front 4 on default stream", "back 4 on default stream"}));
  EXPECT_EQ(launches("given", program),
            (Steps{"front 5 on default stream", "back 5 on default stream"}));
}

// Whoever takes them out of the queue is another thread, perhaps.
TEST(Callables, QueuesOfWork) {
  Program program = read(R"(
    struct Pool {
      std::queue<std::function<void()>> tasks;
      template <class F, class... A> auto enqueue(F &&f, A &&...args)
          -> std::future<std::invoke_result_t<F, A...>> {
        using R = std::invoke_result_t<F, A...>;
        auto task = std::make_shared<std::packaged_task<R()>>(
            std::bind(std::forward<F>(f), std::forward<A>(args)...));
        std::future<R> result = task->get_future();
        tasks.emplace([task]() { (*task)(); });
        return result;
      }
      void submit(std::function<void()> f) { tasks.push(f); }
    };
    void post(std::function<void()>);
    void go(cudaStream_t s, cudaStream_t t) {
      Pool pool;
      pool.enqueue([=](int g) { work(g, s); }, 2);
      pool.submit([=] { work(3, t); });
      post([=] { work(4, s); });
    }
    static std::vector<std::function<void()>> all;
    void keep(cudaStream_t s) { all.push_back([=] { work(5, s); }); }
  )");
  EXPECT_EQ(launches("go", program),
            (Steps{"front 2 on s thread 1", "front 3 on t thread 2",
                   "front 4 on s thread 3"}));
  // Called by nothing that is seen: a trace of its own.
  EXPECT_TRUE(program.lostLaunches.empty());
}

// One of the table's, on a condition of its own.
TEST(Callables, TablesOfKernelsAndChoices) {
  Program program = read(R"(
    using Kernel = void (*)(int *);
    static Kernel table[] = {front, back};
    struct Entry { const char *name; Kernel kernel; };
    static const Entry entries[] = {{"f", front}, {"b", back}};
    void indexed(int i) { table[i]<<<1, 32>>>(nullptr); }
    void named(int i) { entries[i].kernel<<<1, 32>>>(nullptr); }
    void known() { table[1]<<<1, 32>>>(nullptr); }
    void chosen(bool q) {
      (q ? front : back)<<<1, 32>>>(nullptr);
      if (q) front<<<2, 32>>>(nullptr);
    }
    void variable(int i) {
      Kernel k = nullptr;
      if (i == 3) k = front; else if (i == 4) k = back;
      k<<<1, 32>>>(nullptr);
      k<<<2, 32>>>(nullptr);
    }
    void looped() {
      std::array<Kernel, 2> all = {front, back};
      for (auto k : all) k<<<1, 32>>>(nullptr);
    }
    static void other(int g, cudaStream_t s) {
      back<<<g, 32, 0, s>>>(nullptr);
    }
    static void (*functions[])(int, cudaStream_t) = {work, other};
    void called(int i, cudaStream_t s) { functions[i](3, s); }
  )");
  const Steps either = {"launch front 1 32 0 on default stream if 0.0",
                        "launch back 1 32 0 on default stream if 0.1"};
  EXPECT_EQ(steps("indexed", program), either);
  EXPECT_EQ(steps("named", program), either);
  EXPECT_EQ(steps("known", program),
            Steps{"launch back 1 32 0 on default stream"});
  EXPECT_EQ(steps("chosen", program),
            (Steps{either[0], either[1],
                   "launch front 2 32 0 on default stream if 0.0"}));
  // The variable is the same twice.
  Steps twice = steps("variable", program);
  ASSERT_EQ(twice.size(), 4u);
  EXPECT_EQ(llvm::StringRef(twice[0]).rsplit(" if ").second,
            llvm::StringRef(twice[2]).rsplit(" if ").second);
  EXPECT_EQ(launches("looped", program),
            (Steps{"front 1 on default stream", "back 1 on default stream"}));
  EXPECT_EQ(steps("called", program),
            (Steps{"launch front 3 32 0 on s if 0.0",
                   "launch back 3 32 0 on s if 0.1"}));
}

TEST(Callables, WhatCatchesMayRun) {
  Program program = read(R"(
    void go(int n) {
      int size = 1;
      try {
        if (n > 7) throw 1;
        size = 64;
        front<<<1, size>>>(nullptr);
      } catch (...) {
        back<<<1, 32>>>(nullptr);
      }
      front<<<2, 32>>>(nullptr);
    }
  )");
  Steps seen = steps("go", program);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_TRUE(llvm::StringRef(seen[1]).starts_with(
      "launch back 1 32 0 on default stream if"));
  EXPECT_EQ(seen[2], "launch front 2 32 0 on default stream");
}

TEST(Callables, ForEach) {
  Program program = read(R"(
    void go(cudaStream_t s, cudaStream_t t) {
      cudaStream_t all[] = {s, t};
      std::for_each(all, all + 2, [](cudaStream_t one) { work(1, one); });
    }
    void many(std::vector<cudaStream_t> &all) {
      std::for_each(all.begin(), all.end(),
                    [](cudaStream_t &one) { work(1, one); });
    }
  )");
  EXPECT_EQ(launches("go", program), (Steps{"front 1 on s", "front 1 on t"}));
  EXPECT_EQ(launches("many", program).size(), 2u);
}

const std::string coroutines = R"(
  struct Eager { struct promise_type {
    Eager get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {} void unhandled_exception() {} }; };
  struct Lazy { struct promise_type {
    Lazy get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int) { return {}; }
    void return_value(int) {} void unhandled_exception() {} }; };
  struct Waits { cudaStream_t s;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { cudaStreamSynchronize(s); }
    int await_resume() { return 7; } };
)";

// From where one may be suspended nobody knows when it goes on.
TEST(Callables, Coroutines) {
  Program program = read(coroutines + R"(
    Eager eager(cudaStream_t s) {
      work(1, s);
      int g = co_await Waits{s};
      work(g, s);
      co_return;
    }
    Lazy lazy(cudaStream_t s) {
      for (int i = 2; i < 4; ++i) { work(i, s); co_yield i; }
      co_return 1;
    }
    void go(cudaStream_t s) { eager(s); lazy(s); work(9, s); }
  )");
  EXPECT_EQ(
      launches("go", program),
      (Steps{"front 1 on s", "front 7 on s thread 1", "front 2 on s thread 2",
             "front 3 on s thread 2", "front 9 on s"}));
}

TEST(Callables, OpenMPSharesWorkOut) {
  Program program = read(R"(
    void go(int n, cudaStream_t s) {
    #pragma omp parallel for
      for (int i = 0; i < 2; ++i) work(i + 1, s);
    }
    void parts(cudaStream_t s, cudaStream_t t) {
    #pragma omp parallel sections
      {
    #pragma omp section
        work(1, s);
    #pragma omp section
        work(2, t);
      }
    }
    void tasks(cudaStream_t s) {
    #pragma omp parallel
    #pragma omp single
      {
    #pragma omp task
        work(1, s);
    #pragma omp task
        work(2, s);
      }
    }
  )",
                         /*openMP=*/true);
  EXPECT_EQ(launches("go", program),
            (Steps{"front 1 on s thread 1", "front 2 on s thread 2"}));
  EXPECT_EQ(launches("parts", program),
            (Steps{"front 1 on s thread 1", "front 2 on t thread 2"}));
  EXPECT_EQ(launches("tasks", program),
            (Steps{"front 1 on s thread 2", "front 2 on s thread 3"}));
}

} // namespace
