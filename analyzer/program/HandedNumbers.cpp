// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HandedNumbers.h"

#include "Formula.h"

#include <algorithm>

namespace coreside {

HandedNumbers::HandedNumbers(const Trace &callee,
                             std::span<const Handed> arguments,
                             std::string prefix)
    : Prefix(std::move(prefix)) {
  for (const NumberName &number : callee.numbers)
    for (const Handed &handed : arguments) {
      // A global holds at the call what the caller last saw in it.
      const bool same = handed.where.root == number.from.root &&
                        handed.where.index == number.from.index &&
                        handed.where.symbol == number.from.symbol &&
                        handed.where.path == number.from.path &&
                        (number.from.root == Reference::Root::Parameter ||
                         (number.from.root == Reference::Root::Global &&
                          number.from.call < 0));
      if (handed.kind == Handed::Kind::Number && same)
        Known.try_emplace(number.word, handed.value);
    }
}

void HandedNumbers::learn(const std::string &word, Value value) {
  Known.try_emplace(word, std::move(value));
}

Value HandedNumbers::place(const Value &value) const {
  if (value.isKnown() || value.formula.empty())
    return value;
  auto played = evaluateFormula(
      value.formula, [&](const FormulaName &name) -> std::optional<Value> {
        auto at = Known.find(name.name.str());
        if (at == Known.end() || !name.subject.empty())
          return std::nullopt;
        return at->second;
      });
  Value result = value;
  if (played &&
      std::max(played->low, value.low) <= std::min(played->high, value.high))
    result = within(std::move(result), played->low, played->high);
  if (result.isKnown())
    return result;
  result.formula =
      reworded(value.formula, [&](const FormulaName &name, Value range) {
        if (auto at = Known.find(name.name.str()); at != Known.end())
          return at->second;
        range.formula = formulaOfName(Prefix + name.name.str(), range);
        return range;
      });
  return result;
}

void HandedNumbers::place(Step &step) const {
  auto all = [&](std::array<Value, 3> &sizes) {
    for (Value &size : sizes)
      size = place(size);
  };
  all(step.grid);
  all(step.block);
  for (auto *cluster : {&step.cluster, &step.preferredCluster})
    if (*cluster)
      all(**cluster);
  for (auto *number : {&step.priority, &step.carveout})
    if (*number)
      *number = place(**number);
  for (Value *number : {&step.dynamicShared, &step.bytes, &step.attributeValue})
    *number = place(*number);
}

std::string HandedNumbers::wordFor(const NumberName &number) const {
  return Known.contains(number.word) ? std::string() : Prefix + number.word;
}

} // namespace coreside
