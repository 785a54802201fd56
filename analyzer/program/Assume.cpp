// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a number that a variable is given, and what the user assumes.
// Out:  the number with that filled in, where the source does not say it.
//
//   --assume n=1048576     int n = atoi(argv[1]);    1048576
//                          int n = 1000;             1000, and a word about it

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {

/// Whether `file` is what `path` ends with, from the start of a name on.
static bool endsWithPath(llvm::StringRef path, llvm::StringRef file) {
  return path.consume_back(file) && (path.empty() || path.ends_with("/"));
}

/// Fills in what is assumed of the number that the source calls `name`.
void Interpreter::assume(Datum &datum, llvm::StringRef name, QualType type,
                         SourceLocation at) {
  if (Options.assumptions.empty() || name.empty() || Dry)
    return assumeQuietly(datum, name, type);
  auto note = [&](AssumptionUse use) {
    if (!llvm::is_contained(Facts.assumptions, use))
      Facts.assumptions.push_back(std::move(use));
  };
  for (unsigned i = 0; i < Options.assumptions.size(); ++i) {
    const Assumption &one = Options.assumptions[i];
    if (!isAbout(one, name))
      continue;
    SourcePlace place = placeOf(at, Context);
    coreside::Value number =
        datum.isNumber() ? datum.number : coreside::Value::unknown("");
    if (number.high < one.low || number.low > one.high) {
      std::string instead = number.isKnown()
                                ? std::to_string(number.low)
                                : "between " + std::to_string(number.low) +
                                      " and " + std::to_string(number.high);
      note({i, instead, place});
    } else {
      note({i, {}, {}});
    }
  }
  assumeQuietly(datum, name, type);
}

bool Interpreter::isAbout(const Assumption &one, llvm::StringRef name) const {
  if (one.name != name || Frames.empty())
    return false;
  const FunctionDecl *function = Frames.back().function;
  if (!one.function.empty() && function &&
      one.function != function->getNameAsString() &&
      one.function != nameOf(*function))
    return false;
  return one.file.empty() ||
         (function &&
          endsWithPath(placeOf(function->getLocation(), Context).file,
                       one.file));
}

void Interpreter::assumeQuietly(Datum &datum, llvm::StringRef name,
                                QualType type) {
  for (const Assumption &one : Options.assumptions) {
    if (!isAbout(one, name) || datum.known())
      continue;
    auto integer = integerType(type);
    coreside::Value number =
        datum.isNumber()
            ? datum.number
            : coreside::Value::symbolic(
                  name.str(),
                  integer ? integer->lowest() : coreside::Value::lowest,
                  integer ? integer->highest() : coreside::Value::highest);
    if (number.high < one.low || number.low > one.high)
      continue;
    if (number.kind == coreside::Value::Kind::Unknown) {
      number.kind = coreside::Value::Kind::Symbolic;
      number.text = name.str();
    }
    std::optional<int64_t> sample = datum.sample;
    datum = Datum::of(within(std::move(number), one.low, one.high));
    datum.sample = sample;
  }
}

} // namespace coreside
