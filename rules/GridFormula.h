// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From which value of its one name on a formula reaches a number.
//
// In:   "(n + 255) / 256", 528.
// Out:  n, 134,913.

#ifndef CORESIDE_RULES_GRIDFORMULA_H
#define CORESIDE_RULES_GRIDFORMULA_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coreside {

struct FormulaStart {
  std::string name;
  uint64_t value = 0;
};

/// The least value of 0 to 2^40 with which `formula` is at least `number`.
/// Nothing for a formula of no or several names, or of other operations than
/// +, *, and - and / by a number: it might fall again.
std::optional<FormulaStart> firstValueThatReaches(std::string_view formula,
                                                  uint64_t number);

} // namespace coreside

#endif
