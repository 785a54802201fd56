// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the end of objects does, and which virtual function a call calls.

#include "Snippet.h"

using namespace coreside;

namespace {

const std::string owners = R"(
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
struct Free { void operator()(int *p) const { cudaFree(p); } };
using Buffer = std::unique_ptr<int, Free>;
Buffer make() { int *p; cudaMalloc(&p, 64); return Buffer(p); }
struct Waits {
  cudaStream_t stream;
  explicit Waits(cudaStream_t s) : stream(s) {}
  ~Waits() { cudaStreamSynchronize(stream); }
};
)";

/// The steps of each body, all of them read at once.
std::vector<Steps> read(const std::vector<std::string> &bodies) {
  CompileCommand command;
  command.clangArguments = {"-std=c++20"};
  std::string text = owners;
  for (size_t i = 0; i != bodies.size(); ++i)
    text += "void go" + std::to_string(i) +
            "(cudaStream_t s, cudaStream_t t) {" + bodies[i] + "}\n";
  Program program = readSnippet(text, {}, command);
  std::vector<Steps> result;
  for (size_t i = 0; i != bodies.size(); ++i)
    result.push_back(steps("go" + std::to_string(i), program));
  return result;
}

const std::string first = "launch front 1 32 0 on s";
const std::string second = "launch back 1 32 0 on t";
const std::string frontIt = "front<<<1, 32, 0, s>>>(nullptr);";
const std::string backIt = "back<<<1, 32, 0, t>>>(nullptr);";

const Steps freedBetween = {"allocate cudaMalloc", first, "implicit cudaFree",
                            second};
const Steps waitedBetween = {first, "synchronize s", second};

TEST(Lifetimes, DeletersRunWhereTheScopeEnds) {
  const std::string made = "{ int *p; cudaMalloc(&p, 64); ";
  const std::string rest = frontIt + "} " + backIt;
  EXPECT_EQ(read({
                "{ Buffer b = make(); " + rest,
                made +
                    "std::unique_ptr<int, cudaError_t (*)(void *)> "
                    "b(p, cudaFree); " +
                    rest,
                made +
                    "auto end = [](int *q) { cudaFree(q); }; "
                    "std::unique_ptr<int, decltype(end)> b(p, end); " +
                    rest,
                made +
                    "std::shared_ptr<int> "
                    "b(p, [](int *q) { cudaFree(q); }); " +
                    rest,
            }),
            std::vector<Steps>(4, freedBetween));
}

TEST(Lifetimes, OwnersThatHandOn) {
  std::vector<Steps> seen = read({
      "Buffer outer; { Buffer b = make(); " + frontIt +
          "outer = std::move(b); } " + backIt,
      "auto sink = [&](Buffer b) { " + frontIt +
          "}; Buffer b = make(); sink(std::move(b)); " + backIt,
      "{ Buffer b = make(); " + frontIt + "b.release(); } " + backIt,
      "Buffer b = make(); " + frontIt + "b.reset(); " + backIt,
      "Buffer b = make(); " + frontIt + "b = nullptr; " + backIt,
  });
  EXPECT_EQ(seen[0],
            (Steps{"allocate cudaMalloc", first, second, "implicit cudaFree"}));
  EXPECT_EQ(seen[1], freedBetween);
  EXPECT_EQ(seen[2], (Steps{"allocate cudaMalloc", first, second}));
  EXPECT_EQ(seen[3],
            (Steps{"allocate cudaMalloc", first, "implicit cudaFree", second}));
  EXPECT_EQ(seen[4], seen[3]);
}

TEST(Lifetimes, WhichOfTwoSharersIsTheLastIsNotGuessed) {
  std::vector<Steps> seen = read({
      "auto w = std::make_shared<Waits>(s); { auto other = w; " + frontIt +
          "} " + backIt,
      "{ auto w = std::make_shared<Waits>(s); " + frontIt + "} " + backIt,
  });
  EXPECT_EQ(seen[0], (Steps{first, second}));
  EXPECT_EQ(seen[1], waitedBetween);
}

TEST(Lifetimes, MembersElementsAndBases) {
  std::vector<Steps> seen = read({
      "struct Holds { Waits w; }; { Holds h{Waits(s)}; " + frontIt + "} " +
          backIt,
      "struct Is : Waits { Is(cudaStream_t x) : Waits(x) {} }; { Is h{s}; " +
          frontIt + "} " + backIt,
      "{ std::vector<Waits> all; all.reserve(2); all.emplace_back(s); " +
          frontIt + "} " + backIt,
      "std::vector<std::unique_ptr<Waits>> all; "
      "all.push_back(std::make_unique<Waits>(s)); "
      "all.emplace_back(new Waits(t)); " +
          frontIt + "all.clear(); " + backIt,
  });
  EXPECT_EQ(seen[0], waitedBetween);
  EXPECT_EQ(seen[1], waitedBetween);
  EXPECT_EQ(seen[2], waitedBetween);
  EXPECT_EQ(seen[3], (Steps{first, "synchronize s", "synchronize t", second}));
}

TEST(Lifetimes, WaysOutOfAScope) {
  std::vector<Steps> seen = read({
      "for (int i = 0; i < 2; ++i) { Waits w(s); if (i == 0) continue; "
      "break; } " +
          backIt,
      "auto made = [&] { Waits w(s); return w; }; { Waits w = made(); " +
          frontIt + "} " + backIt,
      "{ std::jthread worker([=] { " + frontIt + "}); } " + backIt,
  });
  EXPECT_EQ(seen[0], (Steps{"synchronize s", "synchronize s", second}));
  EXPECT_EQ(seen[1], waitedBetween);
  ASSERT_EQ(seen[2].size(), 4u);
  EXPECT_EQ(seen[2][1], first);
  EXPECT_EQ(seen[2][2], "std::jthread::~jthread");
}

const std::string shapes = R"(
#include <memory>
namespace {
struct Shape {
  virtual void draw(cudaStream_t s) = 0;
  virtual ~Shape() {}
};
struct Round : Shape {
  void draw(cudaStream_t s) override { front<<<1, 32, 0, s>>>(nullptr); }
};
struct Square : Shape {
  void draw(cudaStream_t s) override { back<<<1, 32, 0, s>>>(nullptr); }
};
}
)";

TEST(Lifetimes, TemporariesEndWithTheirExpression) {
  std::vector<Steps> seen = read({
      "Waits(s), front<<<1, 32, 0, s>>>(nullptr); " + backIt,
      frontIt + "Waits{s}; " + backIt,
      "front<<<1, 32, 0, Waits(s).stream>>>(nullptr); " + backIt,
      "auto use = [&](const Waits &w) { " + frontIt + " }; use(Waits(s)); " +
          backIt,
      "{ const Waits &w = Waits(s); " + frontIt + " } " + backIt,
  });
  for (const Steps &one : seen)
    EXPECT_EQ(one, waitedBetween);
  // Only where it was made.
  seen = read({"bool q = t && bool(Waits(s).stream); " + frontIt + backIt});
  EXPECT_EQ(seen[0], (Steps{"synchronize s if 0.0", first, second}));
}

TEST(Lifetimes, WhatALambdaCaptured) {
  std::vector<Steps> seen = read({
      "{ auto l = [w = std::make_unique<Waits>(s), s] { " + frontIt +
          " }; l(); } " + backIt,
      "{ Waits w(s); { auto l = [w] {}; " + frontIt + " } " + backIt + " }",
  });
  EXPECT_EQ(seen[0], waitedBetween);
  EXPECT_EQ(seen[1], (Steps{first, "synchronize s", second, "synchronize s"}));
}

TEST(Lifetimes, OptionalsPairsAndTuples) {
  std::vector<Steps> seen = read({
      "{ std::optional<Waits> o; o.emplace(s); " + frontIt + "} " + backIt,
      "std::optional<Waits> o(s); " + frontIt + "o.reset(); " + backIt,
      "{ std::tuple<int, Waits> o(1, s); " + frontIt + "} " + backIt,
      "std::optional<Waits> o; " + frontIt + backIt,
  });
  for (int i = 0; i != 3; ++i)
    EXPECT_EQ(seen[i], waitedBetween);
  EXPECT_EQ(seen[3], (Steps{first, second}));
}

// The stream is destroyed once, by whoever has it at last.
TEST(Lifetimes, MovedFromObjectsEndNothing) {
  const std::string owner = R"(
    struct Owner {
      cudaStream_t s = nullptr;
      Owner() { cudaStreamCreate(&s); }
      Owner(Owner &&o) noexcept : s(std::exchange(o.s, nullptr)) {}
      ~Owner() { if (s) cudaStreamDestroy(s); }
    }; struct Holds { Owner o; };)";
  std::vector<Steps> seen = read({
      owner + "Owner o; Owner p = std::move(o); "
              "front<<<1, 32, 0, p.s>>>(nullptr);",
      owner + "std::vector<Owner> all; all.push_back(Owner()); "
              "front<<<1, 32, 0, all[0].s>>>(nullptr);",
      owner + "auto make = [] { Owner o; return o; }; auto o = make(); "
              "front<<<1, 32, 0, o.s>>>(nullptr);",
      owner + "Holds h; Holds g = std::move(h); "
              "front<<<1, 32, 0, g.o.s>>>(nullptr);",
      owner + "auto x = std::make_pair(Owner(), 3); "
              "front<<<1, 32, 0, x.first.s>>>(nullptr);",
  });
  for (const Steps &one : seen) {
    ASSERT_EQ(one.size(), 2u);
    EXPECT_TRUE(llvm::StringRef(one[0]).starts_with("launch front"));
    EXPECT_TRUE(llvm::StringRef(one[1]).starts_with("destroy")) << one[1];
    // One and the same.
    EXPECT_EQ(llvm::StringRef(one[0]).rsplit(" on ").second,
              llvm::StringRef(one[1]).drop_front(strlen("destroy ")));
  }
  seen = read({owner + "std::vector<Owner> all(2); "
                       "front<<<1, 32, 0, all[1].s>>>(nullptr);"});
  EXPECT_EQ(seen[0], (Steps{"launch front 1 32 0 on all[1].s",
                            "destroy all[0].s", "destroy all[1].s"}));
}

TEST(VirtualCalls, OfAnObjectWhoseClassIsKnown) {
  EXPECT_EQ(steps("go", readSnippet(shapes + R"(
    void go(cudaStream_t s) {
      Round round;
      Shape *shape = &round;
      shape->draw(s);
      std::unique_ptr<Shape> other = std::make_unique<Square>();
      other->draw(s);
      shape = new Square;
      shape->draw(s);
    }
  )")),
            (Steps{"launch front 1 32 0 on s", "launch back 1 32 0 on s",
                   "launch back 1 32 0 on s"}));
}

TEST(VirtualCalls, OfAnyObjectAreAChoice) {
  EXPECT_EQ(steps("go", readSnippet(shapes + R"(
    void go(Shape *shape, cudaStream_t s) { shape->draw(s); }
  )")),
            (Steps{"launch front 1 32 0 on s if 0.0",
                   "launch back 1 32 0 on s if 0.1"}));
}

TEST(VirtualCalls, AClassThatOtherFilesMayDeriveFromIsOpen) {
  EXPECT_EQ(steps("go", readSnippet(R"(
    struct Shape { virtual void draw(cudaStream_t s) = 0; };
    struct Round : Shape {
      void draw(cudaStream_t s) override { front<<<1, 32, 0, s>>>(nullptr); }
    };
    void go(Shape *shape, cudaStream_t s) { shape->draw(s); }
  )")),
            (Steps{"launch front 1 32 0 on s if 0.0",
                   "opaque Shape::draw on s if 0.1"}));
}

} // namespace
