// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ integer arithmetic over numbers, ranges, formulas and the unknown.

#include "program/ValueArithmetic.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

constexpr IntegerType int32{32, true};
constexpr IntegerType uint32{32, false};
constexpr IntegerType int64{64, true};
constexpr IntegerType uint64{64, false};
constexpr IntegerType uint8{8, false};

Value n(int64_t low = int32.lowest(), int64_t high = int32.highest()) {
  return Value::symbolic("n", low, high);
}
Value k(int64_t number) { return Value::known(number); }

TEST(ValueArithmetic, KnownNumbers) {
  EXPECT_EQ(apply(Operation::Divide, k(100255), k(256), int32), k(391));
  EXPECT_EQ(apply(Operation::Divide, k(-7), k(2), int32), k(-3));
  EXPECT_EQ(apply(Operation::Remainder, k(-7), k(2), int32), k(-1));
  EXPECT_EQ(apply(Operation::ShiftLeft, k(48), k(10), int32), k(49152));
  EXPECT_EQ(apply(Operation::Less, k(3), k(4), int32), k(1));
  EXPECT_EQ(apply(Operation::Maximum, k(3), k(4), int32), k(4));
}

TEST(ValueArithmetic, WrapsInItsType) {
  EXPECT_EQ(apply(Operation::Add, k(4294967295), k(1), uint32), k(0));
  EXPECT_EQ(apply(Operation::Subtract, k(0), k(1), uint32), k(4294967295));
  EXPECT_EQ(apply(Operation::Multiply, k(1 << 20), k(1 << 20), int32), k(0));
  EXPECT_EQ(apply(Operation::Multiply, k(1 << 20), k(1 << 20), int64),
            k(int64_t(1) << 40));
  EXPECT_EQ(apply(Operation::Add, k(255), k(1), uint8), k(0));
}

TEST(ValueArithmetic, WhatDoesNotFitIsNotKnown) {
  // 2^64 - 1 has no place in a Value.
  EXPECT_FALSE(apply(Operation::Subtract, k(0), k(1), uint64).isKnown());
  EXPECT_FALSE(apply(Operation::Divide, k(5), k(0), int32).isKnown());
  EXPECT_FALSE(apply(Operation::ShiftLeft, k(1), k(32), int32).isKnown());
}

TEST(ValueArithmetic, CeilDivisionReadsLikeTheSource) {
  Value sum = apply(Operation::Add, n(0, 1 << 20), k(255), int32);
  Value blocks = apply(Operation::Divide, sum, k(256), int32);
  EXPECT_EQ(blocks.text, "(n + 255) / 256");
  EXPECT_EQ(blocks.low, 0);
  EXPECT_EQ(blocks.high, 4096);
}

TEST(ValueArithmetic, ConstantsRunTogether) {
  Value sum = apply(Operation::Subtract,
                    apply(Operation::Add, n(), k(256), int32), k(1), int32);
  EXPECT_EQ(sum.text, "n + 255");
  EXPECT_EQ(apply(Operation::Subtract, sum, k(255), int32).text, "n");
}

TEST(ValueArithmetic, NothingIsAddedForNothing) {
  EXPECT_EQ(apply(Operation::Multiply, n(), k(1), int32), n());
  EXPECT_EQ(apply(Operation::Add, k(0), n(), int32), n());
  EXPECT_EQ(apply(Operation::Divide, n(), k(1), int32), n());
}

TEST(ValueArithmetic, Brackets) {
  Value sum = apply(Operation::Add, n(), Value::symbolic("m"), int32);
  EXPECT_EQ(apply(Operation::Multiply, sum, k(2), int32).text, "(n + m) * 2");
  EXPECT_EQ(apply(Operation::Subtract, k(8), sum, int32).text, "8 - (n + m)");
  EXPECT_EQ(apply(Operation::Add, apply(Operation::Multiply, n(), k(2), int32),
                  k(3), int32)
                .text,
            "n * 2 + 3");
  EXPECT_EQ(negate(sum, int32).text, "-(n + m)");
}

TEST(ValueArithmetic, RangesDecideComparisons) {
  EXPECT_EQ(apply(Operation::Less, n(0, 9), k(10), int32), k(1));
  EXPECT_EQ(apply(Operation::Equal, n(0, 9), k(10), int32), k(0));
  EXPECT_FALSE(apply(Operation::Less, n(0, 10), k(10), int32).isKnown());
}

TEST(ValueArithmetic, UnknownStaysUnknownButKeepsItsRange) {
  Value read = Value::unknown("returned by 'readGrid'");
  Value sum = apply(Operation::Add, read, k(1), int32);
  EXPECT_EQ(sum.kind, Value::Kind::Unknown);
  EXPECT_EQ(sum.text, "returned by 'readGrid'");
  Value rest = apply(Operation::Remainder, read, k(4), int32);
  EXPECT_EQ(rest.kind, Value::Kind::Bounded);
  EXPECT_EQ(rest.low, -3);
  EXPECT_EQ(rest.high, 3);
  Value capped = apply(Operation::Minimum, read, k(65535), int32);
  EXPECT_EQ(capped.high, 65535);
  EXPECT_FALSE(capped.isKnown());
}

TEST(ValueArithmetic, AnUnknownIsNeverZero) {
  Value unknown = Value::unknown("why");
  for (Operation operation :
       {Operation::Add, Operation::Multiply, Operation::Divide, Operation::And,
        Operation::Minimum, Operation::Less})
    EXPECT_FALSE(apply(operation, unknown, unknown, int32).isKnown());
}

TEST(ValueArithmetic, UnsignedRangesThatWrapAreTheWholeType) {
  Value less = apply(Operation::Subtract,
                     Value::symbolic("n", 0, uint32.highest()), k(1), uint32);
  EXPECT_EQ(less.low, 0);
  EXPECT_EQ(less.high, uint32.highest());
}

TEST(ValueArithmetic, Conversions) {
  EXPECT_EQ(convert(k(-1), int32, uint32), k(4294967295));
  EXPECT_EQ(convert(k(300), int32, uint8), k(44));
  EXPECT_EQ(convert(k(300), int32, {1, false}), k(1));
  Value wide = convert(n(), int32, int64);
  EXPECT_EQ(wide.text, "n");
  EXPECT_EQ(wide.high, int32.highest());
  // A negative one would become huge.
  Value size = convert(n(-5, 5), int32, uint64);
  EXPECT_EQ(size.low, 0);
  EXPECT_EQ(size.high, uint64.highest());
}

TEST(ValueArithmetic, EitherOfTwo) {
  Value both = either(k(128), k(256));
  EXPECT_EQ(both.kind, Value::Kind::Bounded);
  EXPECT_EQ(both.low, 128);
  EXPECT_EQ(both.high, 256);
  EXPECT_EQ(either(k(7), k(7)), k(7));
  EXPECT_EQ(either(n(), n()), n());
  EXPECT_EQ(either(k(7), Value::unknown("why")).kind, Value::Kind::Unknown);
}

} // namespace
