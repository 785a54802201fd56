// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole number in host code, as far as it can be known without running it.
//
// (n + 255) / 256 with an unknown n is Symbolic, "(n + 255) / 256", in
// [0, 8388608]; a grid read from a file is Unknown, "returned by 'readGrid'".
//
// Unknown is data: nothing in the analysis takes it for zero. Every kind
// carries the range that is still possible, so that a caller can ask whether
// something holds for all values.

#ifndef CORESIDE_PROGRAM_VALUE_H
#define CORESIDE_PROGRAM_VALUE_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace coreside {

/// A number, a range, a formula, or a reason why nothing is known.
struct Value {
  enum class Kind {
    /// low == high.
    Known,
    /// Somewhere in [low, high], and the ends say something.
    Bounded,
    /// `text` is a readable formula over names of the source.
    Symbolic,
    /// `text` says why.
    Unknown,
  };

  static constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t highest = std::numeric_limits<int64_t>::max();

  Kind kind = Kind::Unknown;
  /// Both ends belong to the range.
  int64_t low = lowest;
  int64_t high = highest;
  std::string text;
  /// How it is calculated, for Formula.h, where that can be told in short: so
  /// that what depends on the GPU is known once the GPU is.
  std::string formula;

  static Value known(int64_t value) {
    return {Kind::Known, value, value, {}, {}};
  }
  /// A range; Known when its ends meet.
  static Value bounded(int64_t low, int64_t high) {
    return {low == high ? Kind::Known : Kind::Bounded, low, high, {}, {}};
  }
  static Value symbolic(std::string formula, int64_t low = lowest,
                        int64_t high = highest) {
    return {Kind::Symbolic, low, high, std::move(formula), {}};
  }
  static Value unknown(std::string why) {
    return {Kind::Unknown, lowest, highest, std::move(why), {}};
  }

  bool isKnown() const { return kind == Kind::Known; }
  /// The number, when it is known.
  std::optional<int64_t> number() const {
    return isKnown() ? std::optional(low) : std::nullopt;
  }
  bool operator==(const Value &) const = default;
};

} // namespace coreside

#endif
