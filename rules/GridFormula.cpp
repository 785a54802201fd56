// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GridFormula.h"

#include <cctype>

using namespace coreside;

namespace {

constexpr int64_t largest = int64_t(1) << 40;
/// Values stay below this, so that no product wraps.
constexpr int64_t farEnough = int64_t(1) << 60;

/// Evaluates a formula while reading it. Once something cannot be read or done,
/// `failed` stays set.
class Evaluation {
public:
  Evaluation(std::string_view text, int64_t value) : Rest(text), N(value) {}

  int64_t run() {
    const Number result = sum();
    skip();
    failed |= !Rest.empty();
    return result.value;
  }

  bool failed = false;
  std::string name;

private:
  struct Number {
    int64_t value = 0;
    bool isConstant = true;
  };

  void skip() {
    while (!Rest.empty() && Rest.front() == ' ')
      Rest.remove_prefix(1);
  }

  bool take(char wanted) {
    skip();
    if (Rest.empty() || Rest.front() != wanted)
      return false;
    Rest.remove_prefix(1);
    return true;
  }

  Number checked(__int128 value, bool isConstant) {
    failed |= value > farEnough || value < -farEnough;
    return {failed ? 0 : int64_t(value), isConstant};
  }

  Number sum() {
    Number left = product();
    for (;;) {
      if (take('+')) {
        const Number right = product();
        left = checked(__int128(left.value) + right.value,
                       left.isConstant && right.isConstant);
      } else if (take('-')) {
        const Number right = product();
        failed |= !right.isConstant;
        left = checked(__int128(left.value) - right.value, left.isConstant);
      } else {
        return left;
      }
    }
  }

  Number product() {
    Number left = atom();
    for (;;) {
      if (take('*')) {
        const Number right = atom();
        failed |= (right.isConstant && right.value < 0) ||
                  (left.isConstant && left.value < 0);
        left = checked(__int128(left.value) * right.value,
                       left.isConstant && right.isConstant);
      } else if (take('/')) {
        const Number right = atom();
        failed |= !right.isConstant || right.value <= 0;
        left = {failed ? 0 : left.value / right.value, left.isConstant};
      } else {
        return left;
      }
    }
  }

  Number atom() {
    if (take('(')) {
      const Number inner = sum();
      failed |= !take(')');
      return inner;
    }
    skip();
    auto inName = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
             c == '.';
    };
    size_t length = 0;
    while (length != Rest.size() && inName(Rest[length]))
      ++length;
    const std::string_view word = Rest.substr(0, length);
    if (word.empty()) {
      failed = true;
      return {};
    }
    Rest.remove_prefix(length);
    if (std::isdigit(static_cast<unsigned char>(word.front()))) {
      __int128 value = 0;
      for (char digit : word) {
        failed |= !std::isdigit(static_cast<unsigned char>(digit)) ||
                  value > farEnough;
        value = failed ? 0 : value * 10 + (digit - '0');
      }
      return checked(value, true);
    }
    failed |= !name.empty() && name != word;
    name = word;
    return {N, false};
  }

  std::string_view Rest;
  int64_t N;
};

} // namespace

std::optional<FormulaStart>
coreside::firstValueThatReaches(std::string_view formula, uint64_t number) {
  std::string name;
  bool failed = number > uint64_t(largest);
  auto reaches = [&](int64_t value) {
    Evaluation evaluation(formula, value);
    const int64_t result = evaluation.run();
    failed |= evaluation.failed || evaluation.name.empty();
    name = evaluation.name;
    return result >= int64_t(number);
  };
  int64_t low = 0, high = 1;
  while (!failed && high < largest && !reaches(high))
    high *= 2;
  if (failed || !reaches(high))
    return std::nullopt;
  while (low != high) {
    const int64_t middle = low + (high - low) / 2;
    if (reaches(middle))
      high = middle;
    else
      low = middle + 1;
  }
  if (failed)
    return std::nullopt;
  return FormulaStart{name, uint64_t(low)};
}
