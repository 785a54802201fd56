// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas that are kept beside a value, and played again when more is known.

#include "program/Formula.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

constexpr IntegerType i32{32, true};
constexpr IntegerType u32{32, false};

Value named(const char *name, int64_t low, int64_t high) {
  Value value = Value::symbolic(name, low, high);
  value.formula = formulaOfName(name, value);
  return value;
}

/// Answers `name` with `number`.
auto only(llvm::StringRef name, int64_t number) {
  return [=](const FormulaName &asked) -> std::optional<Value> {
    if (asked.name == name)
      return Value::known(number);
    return std::nullopt;
  };
}

TEST(Formula, IsPlayedWithWhatIsKnownLater) {
  Value multiprocessors = named("@multiProcessorCount", 1, 1024);
  Value blocks =
      apply(Operation::Multiply, multiprocessors, Value::known(4), i32);
  EXPECT_TRUE(asksGPU(blocks.formula));
  EXPECT_EQ(blocks.high, 4096);
  EXPECT_EQ(resolve(blocks, only("@multiProcessorCount", 132)),
            Value::known(528));
  EXPECT_EQ(resolve(blocks, only("@warpSize", 32)), blocks);
}

TEST(Formula, KeepsRangesOfWhatStaysUnknown) {
  Value n = named("n", 0, 1 << 20);
  Value most =
      apply(Operation::Multiply, named("@multiProcessorCount", 1, 1024),
            Value::known(4), i32);
  Value grid =
      apply(Operation::Minimum,
            apply(Operation::Divide, n, Value::known(256), i32), most, i32);
  EXPECT_EQ(grid.text, "min(n / 256, @multiProcessorCount * 4)");
  Value there = resolve(grid, only("@multiProcessorCount", 108));
  EXPECT_EQ(there.kind, Value::Kind::Symbolic);
  EXPECT_EQ(there.text, grid.text);
  EXPECT_EQ(there.low, 0);
  EXPECT_EQ(there.high, 432);
}

TEST(Formula, WrapsAsItsTypeDoes) {
  Value n = named("n", 0, 4294967295);
  Value less = apply(Operation::Subtract, n, Value::known(1), u32);
  EXPECT_EQ(resolve(less, only("n", 0)), Value::known(4294967295));
  Value narrow = convert(named("n", -70000, 70000), i32, {16, true});
  EXPECT_EQ(resolve(narrow, only("n", 65537)), Value::known(1));
}

TEST(Formula, AQuestionHasOperandsAndASubject) {
  Value threads = named("threads", 1, 1024);
  Value range = Value::bounded(0, 32);
  Value blocks = range;
  blocks.formula = formulaOfQuestion("activeBlocks", "_Z5frontPi",
                                     {threads, Value::known(0)}, range);
  Value two = apply(Operation::Multiply, blocks, Value::known(2), i32);
  auto answers = [](const FormulaName &asked) -> std::optional<Value> {
    if (asked.name == "threads")
      return Value::known(256);
    EXPECT_EQ(asked.name, "@activeBlocks");
    EXPECT_EQ(asked.subject, "_Z5frontPi");
    EXPECT_EQ(asked.operands.size(), 2u);
    return Value::known(2048 / asked.operands[0].low);
  };
  EXPECT_EQ(resolve(two, answers), Value::known(16));
}

TEST(Formula, AConditionOfTheProgramStays) {
  Value cut = within(named("n", 0, 1000), 0, 10);
  // On such a GPU the place is not reached.
  EXPECT_EQ(resolve(cut, only("n", 50)), cut);
}

TEST(Formula, WhatIsNoFormulaSaysNothing) {
  auto none = [](const FormulaName &) { return std::optional<Value>(); };
  for (const char *text : {"", "+:i32", "1 2", "1 2 ?:i32", "n", "n:5..1",
                           "1 to:i32", "1 2 +:i99", "@a/3/b:0..1", "1 +:i32"})
    EXPECT_FALSE(evaluateFormula(text, none)) << text;
}

TEST(Formula, AndItsTextStayShort) {
  Value sum = named("n", 0, 1);
  for (unsigned i = 0; i < 30000; ++i)
    sum = apply(Operation::Add, sum, named("m", 0, 1), i32);
  EXPECT_EQ(sum.high, 30001);
  EXPECT_LE(sum.formula.size(), longestStoredFormula);
  EXPECT_LE(sum.text.size(), 120u);
}

TEST(Formula, AChoice) {
  const std::string formula = formulaOfChoice(
      "n:0..99 8 <=:i64", Value::known(1), Value::symbolic("m", 4, 6));
  EXPECT_EQ(formula, "n:0..99 8 <=:i64 1 4..6 ?");
  auto whereNIs = [&](int64_t low, int64_t high) {
    return *evaluateFormula(formula, [&](const FormulaName &) {
      return std::optional(Value::bounded(low, high));
    });
  };
  EXPECT_EQ(whereNIs(3, 8), Value::known(1));
  EXPECT_EQ(whereNIs(9, 9), Value::bounded(4, 6));
  EXPECT_EQ(whereNIs(8, 9).low, 1);
  EXPECT_EQ(whereNIs(8, 9).high, 6);
  EXPECT_FALSE(evaluateFormula(
      "1 2 ?", [](const FormulaName &) { return std::optional<Value>(); }));
}

} // namespace
