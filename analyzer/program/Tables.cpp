// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   an element of an array, which one is not known.
// Out:  what all elements that it may be have in common.
//
//   const int threads[] = {64, 128, 256};
//   step<<<grid, threads[size]>>>();          64 to 256
//
// Only arrays that never change, and of which every element is known: one that
// is not leaves nothing to say. An index outside of the array is an error of
// the program.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace coreside {

/// Longer tables hold data, not sizes, and what stands further behind in an
/// array is not kept.
constexpr int64_t longestTable = 64;

/// Whether objects of `type` hold numbers and nothing else: of two streams or
/// pointers nothing is left when they are joined.
static bool holdsNumbers(QualType type, const ASTContext &context,
                         unsigned depth = 0) {
  if (const auto *array = context.getAsConstantArrayType(type))
    return holdsNumbers(array->getElementType(), context, depth);
  if (type->isArithmeticType() || type->isEnumeralType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isUnion() &&
         !record->getNumBases() && !record->hasMutableFields() && depth < 4 &&
         llvm::all_of(
             record->fields(),
             [&](const FieldDecl *field) {
               return holdsNumbers(field->getType(), context, depth + 1);
             });
}

/// How many elements an array of `type` has.
static std::optional<int64_t> lengthOf(QualType type,
                                       const ASTContext &context) {
  if (const auto *array = context.getAsConstantArrayType(type))
    return array->getSize().getLimitedValue();
  const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (record && record->isInStdNamespace() && record->getIdentifier() &&
      record->getName() == "array")
    return record->getTemplateArgs()[1].getAsIntegral().getLimitedValue();
  return std::nullopt;
}

static bool isVector(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         record->getName() == "vector";
}

/// The array and the index of `array[index]`, also of a std::array
/// or a std::vector.
static std::pair<const Expr *, const Expr *>
subscriptOf(const Expr *expression) {
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
    if (const auto *decay =
            dyn_cast<ImplicitCastExpr>(subscript->getBase()->IgnoreParens());
        decay && decay->getCastKind() == CK_ArrayToPointerDecay)
      return {decay->getSubExpr()->IgnoreParens(), subscript->getIdx()};
  } else if (const auto *call = dyn_cast<CXXOperatorCallExpr>(expression);
             call && call->getOperator() == OO_Subscript &&
             call->getNumArgs() == 2) {
    return {call->getArg(0)->IgnoreParenImpCasts(), call->getArg(1)};
  }
  return {nullptr, nullptr};
}

/// Whether what `expression` names is, or stands in, a variable that never
/// changes. Of others a reference or a pointer to an element that is not known
/// may have changed any, and nobody noted it.
bool Interpreter::isTable(const Expr *expression) const {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    if (auto [array, index] = subscriptOf(expression); array) {
      expression = array;
    } else if (const auto *member = dyn_cast<MemberExpr>(expression);
               member && !member->isArrow() &&
               isa<FieldDecl>(member->getMemberDecl())) {
      expression = member->getBase();
    } else {
      break;
    }
  }
  const ValueDecl *named = nullptr;
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    named = reference->getDecl();
  else if (const auto *member = dyn_cast<MemberExpr>(expression))
    named = member->getMemberDecl();
  const auto *variable = dyn_cast_or_null<VarDecl>(named);
  if (!variable || variable->getType()->isReferenceType())
    return false;
  return Context.getBaseElementType(variable->getType()).isConstQualified() ||
         (variable->hasGlobalStorage() &&
          !variable->hasExternalFormalLinkage() &&
          !Facts.stored.contains(variable->getCanonicalDecl()));
}

/// All places that `expression` may name; none where that cannot be told, and
/// one where no index on the way is open.
std::vector<Address> Interpreter::placesOf(const Expr *expression) {
  expression = expression->IgnoreParens();
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(expression);
      cast && cast->getCastKind() == CK_NoOp)
    return placesOf(cast->getSubExpr());
  std::vector<Address> result;
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        field && !member->isArrow() && !field->getType()->isReferenceType()) {
      for (Address &base : placesOf(member->getBase()))
        result.push_back(
            partOf({std::move(base), false, {}, {}}, field).address);
      return result;
    }
  }
  if (auto [array, index] = subscriptOf(expression); array) {
    QualType type = array->getType().getNonReferenceType();
    std::optional<int64_t> fixed = lengthOf(type, Context);
    if ((!fixed && !isVector(type)) || index->HasSideEffects(Context))
      return {};
    Datum at = evaluate(index);
    if (!at.isNumber())
      return {};
    for (const Address &base : placesOf(array)) {
      std::optional<int64_t> length = fixed ? fixed : sizeOf(base);
      if (!length || *length > longestTable)
        return {};
      const int64_t first = std::max<int64_t>(at.number.low, 0);
      const int64_t last = std::min<int64_t>(at.number.high, *length - 1);
      for (int64_t i = first; i <= last; ++i)
        result.push_back(base.part("[" + std::to_string(i) + "]"));
    }
    return result.size() > longestTable ? std::vector<Address>() : result;
  }
  if (!expression->isGLValue() || expression->HasSideEffects(Context))
    return {};
  if (Place place = locate(expression); place.known() && !place.sampled)
    result.push_back(place.address);
  return result;
}

/// Calls the numbers in what was joined by a name, so that what is calculated
/// from them reads as the source does.
static std::shared_ptr<const Node>
named(const std::shared_ptr<const Node> &node, const std::string &name,
      llvm::function_ref<Datum(const std::string &)> symbol) {
  auto result = std::make_shared<Node>(*node);
  if (result->datum && result->datum->isNumber() && !result->datum->known()) {
    Datum datum = symbol(name);
    datum.number = within(datum.number, result->datum->number.low,
                          result->datum->number.high);
    result->datum = datum;
  }
  for (auto &[part, below] : result->parts)
    if (below)
      below = named(below, name + part, symbol);
  return result;
}

/// A place that holds what all elements that `expression` may name have in
/// common; nothing where it is one, or where nothing is known of one of them.
std::optional<Address> Interpreter::anyInTable(const Expr *expression) {
  if (!expression || expression->isValueDependent() ||
      !holdsNumbers(expression->getType().getNonReferenceType(), Context) ||
      !isTable(expression))
    return std::nullopt;
  const std::vector<Address> places = placesOf(expression);
  if (places.size() < 2)
    return std::nullopt;
  std::shared_ptr<const Node> joined;
  for (const Address &place : places) {
    const Memory::Object &object = Store.object(place.object);
    const Node *loss = nullptr;
    auto node = Store.find(place, &loss);
    if (!node || loss || object.external || object.shared)
      return std::nullopt;
    joined = joined ? joinTrees(joined, node) : node;
  }
  std::string name = textOf(expression);
  if (name.empty())
    name = "element";
  Address result{Store.create(name), {}};
  Store.initialise(result.object, named(joined, name, [&](const auto &text) {
                     return symbol(text, {}, /*stable=*/false);
                   }));
  return result;
}

} // namespace coreside
