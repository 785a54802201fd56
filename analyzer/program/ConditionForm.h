// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition in one form, however it is written.
//
// In:   the formula of  n > 4  ("n:0..99 4 >:i32")
// Out:  not (n <= 4)
//
// So that two conditions can be compared: what makes one true may decide the
// other.

#ifndef CORESIDE_PROGRAM_CONDITIONFORM_H
#define CORESIDE_PROGRAM_CONDITIONFORM_H

#include "Value.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coreside {

/// `subject` is at most `limit`, or equals it; or not so.
struct ConditionForm {
  enum class Relation { AtMost, Equal };
  /// The formula of a number.
  std::string subject;
  Relation relation = Relation::Equal;
  int64_t limit = 0;
  bool negated = false;

  bool operator==(const ConditionForm &) const = default;
};

/// The form of what `formula` calculates, as a truth value.
ConditionForm conditionForm(llvm::StringRef formula);

/// A formula that is not 0 where the form, `negated` left out, holds.
std::string formulaOf(const ConditionForm &form);

/// The range of the subject where the condition is `truth`: of a number that
/// does not equal something both sides are possible, so that is all.
std::pair<int64_t, int64_t> rangeWhere(const ConditionForm &form, bool truth);

/// Whether the condition holds for every subject in [low, high], or for none.
std::optional<bool> decided(const ConditionForm &form, int64_t low,
                            int64_t high);

/// What follows for a part of `formula` once that is in [low, high]: n * 4 in
/// [0, 40] says that n is in [0, 10]. Nothing where nothing follows.
struct PartRange {
  std::string formula;
  int64_t low;
  int64_t high;
};
std::optional<PartRange> rangeOfPart(llvm::StringRef formula, int64_t low,
                                     int64_t high);

} // namespace coreside

#endif
