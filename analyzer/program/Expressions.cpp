// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   expressions.
// Out:  what they yield (Datum).

#include "Interpreter.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {

std::optional<Datum> Interpreter::fromConstant(const APValue &value,
                                               QualType type) {
  switch (value.getKind()) {
  case APValue::Int:
    if (value.getInt().isRepresentableByInt64())
      return Datum::of(value.getInt().getExtValue());
    return Datum::of(coreside::Value::unknown("larger than 2^63"));
  case APValue::Float: {
    llvm::APFloat number = value.getFloat();
    bool inexact;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
    return Datum::ofReal(number.convertToDouble());
  }
  case APValue::Struct: {
    const auto *record = type->getAsCXXRecordDecl();
    if (!record || value.getStructNumBases())
      return std::nullopt;
    auto node = std::make_shared<Node>();
    unsigned at = 0;
    for (const FieldDecl *field : record->fields()) {
      auto part = fromConstant(value.getStructField(at++), field->getType());
      if (!part || field->getName().empty() || field->getName() == "_M_elems")
        return std::nullopt;
      if (part->kind == Datum::Kind::Record) {
        node->parts[partName(field)] = part->record;
      } else {
        auto cell = std::make_shared<Node>();
        cell->datum = *part;
        node->parts[partName(field)] = cell;
      }
    }
    Datum datum;
    datum.kind = Datum::Kind::Record;
    datum.record = node;
    return datum;
  }
  case APValue::LValue:
    if (value.isNullPointer())
      return Datum::null();
    if (const auto *declaration =
            value.getLValueBase().dyn_cast<const ValueDecl *>())
      if (const auto *function = dyn_cast<FunctionDecl>(declaration))
        return Datum::toFunction(function);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The value of a constant expression, where clang's own evaluator has one.
std::optional<Datum> Interpreter::constantOf(const Expr *expression) {
  if (expression->isValueDependent() || expression->isTypeDependent() ||
      expression->containsErrors())
    return std::nullopt;
  Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, Context) || result.HasSideEffects)
    return std::nullopt;
  return fromConstant(result.Val, expression->getType());
}

Datum Interpreter::evaluate(const Expr *expression) {
  if (!expression)
    return Datum::unknown("missing");
  if (++Evaluations > evaluationLimit && !Stopped)
    stop("more than " + std::to_string(evaluationLimit / 1000000) +
         " million expressions");
  if (Stopped)
    return Datum::unknown("not read any more");
  if (expression->isTypeDependent() || expression->isValueDependent()) {
    // Left over by an error, or by a template that is not instantiated.
    if (isa<RecoveryExpr>(expression)) {
      for (const Stmt *child : expression->children())
        if (const auto *inner = dyn_cast_or_null<Expr>(child)) {
          // A call, perhaps, that stores to what it is handed.
          const std::string why = "handed to what could not be parsed";
          if (Datum datum = evaluate(inner); datum.isPointer())
            loseReachable(datum, why);
          if (inner->isGLValue() && !inner->getType().isConstQualified() &&
              integerType(inner->getType()))
            if (Place place = locate(inner); place.known())
              loseReference(place.address, why, false, Reference());
        }
      return Datum::unknown("could not be parsed");
    }
    if (!isa<CUDAKernelCallExpr, InitListExpr, ImplicitCastExpr, ParenExpr,
             ExprWithCleanups>(expression)) {
      for (const Stmt *child : expression->children())
        if (const auto *inner = dyn_cast_or_null<Expr>(child))
          if (inner->isInstantiationDependent() || isa<CallExpr>(inner))
            evaluate(inner);
      return Datum::unknown("depends on what could not be parsed");
    }
  }
  Datum datum = evaluateUncounted(expression);
  // Every number has the range of its type.
  if (datum.isUnknown() && expression->isPRValue())
    if (auto integer = integerType(expression->getType()))
      return Datum::of(numberOf(datum, expression->getType(), expression));
  return datum;
}

Datum Interpreter::evaluateUncounted(const Expr *expression) {
  if (expression->isGLValue() && !isa<CallExpr>(expression) &&
      !isa<BinaryOperator>(expression) && !isa<UnaryOperator>(expression) &&
      !isa<AbstractConditionalOperator>(expression) &&
      // (wide ? one : other)<<<...>>>
      !(expression->getType()->isFunctionType() &&
        isa<AbstractConditionalOperator>(expression->IgnoreParens()))) {
    if (const auto *reference =
            dyn_cast<DeclRefExpr>(expression->IgnoreParens()))
      if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
        return Datum::toFunction(function);
    return read(locate(expression), expression->getType(), expression);
  }
  switch (expression->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::ConceptSpecializationExprClass:
    if (auto datum = constantOf(expression))
      return *datum;
    return Datum::unknown("'" + textOf(expression) + "' is not a constant");
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
    return Datum::null();
  case Stmt::CXXThisExprClass:
    if (Frames.back().thisObject.object)
      return Datum::to(Frames.back().thisObject);
    return Datum::unknown("this");
  case Stmt::ParenExprClass:
    return evaluate(cast<ParenExpr>(expression)->getSubExpr());
  case Stmt::ConstantExprClass:
    return evaluate(cast<FullExpr>(expression)->getSubExpr());
  case Stmt::ExprWithCleanupsClass: {
    size_t temporaries = Temporaries.size();
    Datum datum = evaluate(cast<FullExpr>(expression)->getSubExpr());
    endTemporaries(temporaries);
    return datum;
  }
  case Stmt::CXXBindTemporaryExprClass:
    return evaluate(cast<CXXBindTemporaryExpr>(expression)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return evaluate(cast<MaterializeTemporaryExpr>(expression)->getSubExpr());
  case Stmt::CXXDefaultArgExprClass:
    return evaluate(cast<CXXDefaultArgExpr>(expression)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return evaluate(cast<CXXDefaultInitExpr>(expression)->getExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return evaluate(
        cast<SubstNonTypeTemplateParmExpr>(expression)->getReplacement());
  case Stmt::OpaqueValueExprClass:
    if (auto at = OpaqueValues.find(expression); at != OpaqueValues.end())
      return at->second;
    return evaluate(cast<OpaqueValueExpr>(expression)->getSourceExpr());
  case Stmt::GenericSelectionExprClass:
    return evaluate(cast<GenericSelectionExpr>(expression)->getResultExpr());
  case Stmt::ChooseExprClass:
    return evaluate(cast<ChooseExpr>(expression)->getChosenSubExpr());
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::InitListExprClass:
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return temporary(expression);
  case Stmt::CXXStdInitializerListExprClass: {
    const auto *list = cast<CXXStdInitializerListExpr>(expression);
    Address array = temporaryObject(list->getSubExpr());
    if (const auto *type = Context.getAsConstantArrayType(
            list->getSubExpr()->getType().getNonReferenceType()))
      Store.store(array.part(".size"),
                  Datum::of(type->getSize().getSExtValue()));
    Datum datum;
    datum.kind = Datum::Kind::Record;
    datum.record = Store.find(array);
    return datum;
  }
  case Stmt::CUDAKernelCallExprClass:
    launch(cast<CUDAKernelCallExpr>(expression));
    return Datum::unknown("a launch returns nothing");
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    return evaluateCall(cast<CallExpr>(expression));
  case Stmt::LambdaExprClass:
    return evaluateLambda(cast<LambdaExpr>(expression));
  case Stmt::CoawaitExprClass:
  case Stmt::CoyieldExprClass:
    return evaluateSuspend(cast<CoroutineSuspendExpr>(expression));
  case Stmt::CXXNewExprClass:
    return evaluateNew(cast<CXXNewExpr>(expression));
  case Stmt::CXXDeleteExprClass: {
    const auto *deletion = cast<CXXDeleteExpr>(expression);
    Datum pointer = evaluate(deletion->getArgument());
    QualType type = deletion->getDestroyedType();
    if (deletion->isArrayForm() && !type.isNull())
      type = Context.getIncompleteArrayType(type, ArraySizeModifier::Normal, 0);
    endPointee(pointer, type);
    return Datum::unknown("nothing");
  }
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return evaluateConditional(cast<AbstractConditionalOperator>(expression));
  case Stmt::StmtExprClass: {
    // ({ ...; value; })
    const CompoundStmt *body = cast<StmtExpr>(expression)->getSubStmt();
    Datum last = Datum::unknown("nothing");
    for (const Stmt *statement : body->body()) {
      if (const auto *value = dyn_cast<Expr>(statement)) {
        last = evaluate(value);
      } else if (execute(statement) != Flow::Normal) {
        Dead = true;
        break;
      }
    }
    return last;
  }
  case Stmt::CXXThrowExprClass:
    unwind();
    Dead = true;
    return Datum::unknown("throws");
  case Stmt::StringLiteralClass:
    return Datum::to({Store.create("text"), {"[0]"}});
  default:
    break;
  }
  if (const auto *cast = dyn_cast<CastExpr>(expression))
    return evaluateCast(cast);
  if (const auto *binary = dyn_cast<BinaryOperator>(expression))
    return evaluateBinary(binary);
  if (const auto *unary = dyn_cast<UnaryOperator>(expression))
    return evaluateUnary(unary);
  if (expression->isGLValue())
    return read(locate(expression), expression->getType(), expression);
  if (auto constant = constantOf(expression))
    return *constant;
  // Something rare: its parts may still launch.
  for (const Stmt *child : expression->children())
    if (const auto *inner = dyn_cast_or_null<Expr>(child))
      evaluate(inner);
  std::string text = textOf(expression);
  return Datum::unknown(text.empty() ? "not followed"
                                     : "'" + text + "' is not followed");
}

} // namespace coreside
