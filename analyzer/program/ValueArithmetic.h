// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ integer arithmetic over Values.
//
// In:   (n + 255) and 256, unsigned int, Divide
// Out:  Symbolic "(n + 255) / 256" in [0, 16777215]
//
// A result is Known only if every operand is. Known results wrap as the
// hardware does; a range that leaves its type becomes the whole type for
// unsigned types and is cut to it for signed ones, whose overflow C++ does not
// define. Numbers above 2^63 - 1 are not known, only bounded.

#ifndef CORESIDE_PROGRAM_VALUEARITHMETIC_H
#define CORESIDE_PROGRAM_VALUEARITHMETIC_H

#include "Value.h"

namespace coreside {

/// Width and sign of an integer type; bool is {1, false}.
struct IntegerType {
  unsigned bits = 32;
  bool isSigned = true;

  int64_t lowest() const;
  /// At most 2^63 - 1, also for 64-bit unsigned types.
  int64_t highest() const;
};

enum class Operation {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  Minimum,
  Maximum,
};

/// `left` op `right`, both already of type `type`, as C++ computes it; a
/// comparison gives 0 or 1.
Value apply(Operation operation, const Value &left, const Value &right,
            IntegerType type);

/// -value.
Value negate(const Value &value, IntegerType type);
/// ~value.
Value complement(const Value &value, IntegerType type);
/// !value.
Value logicalNot(const Value &value);

/// `value`, which is of type `from`, as a `to`.
Value convert(const Value &value, IntegerType from, IntegerType to);

/// The lowest bits of `value`, as many as `to` has: a bool is one bit here.
Value keepBits(const Value &value, IntegerType from, IntegerType to);

/// Either of the two: the range holds both, the text is kept where they agree.
Value either(const Value &one, const Value &other);

/// `value` with its range cut to [low, high], which must hold for it.
Value within(Value value, int64_t low, int64_t high);

} // namespace coreside

#endif
