// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConditionForm.h"

#include "Formula.h"

using namespace llvm;

namespace coreside {
namespace {

/// The last operation of a formula, where its right operand is a number.
struct Split {
  StringRef left;
  int64_t right = 0;
  StringRef operation;
  IntegerType type;
};

std::optional<IntegerType> typeOf(StringRef text) {
  bool isSigned = text.consume_front("i");
  unsigned bits;
  if ((!isSigned && !text.consume_front("u")) || text.getAsInteger(10, bits))
    return std::nullopt;
  return IntegerType{bits, isSigned};
}

std::optional<Split> split(StringRef formula) {
  Split result;
  auto [rest, word] = formula.rsplit(' ');
  auto [operation, type] = word.rsplit(':');
  auto parsed = typeOf(type);
  if (!parsed)
    return std::nullopt;
  result.operation = operation;
  result.type = *parsed;
  StringRef number;
  std::tie(result.left, number) = rest.rsplit(' ');
  if (result.left.empty() || number.getAsInteger(10, result.right))
    return std::nullopt;
  // "a 1 2 +": the number is not the whole right operand where more follows;
  // as the word before the operation it always is.
  return result;
}

bool isTruth(StringRef formula) {
  auto word = formula.rsplit(' ').second.rsplit(':').first;
  return word == "<" || word == "<=" || word == ">" || word == ">=" ||
         word == "==" || word == "!=";
}

} // namespace

ConditionForm conditionForm(StringRef formula) {
  using Relation = ConditionForm::Relation;
  auto parts = split(formula);
  StringRef operation = parts ? parts->operation : "";
  if ((operation == "==" || operation == "!=") && parts->right == 0 &&
      isTruth(parts->left)) {
    ConditionForm form = conditionForm(parts->left);
    form.negated ^= operation == "==";
    return form;
  }
  if (operation == "==" || operation == "!=")
    return {parts->left.str(), Relation::Equal, parts->right,
            operation == "!="};
  if (operation == "<=" || operation == ">")
    return {parts->left.str(), Relation::AtMost, parts->right,
            operation == ">"};
  if ((operation == "<" || operation == ">=") && parts->right > Value::lowest)
    return {parts->left.str(), Relation::AtMost, parts->right - 1,
            operation == ">="};
  return {formula.str(), Relation::Equal, 0, true};
}

std::string formulaOf(const ConditionForm &form) {
  return form.subject + " " + std::to_string(form.limit) +
         (form.relation == ConditionForm::Relation::AtMost ? " <=:i64"
                                                           : " ==:i64");
}

std::pair<int64_t, int64_t> rangeWhere(const ConditionForm &form, bool truth) {
  truth ^= form.negated;
  if (form.relation == ConditionForm::Relation::Equal) {
    if (truth)
      return {form.limit, form.limit};
    // What compares gives 0 or 1.
    if (isTruth(form.subject))
      return form.limit == 0   ? std::pair<int64_t, int64_t>{1, 1}
             : form.limit == 1 ? std::pair<int64_t, int64_t>{0, 0}
                               : std::pair<int64_t, int64_t>{0, 1};
    return {Value::lowest, Value::highest};
  }
  if (truth)
    return {Value::lowest, form.limit};
  return {form.limit == Value::highest ? form.limit : form.limit + 1,
          Value::highest};
}

std::optional<bool> decided(const ConditionForm &form, int64_t low,
                            int64_t high) {
  std::optional<bool> holds;
  if (form.relation == ConditionForm::Relation::Equal) {
    if (low == form.limit && high == form.limit)
      holds = true;
    else if (form.limit < low || form.limit > high)
      holds = false;
  } else if (high <= form.limit) {
    holds = true;
  } else if (low > form.limit) {
    holds = false;
  }
  if (holds)
    return *holds != form.negated;
  return std::nullopt;
}

std::optional<PartRange> rangeOfPart(StringRef formula, int64_t low,
                                     int64_t high) {
  auto [rest, word] = formula.rsplit(' ');
  if (word.consume_front("to:")) {
    // A conversion keeps what both types hold: of an unsigned number that is no
    // more than the signed one's highest, that it was not negative.
    auto [fromText, toText] = word.split(':');
    auto from = typeOf(fromText), to = typeOf(toText);
    if (!from || !to || from->bits > to->bits || low < 0 ||
        high > from->highest())
      return std::nullopt;
    return PartRange{rest.str(), low, high};
  }
  auto parts = split(formula);
  if (!parts)
    return std::nullopt;
  const StringRef operation = parts->operation;
  const __int128 by = parts->right;
  // Unsigned numbers may have wrapped, but not where they only get less.
  if (!parts->type.isSigned && operation != "/" && operation != "min" &&
      operation != "max")
    return std::nullopt;
  __int128 from = low, to = high;
  auto floored = [](__int128 a, __int128 b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  };
  if (operation == "+") {
    from -= by;
    to -= by;
  } else if (operation == "-") {
    from += by;
    to += by;
  } else if (operation == "*" && by > 0) {
    from = -floored(-from, by);
    to = floored(to, by);
  } else if (operation == "min") {
    // min(n, 256) <= 64 says n <= 64, min(n, 256) <= 256 says nothing.
    if (to >= by)
      high = Value::highest;
  } else if (operation == "max") {
    if (from <= by)
      low = Value::lowest;
  } else if (operation == "/" && by > 0) {
    // Towards zero: n / 4 <= 2 says n <= 11, n / 4 >= 2 says n >= 8.
    from = from > 0 ? from * by : from * by - (by - 1);
    to = to >= 0 ? to * by + (by - 1) : to * by;
  } else {
    return std::nullopt;
  }
  // An open end stays open.
  auto cut = [](__int128 end) {
    return int64_t(std::clamp<__int128>(end, Value::lowest, Value::highest));
  };
  return PartRange{parts->left.str(), low == Value::lowest ? low : cut(from),
                   high == Value::highest ? high : cut(to)};
}

} // namespace coreside
