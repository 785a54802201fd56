// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a Value is calculated, as one line that can be stored and played again
// when more is known.
//
// In:   "@multiProcessorCount:1..1024 4 *:i32", and that it is 132
// Out:  528
//
// Operands come first, as on a pocket calculator of the old kind. Words are
//
//   256                      a number
//   0..64                    some number in a range
//   n:0..2147483647          a number with a name
//   +:i32  min:u64           an operation in a type
//   to:i64:i32               a conversion
//   ?                        of the three before it the second where the first
//                            is not 0, else the third
//   @name/2/subject:0..32    an answer of the GPU to a question with two
//                            operands about a subject: occupancy of a kernel
//
// A name keeps its range, so that a formula says what is possible also where
// nobody can answer.

#ifndef CORESIDE_PROGRAM_FORMULA_H
#define CORESIDE_PROGRAM_FORMULA_H

#include "Value.h"
#include "ValueArithmetic.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace coreside {

/// A formula longer than this is not kept.
constexpr size_t longestStoredFormula = 720;

/// A name or a question in a formula.
struct FormulaName {
  /// "n", "@multiProcessorCount".
  llvm::StringRef name;
  /// What a question is about, else empty.
  llvm::StringRef subject;
  /// The operands of a question.
  llvm::ArrayRef<Value> operands;
};

/// What a name stands for; nothing where that is not known.
using FormulaAnswers =
    llvm::function_ref<std::optional<Value>(const FormulaName &)>;

/// Plays `formula`. Nothing where it is not one.
std::optional<Value> evaluateFormula(llvm::StringRef formula,
                                     FormulaAnswers answers);

/// `value` after its formula was played; as it is where it has none or that
/// says no more. Its text stays.
Value resolve(const Value &value, FormulaAnswers answers);

/// `formula` with other words for its names: what `word` says of each, a
/// number, a formula or, where it has neither, a range. Empty where it gets too
/// long.
std::string
reworded(llvm::StringRef formula,
         llvm::function_ref<Value(const FormulaName &, Value range)> word);

/// Whether a formula asks something of the GPU.
bool asksGPU(llvm::StringRef formula);

/// The formula of a name, of a question, of an operation, of a conversion and
/// of a choice by a formula. Empty where they cannot be told.
std::string formulaOfName(llvm::StringRef name, const Value &range);
std::string formulaOfQuestion(llvm::StringRef name, llvm::StringRef subject,
                              llvm::ArrayRef<Value> operands,
                              const Value &range);
std::string formulaOfOperation(Operation operation, const Value &left,
                               const Value &right, IntegerType type);
std::string formulaOfConversion(const Value &value, IntegerType from,
                                IntegerType to);
std::string formulaOfChoice(llvm::StringRef condition, const Value &first,
                            const Value &second);

} // namespace coreside

#endif
