// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   initialisers and constructors.
// Out:  objects in memory.

#include "Formula.h"
#include "Interpreter.h"

#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace coreside {

/// How many elements of an array are followed.
static uint64_t elementsOf(const ConstantArrayType *array) {
  return std::min<uint64_t>(array->getSize().getZExtValue(), 1024);
}

/// Whether each element that `initialiser` makes is the same, and nothing else
/// comes of it: it stores nowhere and does not ask which element it is.
static bool makesTheSame(const Stmt *initialiser, const ASTContext &context) {
  if (!initialiser)
    return true;
  if (isa<CXXThisExpr, CallExpr, ArrayInitIndexExpr, MaterializeTemporaryExpr>(
          initialiser))
    return false;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(initialiser);
      construction && !construction->getConstructor()->isTrivial())
    return false;
  if (const auto *expression = dyn_cast<Expr>(initialiser);
      expression && expression->HasSideEffects(context))
    return false;
  if (const auto *defaulted = dyn_cast<CXXDefaultInitExpr>(initialiser))
    return makesTheSame(defaulted->getExpr(), context);
  return llvm::all_of(initialiser->children(), [&](const Stmt *child) {
    return makesTheSame(child, context);
  });
}

/// The elements from `first` on, all with the same initialiser; null for zeros.
/// One of them is made and stands for the others: tables of hundreds of slots
/// are common, and mostly empty.
void Interpreter::fillArray(const Address &address,
                            const ConstantArrayType *array, uint64_t first,
                            const Expr *filler) {
  auto make = [&](uint64_t index) {
    Address element = address.part("[" + std::to_string(index) + "]");
    if (filler)
      this->initialise(element, array->getElementType(), filler);
    else
      zero(element, array->getElementType());
  };
  const uint64_t count = elementsOf(array);
  // Far in an array numbers are not kept: see writeAddress.
  const bool isRecord = array->getElementType()->isRecordType();
  const bool shared = isRecord && (!filler || makesTheSame(filler, Context)) &&
                      !(Dry && isOlder(address.object)) &&
                      !Store.object(address.object).shared;
  if (!shared || first + 1 >= count) {
    for (uint64_t i = first; i < count; ++i)
      make(i);
    return;
  }
  make(first);
  auto one = Store.find(address.part("[" + std::to_string(first) + "]"));
  auto whole = Store.find(address);
  if (!one || !whole)
    return;
  auto filled = std::make_shared<Node>(*whole);
  for (uint64_t i = first + 1; i < count; ++i)
    filled->parts["[" + std::to_string(i) + "]"] = one;
  Store.storeNode(address, filled);
}

/// Stores the value of `initialiser` at `address`.
void Interpreter::initialise(const Address &address, QualType type,
                             const Expr *initialiser) {
  if (!initialiser || !address.object)
    return;
  if (const auto *full = dyn_cast<ExprWithCleanups>(initialiser)) {
    size_t temporaries = Temporaries.size();
    this->initialise(address, type, full->getSubExpr());
    endTemporaries(temporaries);
    return;
  }
  if (type->isReferenceType() && !type->getPointeeType()->isFunctionType()) {
    Place place = locate(initialiser);
    return writeAddress(
        address, Datum::to(addressOrStandIn(place, textOf(initialiser))));
  }
  const Expr *inner = initialiser;
  for (;;) {
    if (const auto *wrapped = dyn_cast<FullExpr>(inner))
      inner = wrapped->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto *defaulted = dyn_cast<CXXDefaultInitExpr>(inner))
      inner = defaulted->getExpr();
    else if (const auto *defaulted = dyn_cast<CXXDefaultArgExpr>(inner))
      inner = defaulted->getExpr();
    else if (const auto *functional = dyn_cast<CXXFunctionalCastExpr>(inner);
             functional &&
             (functional->getCastKind() == CK_NoOp ||
              functional->getCastKind() == CK_ConstructorConversion))
      inner = functional->getSubExpr();
    else if (const auto *cast = dyn_cast<ImplicitCastExpr>(inner);
             cast && cast->getType()->isRecordType() &&
             (cast->getCastKind() == CK_NoOp ||
              cast->getCastKind() == CK_ConstructorConversion))
      inner = cast->getSubExpr();
    else if (const auto *paren = dyn_cast<ParenExpr>(inner))
      inner = paren->getSubExpr();
    else
      break;
  }
  if (const auto *construction = dyn_cast<CXXConstructExpr>(inner)) {
    if (const auto *array = Context.getAsConstantArrayType(type)) {
      for (uint64_t i = 0; i < elementsOf(array); ++i)
        this->initialise(address.part("[" + std::to_string(i) + "]"),
                         array->getElementType(), construction);
      return;
    }
    if (!type->isArrayType())
      construct(address, construction);
    return;
  }
  if (const auto *copy = dyn_cast<ArrayInitLoopExpr>(inner)) {
    Place from = locate(copy->getCommonExpr()->getSourceExpr());
    if (from.known())
      writeAddress(address, readAddress(from.address, type));
    return;
  }
  if (isa<ImplicitValueInitExpr>(inner) || isa<CXXScalarValueInitExpr>(inner))
    return zero(address, type);
  if (const auto *list = dyn_cast<InitListExpr>(inner)) {
    if (const InitListExpr *semantic =
            list->isSemanticForm() ? list : list->getSemanticForm())
      list = semantic;
    if (const auto *array = Context.getAsConstantArrayType(type)) {
      const uint64_t written =
          std::min<uint64_t>(list->getNumInits(), elementsOf(array));
      for (uint64_t i = 0; i < written; ++i)
        this->initialise(address.part("[" + std::to_string(i) + "]"),
                         array->getElementType(), list->getInit(i));
      fillArray(address, array, written,
                list->hasArrayFiller() ? list->getArrayFiller() : nullptr);
      return;
    }
    if (const auto *record = type->getAsCXXRecordDecl()) {
      if (record->isUnion()) {
        const FieldDecl *field = list->getInitializedFieldInUnion();
        // Zeros for a member as large as the union are zeros for all.
        if (field &&
            (!list->getNumInits() ||
             isa<ImplicitValueInitExpr>(list->getInit(0))) &&
            Context.getTypeSize(field->getType()) == Context.getTypeSize(type))
          return zero(address, type);
        if (field && list->getNumInits())
          initialiseMember(address, field, list->getInit(0));
        return;
      }
      unsigned at = 0;
      for (const CXXBaseSpecifier &base : record->bases())
        if (at < list->getNumInits())
          initialiseBase(address, base.getType(), list->getInit(at++));
      for (const FieldDecl *field : record->fields()) {
        if (field->isUnnamedBitField())
          continue;
        if (at == list->getNumInits()) {
          zero(partOf({address, false, {}, {}}, field).address,
               field->getType());
          continue;
        }
        const Expr *value = list->getInit(at++);
        // int second = first + 1; asks the object that is made.
        if (!isa<CXXDefaultInitExpr>(value) || Frames.empty()) {
          initialiseMember(address, field, value);
          continue;
        }
        const Address outer = Frames.back().thisObject;
        Frames.back().thisObject = address;
        initialiseMember(address, field, value);
        Frames.back().thisObject = outer;
      }
      return;
    }
    if (list->getNumInits() == 1)
      return this->initialise(address, type, list->getInit(0));
    return zero(address, type);
  }
  writeAddress(address, evaluate(inner));
}

void Interpreter::initialiseMember(const Address &object,
                                   const FieldDecl *field,
                                   const Expr *initialiser) {
  Address member = partOf({object, false, {}, {}}, field).address;
  this->initialise(member, field->getType(), initialiser);
  if (field->isBitField())
    writeAddress(member, inBits(readAddress(member, field->getType()), field));
}

/// The part of an object that is a base class: its members stand beside those
/// of the class and of other bases.
void Interpreter::initialiseBase(const Address &address, QualType type,
                                 const Expr *initialiser) {
  auto before = Store.find(address);
  this->initialise(address, type, initialiser);
  auto after = Store.find(address);
  if (!before || before == after || !after)
    return;
  auto both = std::make_shared<Node>(*after);
  both->parts.insert(before->parts.begin(), before->parts.end());
  if (!both->datum)
    both->datum = before->datum;
  Store.storeNode(address, both);
}

/// What a constructor, whose frame is the innermost, does before its body.
void Interpreter::initialiseMembers(const CXXConstructorDecl *constructor) {
  for (const CXXCtorInitializer *initialiser : constructor->inits()) {
    const Address object = Frames.back().thisObject;
    const Expr *value = initialiser->getInit();
    if (initialiser->isAnyMemberInitializer()) {
      initialiseMember(object, initialiser->getAnyMember(), value);
    } else if (const auto *inherited = dyn_cast<CXXInheritedCtorInitExpr>(
                   value->IgnoreImplicit())) {
      // using Base::Base; the base gets the arguments as they came.
      llvm::SmallVector<const Expr *> arguments;
      for (const ParmVarDecl *parameter : constructor->parameters())
        arguments.push_back(
            standFor(parameter->getType(), variableAddress(parameter)));
      callFunction(inherited->getConstructor(), arguments, object, {}, value);
    } else if (initialiser->isBaseInitializer()) {
      initialiseBase(object, QualType(initialiser->getBaseClass(), 0), value);
    } else if (initialiser->isDelegatingInitializer()) {
      this->initialise(object, value->getType(), value);
    }
  }
}

/// A number that becomes a member of a dim3. These are unsigned, but a negative
/// one is no size: the range before the conversion says more than after.
Datum Interpreter::evaluateSize(const Expr *expression) {
  const auto *cast = dyn_cast<ImplicitCastExpr>(expression);
  if (!cast || cast->getCastKind() != CK_IntegralCast)
    return evaluate(expression);
  Datum before = evaluate(cast->getSubExpr());
  if (before.isNumber() && !before.known()) {
    before.number = within(before.number, 0, 4294967295);
    // Nor is one that was made unsigned on the way here.
    llvm::StringRef formula = before.number.formula;
    if (formula.consume_back(" to:i32:u64") ||
        formula.consume_back(" to:i32:u32"))
      if (auto played = evaluateFormula(
              formula, [](const FormulaName &) { return std::nullopt; });
          played && played->high >= before.number.low)
        before.number = within(before.number, 0, played->high);
    return before;
  }
  return castTo(std::move(before), CK_IntegralCast,
                cast->getSubExpr()->getType(), cast->getType(),
                cast->getSubExpr());
}

void Interpreter::construct(const Address &address,
                            const CXXConstructExpr *expression) {
  const CXXConstructorDecl *constructor = expression->getConstructor();
  // Of an array of objects it is the array's.
  QualType type = Context.getBaseElementType(expression->getType());
  llvm::ArrayRef<const Expr *> arguments(expression->getArgs(),
                                         expression->getNumArgs());
  if (isDim3(type) && !(constructor->isCopyOrMoveConstructor())) {
    static const char *const names[] = {".x", ".y", ".z"};
    if (arguments.size() == 1 && arguments[0]->getType()->isRecordType()) {
      Datum from = evaluate(arguments[0]);
      writeAddress(address, from);
      return;
    }
    for (unsigned i = 0; i < 3; ++i) {
      Datum datum = Datum::of(1);
      if (i < arguments.size()) {
        const Expr *argument = arguments[i];
        if (const auto *defaulted = dyn_cast<CXXDefaultArgExpr>(argument))
          argument = defaulted->getExpr();
        datum = evaluateSize(argument);
        if (!datum.isNumber())
          datum = Datum::of(numberOf(datum, argument->getType(), argument));
      }
      writeAddress(address.part(names[i]), datum);
    }
    return;
  }
  if (constructor->isCopyOrMoveConstructor() && arguments.size() >= 1 &&
      (constructor->isTrivial() || constructor->isDefaulted() ||
       Context.getSourceManager().isInSystemHeader(
           constructor->getLocation()))) {
    Place from = locate(arguments[0]);
    if (from.known()) {
      copyObject(address, from.address, type, constructor->isMoveConstructor(),
                 expression);
    } else {
      writeAddress(address, resultOfUnknown(type, from.why));
    }
    return;
  }
  if (constructContainer(address, expression))
    return;
  if (libraryConstruct(address, expression))
    return;
  if (expression->requiresZeroInitialization())
    zero(address, type);
  const FunctionDecl *definition = nullptr;
  if (constructor->isDefaultConstructor() &&
      (constructor->isTrivial() ||
       (constructor->isDefaulted() && !constructor->hasBody(definition))))
    return;
  definition = readDefinition(constructor);
  if (definition &&
      !Context.getSourceManager().isInSystemHeader(definition->getLocation())) {
    callFunction(constructor, arguments, address, {}, expression);
    return;
  }
  unknownCall(constructor, arguments, address, expression);
  loseAddress(address, "made by '" + nameOf(*constructor) + "'");
}

Address Interpreter::temporaryObject(const Expr *expression) {
  Address address{Store.create("temporary"), {}};
  Store.setType(address.object, expression->getType()->getAsCXXRecordDecl());
  initialise(address, expression->getType(), expression);
  return address;
}

Datum Interpreter::temporary(const Expr *expression) {
  return readAddress(temporaryObject(expression), expression->getType());
}

} // namespace coreside
