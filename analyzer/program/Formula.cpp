// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formula.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace coreside {
namespace {

constexpr StringRef operationNames[] = {
    "+", "-", "*",  "/", "%",  "<<", ">>", "&",   "|",
    "^", "<", "<=", ">", ">=", "==", "!=", "min", "max"};

std::string typeName(IntegerType type) {
  return (type.isSigned ? "i" : "u") + std::to_string(type.bits);
}

std::optional<IntegerType> typeOf(StringRef text) {
  bool isSigned = text.consume_front("i");
  unsigned bits;
  if ((!isSigned && !text.consume_front("u")) || text.getAsInteger(10, bits) ||
      bits == 0 || bits > 64)
    return std::nullopt;
  return IntegerType{bits, isSigned};
}

std::string rangeText(const Value &value) {
  return std::to_string(value.low) + ".." + std::to_string(value.high);
}

/// "0..64"
std::optional<Value> rangeOf(StringRef text) {
  auto [from, to] = text.split("..");
  int64_t low, high;
  if (from.getAsInteger(10, low) || to.getAsInteger(10, high) || low > high)
    return std::nullopt;
  return Value::bounded(low, high);
}

std::string operandOf(const Value &value) {
  if (value.isKnown())
    return std::to_string(value.low);
  return value.formula.empty() ? rangeText(value) : value.formula;
}

std::string keep(std::string formula) {
  return formula.size() <= longestStoredFormula ? std::move(formula)
                                                : std::string();
}

} // namespace

std::optional<Value> evaluateFormula(StringRef formula,
                                     FormulaAnswers answers) {
  SmallVector<Value, 8> stack;
  while (!formula.empty()) {
    auto [word, rest] = formula.split(' ');
    formula = rest;
    int64_t number;
    if (!word.getAsInteger(10, number)) {
      stack.push_back(Value::known(number));
      continue;
    }
    if (auto range = rangeOf(word)) {
      stack.push_back(*range);
      continue;
    }
    if (word == "?") {
      if (stack.size() < 3)
        return std::nullopt;
      Value second = stack.pop_back_val(), first = stack.pop_back_val();
      const Value condition = stack.back();
      stack.back() = condition.low == 0 && condition.high == 0 ? second
                     : condition.low > 0 || condition.high < 0
                         ? first
                         : either(first, second);
      continue;
    }
    auto [head, tail] = word.rsplit(':');
    if (auto type = typeOf(tail)) {
      if (head.consume_front("to:")) {
        auto from = typeOf(head);
        if (!from || stack.empty())
          return std::nullopt;
        stack.back() = convert(stack.back(), *from, *type);
        continue;
      }
      const auto *at = find(operationNames, head);
      if (at == std::end(operationNames) || stack.size() < 2)
        return std::nullopt;
      Value right = stack.pop_back_val();
      stack.back() =
          apply(static_cast<Operation>(at - std::begin(operationNames)),
                stack.back(), right, *type);
      continue;
    }
    std::optional<Value> range = rangeOf(tail);
    if (!range)
      return std::nullopt;
    FormulaName name{head, {}, {}};
    unsigned operands = 0;
    if (head.starts_with("@") && head.contains('/')) {
      StringRef arity;
      std::tie(name.name, arity) = head.split('/');
      std::tie(arity, name.subject) = arity.split('/');
      if (arity.getAsInteger(10, operands) || operands > stack.size())
        return std::nullopt;
      name.operands = ArrayRef(stack).take_back(operands);
    }
    std::optional<Value> answer = answers(name);
    Value result = answer ? *answer : *range;
    stack.truncate(stack.size() - operands);
    stack.push_back(result);
  }
  if (stack.size() != 1)
    return std::nullopt;
  return stack.back();
}

std::string reworded(StringRef formula,
                     function_ref<Value(const FormulaName &, Value)> word) {
  std::string result;
  while (!formula.empty()) {
    auto [one, rest] = formula.split(' ');
    formula = rest;
    if (!result.empty())
      result += ' ';
    auto [head, tail] = one.rsplit(':');
    auto range =
        head.empty() || one.starts_with("@") ? std::nullopt : rangeOf(tail);
    result += range ? operandOf(word({head, {}, {}}, *range)) : one.str();
  }
  return keep(std::move(result));
}

Value resolve(const Value &value, FormulaAnswers answers) {
  if (value.isKnown() || value.formula.empty())
    return value;
  std::optional<Value> played = evaluateFormula(value.formula, answers);
  if (!played)
    return value;
  int64_t low = std::max(value.low, played->low);
  int64_t high = std::min(value.high, played->high);
  // What a condition of the program excludes does not happen on this GPU.
  if (low > high)
    return value;
  return within(value, low, high);
}

bool asksGPU(StringRef formula) {
  return formula.starts_with("@") || formula.contains(" @");
}

std::string formulaOfName(StringRef name, const Value &range) {
  // A word is a word.
  std::string word;
  for (char c : name.take_front(60))
    if (isPrint(c) && c != ' ' && c != ',')
      word += c;
  int64_t number;
  if (word.empty() || !StringRef(word).getAsInteger(10, number) ||
      name.starts_with("to:"))
    return "";
  return word + ":" + rangeText(range);
}

std::string formulaOfQuestion(StringRef name, StringRef subject,
                              ArrayRef<Value> operands, const Value &range) {
  std::string result;
  for (const Value &operand : operands)
    result += operandOf(operand) + " ";
  return keep(result + "@" + name.str() + "/" +
              std::to_string(operands.size()) + "/" + subject.str() + ":" +
              rangeText(range));
}

std::string formulaOfOperation(Operation operation, const Value &left,
                               const Value &right, IntegerType type) {
  if (left.formula.empty() && right.formula.empty())
    return "";
  if (left.formula.size() + right.formula.size() > longestStoredFormula)
    return "";
  // 4 < n is n > 4: a condition is told by its last number.
  if (left.isKnown())
    switch (operation) {
    case Operation::Less:
      return formulaOfOperation(Operation::Greater, right, left, type);
    case Operation::LessEqual:
      return formulaOfOperation(Operation::GreaterEqual, right, left, type);
    case Operation::Greater:
      return formulaOfOperation(Operation::Less, right, left, type);
    case Operation::GreaterEqual:
      return formulaOfOperation(Operation::LessEqual, right, left, type);
    case Operation::Add:
    case Operation::Multiply:
    case Operation::Equal:
    case Operation::NotEqual:
      return formulaOfOperation(operation, right, left, type);
    default:
      break;
    }
  return keep(operandOf(left) + " " + operandOf(right) + " " +
              operationNames[static_cast<size_t>(operation)].str() + ":" +
              typeName(type));
}

std::string formulaOfChoice(StringRef condition, const Value &first,
                            const Value &second) {
  if (condition.empty())
    return "";
  return keep(condition.str() + " " + operandOf(first) + " " +
              operandOf(second) + " ?");
}

std::string formulaOfConversion(const Value &value, IntegerType from,
                                IntegerType to) {
  if (value.formula.empty())
    return "";
  return keep(value.formula + " to:" + typeName(from) + ":" + typeName(to));
}

} // namespace coreside
