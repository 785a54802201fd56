// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   Values and an operation.
// Out:  a Value.

#include "ValueArithmetic.h"

#include "Formula.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace llvm;

namespace coreside {
namespace {

using Wide = __int128;

constexpr Wide mostUnsigned = (Wide(1) << 64) - 1;

/// Formulas longer than this help nobody.
constexpr size_t longestFormula = 120;

/// How tightly the outermost operator of a formula binds; 100 for a name, a
/// number or a call.
int bindingOf(StringRef formula) {
  int depth = 0, lowest = 100;
  for (size_t i = 0; i < formula.size(); ++i) {
    char c = formula[i];
    if (c == '(' || c == '[')
      ++depth;
    else if (c == ')' || c == ']')
      --depth;
    else if (depth == 0 && c == ' ' && i + 1 < formula.size()) {
      int binding = 100;
      StringRef rest = formula.drop_front(i + 1);
      rest = rest.take_until([](char d) { return d == ' '; });
      if (rest == "*" || rest == "/" || rest == "%")
        binding = 10;
      else if (rest == "+" || rest == "-")
        binding = 9;
      else if (rest == "<<" || rest == ">>")
        binding = 8;
      else if (rest == "<" || rest == ">" || rest == "<=" || rest == ">=")
        binding = 7;
      else if (rest == "==" || rest == "!=")
        binding = 6;
      else if (rest == "&")
        binding = 5;
      else if (rest == "^")
        binding = 4;
      else if (rest == "|")
        binding = 3;
      else if (rest == "&&" || rest == "||")
        binding = 2;
      else if (rest == "?" || rest == ":")
        binding = 1;
      lowest = std::min(lowest, binding);
    }
  }
  return lowest;
}

struct Spelling {
  StringRef symbol;
  int binding;
};

Spelling spellingOf(Operation operation) {
  switch (operation) {
  case Operation::Add:
    return {"+", 9};
  case Operation::Subtract:
    return {"-", 9};
  case Operation::Multiply:
    return {"*", 10};
  case Operation::Divide:
    return {"/", 10};
  case Operation::Remainder:
    return {"%", 10};
  case Operation::ShiftLeft:
    return {"<<", 8};
  case Operation::ShiftRight:
    return {">>", 8};
  case Operation::And:
    return {"&", 5};
  case Operation::Or:
    return {"|", 3};
  case Operation::Xor:
    return {"^", 4};
  case Operation::Less:
    return {"<", 7};
  case Operation::LessEqual:
    return {"<=", 7};
  case Operation::Greater:
    return {">", 7};
  case Operation::GreaterEqual:
    return {">=", 7};
  case Operation::Equal:
    return {"==", 6};
  case Operation::NotEqual:
    return {"!=", 6};
  case Operation::Minimum:
    return {"min", 100};
  case Operation::Maximum:
    return {"max", 100};
  }
  return {"?", 0};
}

std::string textOf(const Value &value) {
  return value.isKnown() ? std::to_string(value.low) : value.text;
}

std::string formulaOf(Operation operation, const Value &left,
                      const Value &right) {
  auto [symbol, binding] = spellingOf(operation);
  std::string a = textOf(left), b = textOf(right);
  if (symbol == "min" || symbol == "max")
    return (symbol + "(" + a + ", " + b + ")").str();
  if (bindingOf(a) < binding)
    a = "(" + a + ")";
  // a - (b - c), a / (b / c)
  if (bindingOf(b) <= binding || StringRef(b).starts_with("-"))
    b = "(" + b + ")";
  return (a + " " + symbol + " " + b).str();
}

bool isSymbolic(const Value &value) {
  return value.kind == Value::Kind::Symbolic;
}

/// The exact result of two numbers in the type; none where C++ has none.
std::optional<int64_t> compute(Operation operation, int64_t left, int64_t right,
                               IntegerType type) {
  // Known values are at most 2^63 - 1, so 64-bit unsigned division is safe.
  auto fit = [&](Wide value) -> std::optional<int64_t> {
    if (value >= type.lowest() && value <= type.highest())
      return static_cast<int64_t>(value);
    if (type.bits >= 64) {
      if (type.isSigned)
        return static_cast<int64_t>(static_cast<uint64_t>(value));
      auto wrapped = static_cast<uint64_t>(value);
      if (wrapped > static_cast<uint64_t>(Value::highest))
        return std::nullopt;
      return static_cast<int64_t>(wrapped);
    }
    auto mask = (uint64_t{1} << type.bits) - 1;
    uint64_t wrapped = static_cast<uint64_t>(value) & mask;
    if (type.isSigned && (wrapped >> (type.bits - 1)) & 1)
      return static_cast<int64_t>(wrapped | ~mask);
    return static_cast<int64_t>(wrapped);
  };
  switch (operation) {
  case Operation::Add:
    return fit(Wide(left) + right);
  case Operation::Subtract:
    return fit(Wide(left) - right);
  case Operation::Multiply:
    return fit(Wide(left) * right);
  case Operation::Divide:
    if (right == 0)
      return std::nullopt;
    return fit(Wide(left) / right);
  case Operation::Remainder:
    if (right == 0)
      return std::nullopt;
    return fit(Wide(left) % right);
  case Operation::ShiftLeft:
    if (right < 0 || right >= int64_t(type.bits))
      return std::nullopt;
    return fit(Wide(left) << right);
  case Operation::ShiftRight:
    if (right < 0 || right >= int64_t(type.bits))
      return std::nullopt;
    return fit(Wide(left) >> right);
  case Operation::And:
    return left & right;
  case Operation::Or:
    return left | right;
  case Operation::Xor:
    return left ^ right;
  case Operation::Less:
    return left < right;
  case Operation::LessEqual:
    return left <= right;
  case Operation::Greater:
    return left > right;
  case Operation::GreaterEqual:
    return left >= right;
  case Operation::Equal:
    return left == right;
  case Operation::NotEqual:
    return left != right;
  case Operation::Minimum:
    return std::min(left, right);
  case Operation::Maximum:
    return std::max(left, right);
  }
  return std::nullopt;
}

struct Range {
  Wide low, high;
};

bool isComparison(Operation operation) {
  return operation >= Operation::Less && operation <= Operation::NotEqual;
}

/// The range of a comparison: {0, 0}, {1, 1} or {0, 1}.
Range compare(Operation operation, Range a, Range b) {
  auto decided = [](bool yes, bool no) -> Range {
    return yes ? Range{1, 1} : no ? Range{0, 0} : Range{0, 1};
  };
  switch (operation) {
  case Operation::Less:
    return decided(a.high < b.low, a.low >= b.high);
  case Operation::LessEqual:
    return decided(a.high <= b.low, a.low > b.high);
  case Operation::Greater:
    return decided(a.low > b.high, a.high <= b.low);
  case Operation::GreaterEqual:
    return decided(a.low >= b.high, a.high < b.low);
  case Operation::Equal:
    return decided(a.low == a.high && b.low == b.high && a.low == b.low,
                   a.high < b.low || b.high < a.low);
  case Operation::NotEqual:
    return decided(a.high < b.low || b.high < a.low,
                   a.low == a.high && b.low == b.high && a.low == b.low);
  default:
    return {0, 1};
  }
}

/// The range of the exact result, before it is put into the type; nothing where
/// little can be said.
std::optional<Range> rangeOf(Operation operation, Range a, Range b) {
  auto corners = [](Wide w, Wide x, Wide y, Wide z) -> Range {
    return {std::min({w, x, y, z}), std::max({w, x, y, z})};
  };
  switch (operation) {
  case Operation::Add:
    return Range{a.low + b.low, a.high + b.high};
  case Operation::Subtract:
    return Range{a.low - b.high, a.high - b.low};
  case Operation::Multiply:
    // Their product needs more than 127 bits.
    if (a.high > Value::highest && b.high > Value::highest)
      return std::nullopt;
    return corners(a.low * b.low, a.low * b.high, a.high * b.low,
                   a.high * b.high);
  case Operation::Divide:
    if (b.low <= 0 && b.high >= 0) {
      // The divisor is not zero, or nothing follows.
      if (b.low < 0 && b.high > 0) {
        Wide most =
            std::max(a.low < 0 ? -a.low : a.low, a.high < 0 ? -a.high : a.high);
        return Range{-most, most};
      }
      if (b.low == 0)
        b.low = 1;
      if (b.high == 0)
        b.high = -1;
      if (b.low > b.high)
        return std::nullopt;
    }
    return corners(a.low / b.low, a.low / b.high, a.high / b.low,
                   a.high / b.high);
  case Operation::Remainder: {
    Wide most =
        std::max(b.low < 0 ? -b.low : b.low, b.high < 0 ? -b.high : b.high);
    if (most == 0)
      return std::nullopt;
    Range result{a.low < 0 ? -(most - 1) : 0, a.high > 0 ? most - 1 : 0};
    result.low = std::max(result.low, std::min<Wide>(a.low, 0));
    result.high = std::min(result.high, std::max<Wide>(a.high, 0));
    return result;
  }
  case Operation::ShiftLeft:
    if (b.low < 0 || b.high > 62)
      return std::nullopt;
    return corners(a.low << int(b.low), a.low << int(b.high),
                   a.high << int(b.low), a.high << int(b.high));
  case Operation::ShiftRight:
    if (b.low < 0 || b.high > 63)
      return std::nullopt;
    return corners(a.low >> int(b.low), a.low >> int(b.high),
                   a.high >> int(b.low), a.high >> int(b.high));
  case Operation::And:
    if (a.low >= 0 && b.low >= 0)
      return Range{0, std::min(a.high, b.high)};
    if (b.low >= 0)
      return Range{0, b.high};
    if (a.low >= 0)
      return Range{0, a.high};
    return std::nullopt;
  case Operation::Or:
  case Operation::Xor: {
    if (a.low < 0 || b.low < 0)
      return std::nullopt;
    Wide most = 1;
    while (most <= std::max(a.high, b.high))
      most <<= 1;
    return Range{0, most - 1};
  }
  case Operation::Minimum:
    return Range{std::min(a.low, b.low), std::min(a.high, b.high)};
  case Operation::Maximum:
    return Range{std::max(a.low, b.low), std::max(a.high, b.high)};
  default:
    return compare(operation, a, b);
  }
}

/// Gives a result the kind that its operands call for.
Value make(const Value &left, const Value &right, int64_t low, int64_t high,
           IntegerType type, const std::string &formula) {
  // A single number that follows whatever the operands are (x % 1, x & 0).
  if (low == high)
    return Value::known(low);
  for (const Value *operand : {&left, &right})
    if (operand->kind == Value::Kind::Unknown) {
      Value result = Value::unknown(operand->text);
      if (low > type.lowest() || high < type.highest())
        result.kind = Value::Kind::Bounded;
      result.low = low;
      result.high = high;
      return result;
    }
  bool named = isSymbolic(left) || isSymbolic(right);
  bool nameless =
      left.kind == Value::Kind::Bounded || right.kind == Value::Kind::Bounded;
  if (named && !nameless && formula.size() <= longestFormula)
    return Value::symbolic(formula, low, high);
  Value result = Value::bounded(low, high);
  if (low <= type.lowest() && high >= type.highest()) {
    result.kind = Value::Kind::Unknown;
    result.text = "calculated from what is not known";
  }
  for (const Value *operand : {&left, &right})
    if (operand->kind == Value::Kind::Bounded && !operand->text.empty())
      result.text = operand->text;
  return result;
}

} // namespace

int64_t IntegerType::lowest() const {
  if (!isSigned)
    return 0;
  return bits >= 64 ? Value::lowest : -(int64_t{1} << (bits - 1));
}

int64_t IntegerType::highest() const {
  unsigned value = isSigned ? bits - 1 : bits;
  return value >= 63 ? Value::highest : (int64_t{1} << value) - 1;
}

static Value applyRanges(Operation operation, const Value &left,
                         const Value &right, IntegerType type) {
  if (left.isKnown() && right.isKnown()) {
    if (auto number = compute(operation, left.low, right.low, type))
      return Value::known(*number);
    if ((operation == Operation::Divide || operation == Operation::Remainder) &&
        right.low == 0)
      return Value::unknown("division by zero");
    return within(Value::unknown("out of range"), type.lowest(),
                  type.highest());
  }
  // What does nothing leaves a formula short: n + 0, n * 1, n / 1.
  if (right.isKnown()) {
    if (right.low == 0 &&
        (operation == Operation::Add || operation == Operation::Subtract ||
         operation == Operation::ShiftLeft ||
         operation == Operation::ShiftRight || operation == Operation::Or))
      return left;
    if (right.low == 1 &&
        (operation == Operation::Multiply || operation == Operation::Divide))
      return left;
  }
  if (left.isKnown()) {
    if (left.low == 0 && (operation == Operation::Add))
      return right;
    if (left.low == 1 && operation == Operation::Multiply)
      return right;
  }
  // n + 256 - 1 reads as n + 255.
  if (isSymbolic(left) && right.isKnown() &&
      (operation == Operation::Add || operation == Operation::Subtract)) {
    for (StringRef symbol : {" + ", " - "}) {
      auto [head, tail] = StringRef(left.text).rsplit(symbol);
      int64_t inner = 0;
      if (tail.empty() || tail.getAsInteger(10, inner) || inner < 0 ||
          inner > 1000000000 || std::abs(right.low) > 1000000000 ||
          bindingOf(left.text) != 9 || bindingOf(head) < 9)
        continue;
      int64_t sum = (symbol == " + " ? inner : -inner) +
                    (operation == Operation::Add ? right.low : -right.low);
      Value result =
          apply(operation, Value::bounded(left.low, left.high), right, type);
      std::string formula = sum == 0 ? head.str()
                                     : (head + (sum > 0 ? " + " : " - ") +
                                        std::to_string(std::abs(sum)))
                                           .str();
      return Value::symbolic(formula, result.low, result.high);
    }
  }
  // An open upper end of a 64-bit unsigned number is that of its type.
  bool isHuge = !type.isSigned && type.bits >= 64;
  auto endOf = [&](const Value &value) -> Wide {
    return isHuge && value.high == Value::highest ? mostUnsigned : value.high;
  };
  std::optional<Range> range =
      rangeOf(operation, {left.low, endOf(left)}, {right.low, endOf(right)});
  int64_t low, high;
  IntegerType resultType =
      isComparison(operation) ? IntegerType{1, false} : type;
  Wide mostOfType = isHuge && !isComparison(operation)
                        ? mostUnsigned
                        : Wide(resultType.highest());
  if (!range) {
    low = resultType.lowest();
    high = resultType.highest();
  } else if (range->low >= resultType.lowest() && range->high <= mostOfType) {
    low = static_cast<int64_t>(std::min<Wide>(range->low, Value::highest));
    high = static_cast<int64_t>(std::min<Wide>(range->high, Value::highest));
  } else if (resultType.isSigned) {
    low = static_cast<int64_t>(std::clamp<Wide>(range->low, resultType.lowest(),
                                                resultType.highest()));
    high = static_cast<int64_t>(std::clamp<Wide>(
        range->high, resultType.lowest(), resultType.highest()));
  } else {
    low = resultType.lowest();
    high = resultType.highest();
  }
  return make(left, right, low, high, resultType,
              formulaOf(operation, left, right));
}

Value apply(Operation operation, const Value &left, const Value &right,
            IntegerType type) {
  Value result = applyRanges(operation, left, right, type);
  // n + 0 is n, with its formula.
  if (!result.isKnown() && result.formula.empty())
    result.formula = formulaOfOperation(operation, left, right, type);
  return result;
}

Value negate(const Value &value, IntegerType type) {
  if (value.isKnown())
    return apply(Operation::Subtract, Value::known(0), value, type);
  Value result = apply(Operation::Subtract, Value::known(0), value, type);
  if (isSymbolic(value))
    result.text = bindingOf(value.text) == 100 ? "-" + value.text
                                               : "-(" + value.text + ")";
  return result;
}

Value complement(const Value &value, IntegerType type) {
  if (value.isKnown()) {
    if (type.isSigned)
      return Value::known(~value.low);
    if (type.bits < 63)
      return Value::known(~value.low & ((int64_t{1} << type.bits) - 1));
  }
  std::string text =
      bindingOf(value.text) == 100 ? "~" + value.text : "~(" + value.text + ")";
  return make(value, value, type.lowest(), type.highest(), type, text);
}

Value logicalNot(const Value &value) {
  if (value.isKnown())
    return Value::known(value.low == 0);
  if (value.low > 0 || value.high < 0)
    return Value::known(0);
  std::string text =
      bindingOf(value.text) == 100 ? "!" + value.text : "!(" + value.text + ")";
  Value result = make(value, value, 0, 1, {1, false}, text);
  result.formula =
      formulaOfOperation(Operation::Equal, value, Value::known(0), {64, true});
  return result;
}

Value convert(const Value &value, IntegerType from, IntegerType to) {
  if (to.bits == 1 && !to.isSigned && from.bits != 1)
    return apply(Operation::NotEqual, value, Value::known(0), from);
  return keepBits(value, from, to);
}

Value keepBits(const Value &value, IntegerType from, IntegerType to) {
  if (value.isKnown()) {
    if (auto number = compute(Operation::Add, value.low, 0, to))
      return Value::known(*number);
    return within(Value::unknown("larger than 2^63"), to.lowest(),
                  to.highest());
  }
  Value result = value;
  bool fromHuge =
      !from.isSigned && from.bits >= 64 && value.high == Value::highest;
  if (value.low < to.lowest() || value.high > to.highest() ||
      (fromHuge && (to.isSigned || to.bits < 64))) {
    result.formula = formulaOfConversion(value, from, to);
    // A conversion to fewer bits than numbers of launches have is told: it is
    // there to cut something off.
    if (isSymbolic(value) && to.bits < 32) {
      if (to.bits == 8 || to.bits == 16)
        result.text = (to.isSigned ? "(int" : "(uint") +
                      std::to_string(to.bits) + "_t)(" + value.text + ")";
      else
        result.kind = Value::Kind::Bounded;
    }
    result.low = to.lowest();
    result.high = to.highest();
    if (result.kind == Value::Kind::Bounded &&
        (to.bits >= 32 || !isSymbolic(value))) {
      result.kind = Value::Kind::Unknown;
      if (result.text.empty())
        result.text = "calculated from what is not known";
    }
  }
  return result;
}

Value either(const Value &one, const Value &other) {
  if (one == other)
    return one;
  Value result;
  result.low = std::min(one.low, other.low);
  result.high = std::max(one.high, other.high);
  if (one.kind == other.kind && one.text == other.text) {
    result.kind = one.isKnown() ? Value::Kind::Bounded : one.kind;
    result.text = one.text;
    if (one.formula == other.formula)
      result.formula = one.formula;
    return result;
  }
  for (const Value *value : {&one, &other})
    if (value->kind == Value::Kind::Unknown) {
      result.kind = Value::Kind::Unknown;
      result.text = value->text;
      return result;
    }
  result.kind = Value::Kind::Bounded;
  return result;
}

Value within(Value value, int64_t low, int64_t high) {
  value.low = std::max(value.low, low);
  value.high = std::min(value.high, high);
  if (value.low == value.high)
    return Value::known(value.low);
  return value;
}

} // namespace coreside
