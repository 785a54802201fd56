// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   operators and conversions over what their operands yield.
// Out:  what they yield.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace clang;

namespace coreside {

static std::optional<coreside::Operation> operationOf(BinaryOperatorKind kind) {
  switch (kind) {
  case BO_Add:
  case BO_AddAssign:
    return coreside::Operation::Add;
  case BO_Sub:
  case BO_SubAssign:
    return coreside::Operation::Subtract;
  case BO_Mul:
  case BO_MulAssign:
    return coreside::Operation::Multiply;
  case BO_Div:
  case BO_DivAssign:
    return coreside::Operation::Divide;
  case BO_Rem:
  case BO_RemAssign:
    return coreside::Operation::Remainder;
  case BO_Shl:
  case BO_ShlAssign:
    return coreside::Operation::ShiftLeft;
  case BO_Shr:
  case BO_ShrAssign:
    return coreside::Operation::ShiftRight;
  case BO_And:
  case BO_AndAssign:
    return coreside::Operation::And;
  case BO_Or:
  case BO_OrAssign:
    return coreside::Operation::Or;
  case BO_Xor:
  case BO_XorAssign:
    return coreside::Operation::Xor;
  case BO_LT:
    return coreside::Operation::Less;
  case BO_LE:
    return coreside::Operation::LessEqual;
  case BO_GT:
    return coreside::Operation::Greater;
  case BO_GE:
    return coreside::Operation::GreaterEqual;
  case BO_EQ:
    return coreside::Operation::Equal;
  case BO_NE:
    return coreside::Operation::NotEqual;
  default:
    return std::nullopt;
  }
}

/// `left` op `right`; `type` is that of the operands, both converted to it.
Datum Interpreter::calculate(BinaryOperatorKind kind, const Datum &left,
                             const Datum &right, QualType type,
                             const Expr *expression) {
  auto operation = operationOf(kind);
  bool equality = kind == BO_EQ || kind == BO_NE;
  // Pointers, streams and functions: only whether they are the same.
  using Kind = Datum::Kind;
  if (equality && !left.isNumber() && left.kind != Kind::Real) {
    std::optional<bool> same;
    if (left.kind == Kind::Null && right.kind == Kind::Null)
      same = true;
    else if (left.kind == Kind::Null || right.kind == Kind::Null) {
      auto truth = truthOf(left.kind == Kind::Null ? right : left);
      if (truth)
        same = !*truth;
    } else if (left.kind == right.kind) {
      if (left.isPointer() && left.pointer.object == right.pointer.object)
        same = left.pointer == right.pointer;
      else if ((left.kind == Kind::Stream || left.kind == Kind::Event) &&
               (left.handle == right.handle ||
                (left.kind == Kind::Stream &&
                 Result.streams[left.handle].origin ==
                     Stream::Origin::Created &&
                 Result.streams[right.handle].origin ==
                     Stream::Origin::Created)))
        same = left.handle == right.handle;
      else if (left.kind == Kind::Function)
        same = left.function->getCanonicalDecl() ==
               right.function->getCanonicalDecl();
    }
    if (same)
      return Datum::of(*same == (kind == BO_EQ));
    return Datum::of(within(
        coreside::Value::unknown("'" + textOf(expression) + "' is not known"),
        0, 1));
  }
  if (left.isPointer() && right.isNumber() &&
      (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
       kind == BO_SubAssign)) {
    Datum index = right;
    if (kind == BO_Sub || kind == BO_SubAssign) {
      index.number = negate(index.number, {64, true});
      if (index.sample)
        index.sample = -*index.sample;
    }
    Place place = elementOf(left, index, expression);
    if (place.known() && !place.sampled)
      return Datum::to(place.address);
    if (place.known())
      return Datum::to(place.address);
    Datum somewhere = Datum::unknown(place.why);
    somewhere.pointer = left.pointer;
    return somewhere;
  }
  // On from somewhere in an object.
  if (left.isUnknown() && (left.pointer.object || !left.targets.empty()) &&
      right.isNumber() && type->isPointerType())
    return left;
  if (right.isPointer() && left.isNumber() && kind == BO_Add)
    return calculate(kind, right, left, type, expression);

  if (left.kind == Kind::Real || right.kind == Kind::Real) {
    auto real = [](const Datum &datum) -> std::optional<double> {
      if (datum.kind == Kind::Real)
        return datum.real;
      if (auto number = datum.known())
        return static_cast<double>(*number);
      return std::nullopt;
    };
    std::optional<double> a = real(left), b = real(right);
    if (a && b && operation) {
      std::optional<double> result;
      std::optional<bool> truth;
      switch (*operation) {
      case coreside::Operation::Add:
        result = *a + *b;
        break;
      case coreside::Operation::Subtract:
        result = *a - *b;
        break;
      case coreside::Operation::Multiply:
        result = *a * *b;
        break;
      case coreside::Operation::Divide:
        if (*b != 0)
          result = *a / *b;
        break;
      case coreside::Operation::Less:
        truth = *a < *b;
        break;
      case coreside::Operation::LessEqual:
        truth = *a <= *b;
        break;
      case coreside::Operation::Greater:
        truth = *a > *b;
        break;
      case coreside::Operation::GreaterEqual:
        truth = *a >= *b;
        break;
      case coreside::Operation::Equal:
        truth = *a == *b;
        break;
      case coreside::Operation::NotEqual:
        truth = *a != *b;
        break;
      default:
        break;
      }
      if (truth)
        return Datum::of(*truth);
      if (result) {
        if (type->isSpecificBuiltinType(BuiltinType::Float))
          result = static_cast<float>(*result);
        return Datum::ofReal(*result);
      }
    }
    std::string text = textOf(expression);
    if (operation && *operation >= coreside::Operation::Less)
      return Datum::of(within(
          coreside::Value::unknown("'" + text + "' is not known"), 0, 1));
    Datum result;
    result.kind = Kind::Real;
    result.text = text;
    return result;
  }
  auto integer = integerType(type);
  if (!operation || !integer)
    return Datum::unknown("'" + textOf(expression) + "' is not followed");
  coreside::Value leftNumber = numberOf(left, type, expression);
  coreside::Value rightNumber = numberOf(right, type, expression);
  Datum result =
      Datum::of(narrowed(apply(*operation, leftNumber, rightNumber, *integer)));
  if (BinaryOperator::isComparisonOp(kind))
    Compared[expression] = {leftNumber, rightNumber, result.number};
  auto a = left.pick(), b = right.pick();
  if (a && b && !result.known())
    result.sample = apply(*operation, coreside::Value::known(*a),
                          coreside::Value::known(*b), *integer)
                        .number();
  return result;
}

/// What `field` holds once `datum` is stored to it; null for what is no member
/// of a certain number of bits.
Datum Interpreter::inBits(Datum datum, const FieldDecl *field) {
  auto type = field && field->isBitField() && datum.isNumber()
                  ? integerType(field->getType())
                  : std::nullopt;
  if (!type)
    return datum;
  IntegerType bits{std::min(field->getBitWidthValue(), type->bits),
                   type->isSigned};
  // A bool of one bit was made a bool before.
  Datum result = bits.bits == type->bits
                     ? datum
                     : Datum::of(keepBits(datum.number, *type, bits));
  if (datum.sample)
    result.sample =
        keepBits(coreside::Value::known(*datum.sample), *type, bits).number();
  return result;
}

/// What is stored to one member of a union changes the others.
void Interpreter::loseOtherMembers(const Expr *target) {
  for (target = target->IgnoreParenImpCasts();;
       target = target->IgnoreParenImpCasts()) {
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(target)) {
      target = element->getBase();
      continue;
    }
    const auto *member = dyn_cast<MemberExpr>(target);
    const auto *field =
        member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
    if (!field)
      return;
    target = member->getBase();
    if (!field->getParent()->isUnion())
      continue;
    Place whole = member->isArrow() ? Place() : locate(target);
    if (member->isArrow())
      if (Datum pointer = evaluate(target); pointer.isPointer())
        whole.address = pointer.pointer;
    if (whole.known())
      for (const FieldDecl *other : field->getParent()->fields())
        if (other != field && !other->getName().empty())
          if (Address address = partOf(whole, other).address;
              Store.find(address))
            loseAddress(address, "another member of the union was stored to");
  }
}

Datum Interpreter::evaluateBinary(const BinaryOperator *expression) {
  BinaryOperatorKind kind = expression->getOpcode();
  const Expr *leftSide = expression->getLHS();
  const Expr *rightSide = expression->getRHS();
  if (kind == BO_Comma) {
    discard(leftSide);
    return evaluate(rightSide);
  }
  if (kind == BO_Assign) {
    // The right side first, as C++17 has it.
    const auto *member = dyn_cast<MemberExpr>(leftSide->IgnoreParens());
    bool isSize =
        member && isDim3(member->isArrow()
                             ? member->getBase()->getType()->getPointeeType()
                             : member->getBase()->getType());
    Datum value = isSize ? evaluateSize(rightSide) : evaluate(rightSide);
    Place place = locate(leftSide);
    if (!Options.assumptions.empty() && integerType(leftSide->getType()))
      assume(value, textOf(leftSide), leftSide->getType(),
             expression->getBeginLoc());
    value = inBits(std::move(value), leftSide->getSourceBitField());
    loseOtherMembers(leftSide);
    write(place, value);
    return value;
  }
  if (const auto *compound = dyn_cast<CompoundAssignOperator>(expression)) {
    QualType computation = compound->getComputationLHSType();
    // The right side first: it may change what the left side holds.
    Datum right = evaluate(rightSide);
    Place place = locate(leftSide);
    Datum before = read(place, leftSide->getType(), leftSide);
    CastKind widen =
        leftSide->getType()->isPointerType() ? CK_NoOp
        : computation->isFloatingType()
            ? (leftSide->getType()->isFloatingType() ? CK_FloatingCast
                                                     : CK_IntegralToFloating)
            : CK_IntegralCast;
    Datum left =
        castTo(before, widen, leftSide->getType(), computation, leftSide);
    Datum value = calculate(kind, left, right, computation, expression);
    CastKind narrow = leftSide->getType()->isPointerType()    ? CK_NoOp
                      : leftSide->getType()->isFloatingType() ? CK_FloatingCast
                      : computation->isFloatingType() ? CK_FloatingToIntegral
                                                      : CK_IntegralCast;
    value = castTo(value, narrow, computation, leftSide->getType(), expression);
    value = inBits(std::move(value), leftSide->getSourceBitField());
    loseOtherMembers(leftSide);
    write(place, value);
    return value;
  }
  if (kind == BO_LAnd || kind == BO_LOr) {
    Facts.followed.insert(expression);
    Datum left = evaluate(leftSide);
    std::optional<bool> truth = truthOf(left);
    if (truth && *truth == (kind == BO_LOr))
      return Datum::of(kind == BO_LOr);
    Datum right;
    Facts.followed.insert(rightSide);
    if (truth) {
      right = evaluate(rightSide);
      if (auto second = truthOf(right))
        return Datum::of(*second);
    } else {
      auto evaluated = [&] {
        learn(leftSide, kind == BO_LAnd);
        size_t temporaries = Temporaries.size();
        right = evaluate(rightSide);
        endTemporaries(temporaries);
        return Flow::Normal;
      };
      auto skipped = [] { return Flow::Normal; };
      if (rightSide->HasSideEffects(Context)) {
        branch({Conditions++}, {evaluated, skipped});
      } else {
        size_t facts = Learnt.size();
        evaluated();
        Learnt.resize(facts);
      }
      if (auto second = truthOf(right); second && *second == (kind == BO_LOr))
        return Datum::of(*second);
      if (auto second = truthOf(right))
        return left.isNumber()
                   ? left
                   : Datum::of(within(coreside::Value::unknown(""), 0, 1));
    }
    if (truth)
      return right.isNumber()
                 ? right
                 : Datum::of(
                       within(coreside::Value::unknown(right.text), 0, 1));
    std::string text = kind == BO_LAnd ? " && " : " || ";
    if (left.isNumber() && right.isNumber() &&
        left.number.kind == coreside::Value::Kind::Symbolic &&
        right.number.kind == coreside::Value::Kind::Symbolic &&
        left.number.text.size() + right.number.text.size() < 100) {
      coreside::Value both = coreside::Value::symbolic(
          "(" + left.number.text + ")" + text + "(" + right.number.text + ")",
          0, 1);
      both.formula = apply(kind == BO_LAnd ? coreside::Operation::And
                                           : coreside::Operation::Or,
                           left.number, right.number, {1, false})
                         .formula;
      return Datum::of(std::move(both));
    }
    return Datum::of(within(
        coreside::Value::unknown("'" + textOf(expression) + "' is not known"),
        0, 1));
  }
  Datum left = evaluate(leftSide);
  Datum right = evaluate(rightSide);
  if (kind == BO_Sub && left.isPointer() && right.isPointer()) {
    // How far apart two elements of one array are.
    Address a = left.pointer, b = right.pointer;
    int64_t from = 0, to = 0;
    auto index = [](Address &address, int64_t &at) {
      if (address.path.empty() || address.path.back()[0] != '[' ||
          llvm::StringRef(address.path.back())
              .drop_front()
              .drop_back()
              .getAsInteger(10, at))
        return false;
      address.path.pop_back();
      return true;
    };
    if (index(a, to) && index(b, from) && a == b)
      return Datum::of(to - from);
    return Datum::unknown("'" + textOf(expression) + "' is not known");
  }
  return calculate(kind, left, right, leftSide->getType(), expression);
}

Datum Interpreter::evaluateUnary(const UnaryOperator *expression) {
  const Expr *inner = expression->getSubExpr();
  switch (expression->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return evaluate(inner);
  case UO_Minus: {
    Datum datum = evaluate(inner);
    if (datum.kind == Datum::Kind::Real) {
      if (datum.real)
        datum.real = -*datum.real;
      else
        datum.text = "-" + datum.text;
      return datum;
    }
    if (auto integer = integerType(expression->getType())) {
      Datum result =
          Datum::of(negate(numberOf(datum, inner->getType(), inner), *integer));
      if (datum.sample)
        result.sample = -*datum.sample;
      return result;
    }
    return datum;
  }
  case UO_Not: {
    Datum datum = evaluate(inner);
    if (auto integer = integerType(expression->getType()))
      return Datum::of(
          complement(numberOf(datum, inner->getType(), inner), *integer));
    return datum;
  }
  case UO_LNot: {
    Datum datum = evaluate(inner);
    if (auto truth = truthOf(datum))
      return Datum::of(!*truth);
    return Datum::of(logicalNot(
        datum.isNumber() ? datum.number
                         : within(coreside::Value::unknown(datum.text), 0, 1)));
  }
  case UO_AddrOf: {
    const Expr *plain = inner->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(plain)) {
      if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
        return Datum::toFunction(function);
      if (isa<FieldDecl>(reference->getDecl()))
        return Datum::unknown("a pointer to a member");
    }
    return pointerTo(locate(inner));
  }
  case UO_Deref:
    if (inner->getType()->isFunctionPointerType())
      return evaluate(inner);
    return read(locate(expression), expression->getType(), expression);
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Place place = locate(inner);
    Datum before = read(place, inner->getType(), inner);
    QualType type = inner->getType();
    // Small integers are calculated as an int.
    bool isSmall = Context.isPromotableIntegerType(type);
    QualType computation =
        isSmall ? Context.getPromotedIntegerType(type) : type;
    Datum after = calculate(
        expression->isIncrementOp() ? BO_Add : BO_Sub,
        isSmall ? castTo(before, CK_IntegralCast, type, computation, inner)
                : before,
        Datum::of(1), computation, expression);
    if (isSmall)
      after = castTo(after, CK_IntegralCast, computation, type, expression);
    after = inBits(std::move(after), inner->getSourceBitField());
    loseOtherMembers(inner);
    write(place, after);
    return expression->isPrefix() ? after : before;
  }
  default:
    return evaluate(inner);
  }
}

Datum Interpreter::castTo(Datum datum, CastKind kind, QualType from,
                          QualType to, const Expr *expression) {
  switch (kind) {
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral: {
    auto source = integerType(from), target = integerType(to);
    if (!target)
      return Datum::unknown(datum.text);
    if (!source)
      source = target;
    Datum result =
        Datum::of(convert(numberOf(datum, from, expression), *source, *target));
    if (datum.sample)
      result.sample =
          convert(coreside::Value::known(*datum.sample), *source, *target)
              .number();
    return result;
  }
  case CK_IntegralToBoolean: {
    if (auto truth = truthOf(datum))
      return Datum::of(*truth);
    auto source = integerType(from).value_or(IntegerType{});
    Datum result = Datum::of(
        convert(numberOf(datum, from, expression), source, {1, false}));
    return result;
  }
  case CK_PointerToBoolean:
  case CK_FloatingToBoolean:
  case CK_MemberPointerToBoolean:
    if (auto truth = truthOf(datum))
      return Datum::of(*truth);
    return Datum::of(within(
        coreside::Value::unknown("'" + textOf(expression) + "' is not known"),
        0, 1));
  case CK_IntegralToFloating:
    if (auto number = datum.known()) {
      double value = static_cast<double>(*number);
      if (to->isSpecificBuiltinType(BuiltinType::Float))
        value = static_cast<float>(*number);
      return Datum::ofReal(value);
    } else {
      Datum result;
      result.kind = Datum::Kind::Real;
      result.text = datum.isNumber() &&
                            datum.number.kind == coreside::Value::Kind::Symbolic
                        ? datum.number.text
                        : textOf(expression);
      return result;
    }
  case CK_FloatingCast:
    if (datum.real && to->isSpecificBuiltinType(BuiltinType::Float))
      datum.real = static_cast<float>(*datum.real);
    return datum;
  case CK_FloatingToIntegral: {
    auto target = integerType(to);
    if (!target)
      return Datum::unknown(datum.text);
    if (datum.real && std::isfinite(*datum.real)) {
      double whole = std::trunc(*datum.real);
      if (whole >= static_cast<double>(target->lowest()) &&
          whole <= static_cast<double>(target->highest()) &&
          std::abs(whole) < 9.0e18)
        return Datum::of(static_cast<int64_t>(whole));
      return Datum::of(within(coreside::Value::unknown("out of range"),
                              target->lowest(), target->highest()));
    }
    std::string text = datum.kind == Datum::Kind::Real ? datum.text : "";
    if (text.empty())
      text = textOf(expression);
    if (text.empty())
      return Datum::unknown(datum.text);
    return symbol(text, to, /*stable=*/false);
  }
  case CK_NullToPointer:
    return Datum::null();
  case CK_IntegralToPointer:
    if (auto number = datum.known(); number && *number == 0)
      return Datum::null();
    // (cudaStream_t)1 stays a number: streamOf knows it.
    return datum;
  default:
    return datum;
  }
}

Datum Interpreter::evaluateCast(const CastExpr *expression) {
  const Expr *inner = expression->getSubExpr();
  switch (expression->getCastKind()) {
  case CK_LValueToRValue: {
    const Expr *plain = inner->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(plain)) {
      if (isa<EnumConstantDecl>(reference->getDecl()))
        if (auto constant = constantOf(inner))
          return *constant;
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
          variable &&
          (variable->isConstexpr() || !variable->hasLocalStorage()) &&
          variable->getType().isConstQualified() &&
          integerType(variable->getType()))
        if (auto constant = constantOf(expression))
          return *constant;
    }
    if (isa<CallExpr>(plain) || isa<AbstractConditionalOperator>(plain) ||
        isa<BinaryOperator>(plain) ||
        (isa<UnaryOperator>(plain) &&
         cast<UnaryOperator>(plain)->getOpcode() != UO_Deref)) {
      if (isa<BinaryOperator>(plain) || isa<UnaryOperator>(plain))
        return evaluate(plain);
      if (const auto *conditional =
              dyn_cast<AbstractConditionalOperator>(plain))
        return evaluateConditional(conditional);
    }
    return read(locate(inner), expression->getType(), inner);
  }
  case CK_ArrayToPointerDecay: {
    Place place = locate(inner);
    if (place.known())
      return Datum::to(place.address.part("[0]"));
    return pointerTo(place);
  }
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr: {
    const Expr *plain = inner->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(plain))
      if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
        return Datum::toFunction(function);
    if (const auto *conditional = dyn_cast<AbstractConditionalOperator>(plain))
      return evaluateConditional(conditional);
    return evaluate(inner);
  }
  case CK_ConstructorConversion:
    return evaluate(inner);
  case CK_ToVoid:
    discard(inner);
    return Datum::unknown("void");
  default:
    break;
  }
  if (expression->isGLValue()) {
    Place place = locate(expression);
    return read(place, expression->getType(), expression);
  }
  Datum datum = evaluate(inner);
  return castTo(std::move(datum), expression->getCastKind(), inner->getType(),
                expression->getType(), inner);
}

} // namespace coreside
