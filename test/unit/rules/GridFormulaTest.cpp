// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rules/GridFormula.h"

#include "gtest/gtest.h"

using namespace coreside;

namespace {

TEST(GridFormula, FindsWhereAFormulaReachesANumber) {
  auto start = firstValueThatReaches("(n + 255) / 256", 528);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->name, "n");
  EXPECT_EQ(start->value, 134913u);
  EXPECT_EQ(firstValueThatReaches("n", 7)->value, 7u);
  EXPECT_EQ(firstValueThatReaches("(size.x + 15) / 16 * 4", 100)->value, 385u);
  EXPECT_EQ(firstValueThatReaches("(n - 1) / 128 + 1", 528)->value, 67457u);
  // What it has anyway.
  EXPECT_EQ(firstValueThatReaches("n + 600", 528)->value, 0u);
}

TEST(GridFormula, SaysNothingOfWhatMayFallAgain) {
  EXPECT_FALSE(firstValueThatReaches("n % 256", 10));
  EXPECT_FALSE(firstValueThatReaches("256 - n", 10));
  EXPECT_FALSE(firstValueThatReaches("256 / n", 10));
  EXPECT_FALSE(firstValueThatReaches("n * -2 + 4000", 10));
  EXPECT_FALSE(firstValueThatReaches("n * m", 10));
  EXPECT_FALSE(firstValueThatReaches("528", 528));
  EXPECT_FALSE(firstValueThatReaches("min(n, 4)", 3));
  EXPECT_FALSE(firstValueThatReaches("", 3));
}

TEST(GridFormula, GivesUpWhereNoValueDoes) {
  EXPECT_FALSE(firstValueThatReaches("n / 4294967296", 100000));
  EXPECT_FALSE(firstValueThatReaches("n * 99999999999999999999", 5));
}

} // namespace
