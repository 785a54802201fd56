// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   types and expressions of the AST.
// Out:  what the reader calls them, and numbers of them.

#include "Formula.h"
#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace coreside {

static llvm::StringRef recordName(QualType type) {
  const RecordDecl *record = type->getAsRecordDecl();
  return record && record->getIdentifier() ? record->getName() : "";
}

static bool isHandle(QualType type,
                     std::initializer_list<llvm::StringRef> names) {
  if (type.isNull())
    return false;
  type = type.getNonReferenceType().getCanonicalType();
  if (!type->isPointerType())
    return false;
  return llvm::is_contained(names, recordName(type->getPointeeType()));
}

bool isStreamType(QualType type) {
  return isHandle(type, {"CUstream_st", "ihipStream_t"});
}

bool isEventType(QualType type) {
  return isHandle(type, {"CUevent_st", "ihipEvent_t"});
}

bool isDim3(QualType type) {
  return recordName(type.getNonReferenceType()) == "dim3";
}

bool isStatusType(QualType type) {
  const auto *enumeration = type->getAs<EnumType>();
  if (!enumeration || !enumeration->getDecl()->getIdentifier())
    return false;
  llvm::StringRef name = enumeration->getDecl()->getName();
  for (llvm::StringRef known :
       {"cudaError", "CUresult", "cublasStatus", "cufftResult", "cudnnStatus",
        "ncclResult", "curandStatus", "cusparseStatus", "cusolverStatus",
        "nvrtcResult", "nvmlReturn", "hipError", "hipblasStatus",
        "rocblas_status", "nvjpegStatus", "cutensorStatus"})
    if (name.starts_with(known))
      return true;
  return false;
}

std::optional<IntegerType> Interpreter::integerType(QualType type) const {
  if (type.isNull() || type->isDependentType())
    return std::nullopt;
  type = type.getNonReferenceType();
  if (!type->isIntegralOrEnumerationType())
    return std::nullopt;
  if (const auto *enumeration = type->getAs<EnumType>();
      enumeration && !enumeration->getDecl()->isComplete())
    return std::nullopt;
  unsigned bits = Context.getIntWidth(type);
  if (bits > 64)
    return std::nullopt;
  if (type->isBooleanType())
    return IntegerType{1, false};
  return IntegerType{bits, type->isSignedIntegerOrEnumerationType()};
}

/// The source of an expression in one line, or nothing where it is long.
std::string Interpreter::textOf(const Expr *expression) const {
  return expression ? shortText(expression, Context) : "";
}

/// A number called by a name. `stable`: nothing else will be called so.
Datum Interpreter::symbol(const std::string &name, QualType type, bool stable,
                          SourceLocation at) {
  unsigned &uses = SymbolUses[name];
  // Whatever else is called so is another number.
  std::string own = uses ? std::to_string(++Symbols) + "'" + name : name;
  uses += stable ? 1 : 2;
  IntegerType integer = integerType(type).value_or(IntegerType{64, true});
  coreside::Value value =
      coreside::Value::symbolic(name, integer.lowest(), integer.highest());
  value.formula = formulaOfName(own, value);
  Datum datum = Datum::of(std::move(value));
  if (!type.isNull())
    assume(datum, name, type, at);
  return datum;
}

coreside::Value Interpreter::numberOf(const Datum &datum, QualType type,
                                      const Expr *expression) {
  if (datum.isNumber())
    return datum.number;
  IntegerType integer = integerType(type).value_or(IntegerType{64, true});
  if (datum.kind == Datum::Kind::Null)
    return coreside::Value::known(0);
  std::string why = datum.text;
  if (why.empty()) {
    std::string text = textOf(expression);
    why = text.empty() ? "not a number that can be followed"
                       : "'" + text + "' cannot be followed";
  }
  return within(coreside::Value::unknown(why), integer.lowest(),
                integer.highest());
}

std::optional<bool> Interpreter::truthOf(const Datum &datum) const {
  switch (datum.kind) {
  case Datum::Kind::Number:
    if (datum.number.low > 0 || datum.number.high < 0)
      return true;
    if (datum.number.low == 0 && datum.number.high == 0)
      return false;
    return std::nullopt;
  case Datum::Kind::Real:
    if (datum.real)
      return *datum.real != 0;
    return std::nullopt;
  case Datum::Kind::Null:
    return false;
  case Datum::Kind::Pointer:
    // What was there before the trace may be null.
    if (datum.pointer.path.size() == 1 &&
        Store.object(datum.pointer.object).external &&
        Store.object(datum.pointer.object).pointee)
      return std::nullopt;
    return true;
  case Datum::Kind::Function:
    return true;
  case Datum::Kind::Stream:
    if (Result.streams[datum.handle].origin == Stream::Origin::Created)
      return true;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace coreside
