// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   objects whose scope or owner ends, and smart pointers.
// Out:  what their destructors and deleters do.
//
// A smart pointer is a structure with a part ".pointer", null once what it owns
// was moved on, and perhaps ".deleter". One whose object has, or had, a second
// owner has ".shared": which of the two is the last is not followed.

#include "Lifetimes.h"

#include "Interpreter.h"
#include "ReadBody.h"

#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

LibraryClass libraryClassOf(const CXXRecordDecl *record) {
  if (!record || !record->getIdentifier() || !record->isInStdNamespace())
    return LibraryClass::Other;
  return llvm::StringSwitch<LibraryClass>(record->getName())
      .Cases({"vector", "array", "initializer_list", "deque"},
             LibraryClass::Container)
      .Case("unique_ptr", LibraryClass::UniquePointer)
      .Cases({"shared_ptr", "__shared_ptr", "__shared_ptr_access"},
             LibraryClass::SharedPointer)
      .Case("jthread", LibraryClass::JoiningThread)
      .Case("optional", LibraryClass::Optional)
      .Cases({"pair", "tuple"}, LibraryClass::Product)
      .Default(LibraryClass::Other);
}

llvm::SmallVector<QualType> productTypes(const CXXRecordDecl *record) {
  llvm::SmallVector<QualType> types;
  if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record))
    for (const TemplateArgument &one : made->getTemplateArgs().asArray())
      for (const TemplateArgument &inner :
           one.getKind() == TemplateArgument::Pack ? one.pack_elements()
                                                   : llvm::ArrayRef(one))
        if (inner.getKind() == TemplateArgument::Type)
          types.push_back(inner.getAsType());
  return types;
}

std::string productPart(const CXXRecordDecl *record, unsigned number) {
  if (record->getName() == "pair")
    return number ? ".second" : ".first";
  return "[" + std::to_string(number) + "]";
}

QualType typeArgument(const CXXRecordDecl *record, unsigned number) {
  const auto *specialisation =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!specialisation || specialisation->getTemplateArgs().size() <= number)
    return {};
  const TemplateArgument &argument = specialisation->getTemplateArgs()[number];
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType()
                                                      : QualType();
}

const CXXMethodDecl *callOperatorOf(const CXXRecordDecl *record) {
  if (!record || !record->hasDefinition())
    return nullptr;
  const CXXMethodDecl *only = nullptr;
  for (const CXXMethodDecl *method : record->methods())
    if (method->getOverloadedOperator() == OO_Call) {
      if (only)
        return nullptr;
      only = method;
    }
  return only;
}

bool isMakeOwner(const FunctionDecl *function) {
  if (!function || !function->isInStdNamespace() || !function->getIdentifier())
    return false;
  const TemplateArgumentList *list = function->getTemplateSpecializationArgs();
  return (function->getName() == "make_unique" ||
          function->getName() == "make_shared") &&
         list && list->size() &&
         list->get(0).getKind() == TemplateArgument::Type;
}

/// std::default_delete
static bool isDefaultDelete(const CXXRecordDecl *record) {
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         record->getName() == "default_delete";
}

static QualType elementOrSelf(QualType type) {
  while (const ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  return type;
}

namespace {

class EndWalk {
public:
  explicit EndWalk(llvm::function_ref<void(const FunctionDecl *)> use)
      : Use(use) {}

  void walk(QualType type) {
    if (type.isNull() || type->isDependentType())
      return;
    const CXXRecordDecl *record = elementOrSelf(type)->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition())
      return;
    record = record->getDefinition();
    if (!Seen.insert(record).second)
      return;
    switch (libraryClassOf(record)) {
    case LibraryClass::UniquePointer: {
      QualType deleter = typeArgument(record, 1);
      const CXXRecordDecl *functor =
          deleter.isNull() ? nullptr : deleter->getAsCXXRecordDecl();
      if (isDefaultDelete(functor))
        walk(typeArgument(record, 0));
      else if (const CXXMethodDecl *method = callOperatorOf(functor))
        Use(method);
      else
        Use(nullptr);
      return;
    }
    case LibraryClass::SharedPointer: {
      QualType owned = typeArgument(record, 0);
      // What is no object of a class is in a shared_ptr because of its deleter.
      if (!owned.isNull() && owned->isRecordType())
        walk(owned);
      else
        Use(nullptr);
      return;
    }
    case LibraryClass::Container:
      walk(typeArgument(record, 0));
      return;
    case LibraryClass::JoiningThread:
      Use(nullptr);
      return;
    case LibraryClass::Product:
      for (QualType one : productTypes(record))
        walk(one);
      return;
    case LibraryClass::Optional:
      walk(typeArgument(record, 0));
      return;
    case LibraryClass::Other:
      break;
    }
    if (record->isInStdNamespace()) {
      // std::map, std::variant ...
      for (unsigned i = 0; i != 2; ++i)
        walk(typeArgument(record, i));
      return;
    }
    if (const CXXDestructorDecl *destructor = record->getDestructor();
        destructor && !destructor->isDefaulted())
      Use(destructor);
    for (const FieldDecl *field : record->fields())
      walk(field->getType());
    for (const CXXBaseSpecifier &base : record->bases())
      walk(base.getType());
  }

private:
  llvm::function_ref<void(const FunctionDecl *)> Use;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
};

} // namespace

void forEachAtEndOf(QualType type,
                    llvm::function_ref<void(const FunctionDecl *)> use) {
  EndWalk(use).walk(type);
}

bool isRelevantEnd(QualType type, UnitFacts &facts) {
  const CXXRecordDecl *record =
      type.isNull() ? nullptr : elementOrSelf(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  record = record->getDefinition();
  auto [at, isNew] = facts.relevantEnds.try_emplace(record, false);
  if (!isNew)
    return at->second;
  bool relevant = false;
  forEachAtEndOf(type, [&](const FunctionDecl *function) {
    relevant = relevant || !function || isRelevantCallee(function, facts);
  });
  return facts.relevantEnds[record] = relevant;
}

/// Whether a function that the end of an object runs does something, maybe to
/// other objects: `~Guard() { target = old; }`.
static bool doesSomething(const FunctionDecl *function,
                          const SourceManager &sources) {
  const FunctionDecl *definition = readDefinition(function);
  if (!definition || sources.isInSystemHeader(definition->getLocation()))
    return false;
  const auto *body = dyn_cast<CompoundStmt>(definition->getBody());
  return !body || !body->body_empty();
}

/// Whether the end of a `type` is to be run: it asks something of the device,
/// or destructors do something else.
bool Interpreter::hasEnd(QualType type) {
  if (isRelevantEnd(type, Facts))
    return true;
  const CXXRecordDecl *record =
      type.isNull() ? nullptr : elementOrSelf(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  auto [at, isNew] =
      Facts.storingEnds.try_emplace(record->getDefinition(), false);
  if (!isNew)
    return at->second;
  bool stores = false;
  forEachAtEndOf(type, [&](const FunctionDecl *function) {
    stores = stores || !function ||
             doesSomething(function, Context.getSourceManager());
  });
  return Facts.storingEnds[record->getDefinition()] = stores;
}

/// Notes that the object's end is to be run when its scope is left.
void Interpreter::endWithScope(Frame &frame, const Address &address,
                               QualType type) {
  if (hasEnd(type))
    frame.locals.push_back({address, type});
}

/// Ends the frame's locals from the last to `from`.
void Interpreter::destroyLocals(size_t from) {
  for (size_t i = Frames.back().locals.size(); i > from; --i) {
    auto [address, type] = Frames.back().locals[i - 1];
    endLifetime(address, type);
  }
}

/// Ends temporaries from the last to `from`.
void Interpreter::endTemporaries(size_t from) {
  while (Temporaries.size() > from) {
    auto [address, type] = Temporaries.back();
    Temporaries.pop_back();
    if (!Dead)
      endLifetime(address, type);
  }
}

/// Evaluates an expression whose value nobody takes: an object that it makes is
/// a temporary.
void Interpreter::discard(const Expr *expression) {
  const Expr *inner = expression;
  for (;;) {
    if (const auto *full = dyn_cast<FullExpr>(inner))
      inner = full->getSubExpr();
    else if (const auto *paren = dyn_cast<ParenExpr>(inner))
      inner = paren->getSubExpr();
    else if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(inner))
      inner = cast->getSubExpr();
    else if (const auto *cast = dyn_cast<CStyleCastExpr>(inner);
             cast && cast->getCastKind() == CK_ToVoid)
      inner = cast->getSubExpr();
    else
      break;
  }
  if (!isa<CXXBindTemporaryExpr>(inner) || !hasEnd(inner->getType())) {
    evaluate(expression);
    return;
  }
  Address made = temporaryObject(inner);
  Temporaries.push_back({made, inner->getType()});
}

/// Runs what the end of the object at `address` runs.
void Interpreter::endLifetime(const Address &address, QualType type,
                              unsigned depth) {
  if (!address.object || depth > 16 || !hasEnd(type))
    return;
  if (const auto *array = Context.getAsConstantArrayType(type)) {
    const uint64_t count = array->getSize().getZExtValue();
    for (uint64_t i = std::min<uint64_t>(count, 256); i > 0; --i)
      endLifetime(address.part("[" + std::to_string(i - 1) + "]"),
                  array->getElementType(), depth + 1);
    return;
  }
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return;
  record = record->getDefinition();
  switch (libraryClassOf(record)) {
  case LibraryClass::UniquePointer:
  case LibraryClass::SharedPointer:
    return endOwned(address, record);
  case LibraryClass::Container: {
    auto count = sizeOf(address);
    if (const auto *list = dyn_cast<ClassTemplateSpecializationDecl>(record);
        list && list->getName() == "array" &&
        list->getTemplateArgs().size() > 1)
      count = list->getTemplateArgs()[1].getAsIntegral().getExtValue();
    for (int64_t i = 0; count && i < std::min<int64_t>(*count, 256); ++i)
      endLifetime(address.part("[" + std::to_string(i) + "]"),
                  typeArgument(record, 0), depth + 1);
    return;
  }
  case LibraryClass::JoiningThread:
    if (auto node = Store.find(address.part(".thread")); node && node->datum)
      joinThread(*node->datum, "std::jthread::~jthread", endOfScope(type));
    return;
  case LibraryClass::Optional:
    return endOptional(address, record);
  case LibraryClass::Product: {
    const llvm::SmallVector<QualType> types = productTypes(record);
    for (size_t i = types.size(); i > 0; --i)
      endLifetime(address.part(productPart(record, i - 1)), types[i - 1],
                  depth + 1);
    return;
  }
  case LibraryClass::Other:
    break;
  }
  if (record->isInStdNamespace() || record->isUnion())
    return;
  const CXXDestructorDecl *destructor = record->getDestructor();
  if (const FunctionDecl *definition =
          destructor ? readDefinition(destructor) : nullptr;
      definition && !definition->isDefaulted() &&
      llvm::none_of(Frames, [&](const Frame &frame) {
        return frame.function == definition;
      })) {
    Frame frame;
    frame.function = definition;
    frame.thisObject = address;
    runBody(definition, std::move(frame), nullptr);
  }
  if (record->isLambda()) {
    const llvm::SmallVector<LambdaCapture> captures(record->captures());
    for (const LambdaCapture &capture : llvm::reverse(captures))
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByCopy)
        endLifetime(
            address.part("." + capture.getCapturedVar()->getNameAsString()),
            capture.getCapturedVar()->getType(), depth + 1);
    return;
  }
  llvm::SmallVector<const FieldDecl *> fields(record->fields());
  for (const FieldDecl *field : llvm::reverse(fields))
    if (!field->getType()->isReferenceType())
      endLifetime(partOf({address, false, {}, {}}, field).address,
                  field->getType(), depth + 1);
  for (const CXXBaseSpecifier &base : llvm::reverse(record->bases()))
    endLifetime(address, base.getType(), depth + 1);
}

/// Ends what the smart pointer at `address` owns.
void Interpreter::endOwned(const Address &address,
                           const CXXRecordDecl *record) {
  auto owned = Store.find(address.part(".pointer"));
  if (!owned || !owned->datum || owned->datum->kind == Datum::Kind::Null ||
      Store.find(address.part(".shared")))
    return;
  const Datum pointer = *owned->datum;
  Store.store(address.part(".pointer"), Datum::null());
  auto end = [&] {
    runDeleter(address, pointer, record);
    return Flow::Normal;
  };
  if (pointer.isPointer()) {
    end();
    return;
  }
  // It may be empty.
  auto none = [] { return Flow::Normal; };
  branch({Conditions++}, {end, none});
}

/// What stands for a call that the source does not spell: it is where the
/// braces end.
const Expr *Interpreter::endOfScope(QualType type) {
  return new (Context)
      OpaqueValueExpr(Statement ? Statement->getEndLoc()
                                : Frames.back().function->getBodyRBrace(),
                      type, VK_PRValue);
}

void Interpreter::runDeleter(const Address &address, const Datum &pointer,
                             const CXXRecordDecl *record) {
  const QualType owned = typeArgument(record, 0);
  const QualType type = libraryClassOf(record) == LibraryClass::UniquePointer
                            ? typeArgument(record, 1)
                            : QualType();
  const CXXRecordDecl *functor =
      type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  auto stored = Store.find(address.part(".deleter"));
  const FunctionDecl *function = callOperatorOf(functor);
  if (stored && stored->datum && stored->datum->function)
    function = stored->datum->function;
  if (isDefaultDelete(functor) || (type.isNull() && !stored))
    return endPointee(pointer, owned);
  if (!function || function->getNumParams() != 1)
    return;
  const Expr *argument = endOfScope(function->getParamDecl(0)->getType());
  OpaqueValues[argument] = pointer;
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->isInstance())
    callFunction(function, argument, address.part(".deleter"),
                 method->getParent()->isLambda() ? address.part(".deleter")
                                                 : Address(),
                 argument);
  else
    callThrough(function, argument, argument);
}

/// What `delete` does to what `pointer` points to, `type` by its pointer.
void Interpreter::endPointee(const Datum &pointer, QualType type) {
  if (!pointer.isPointer() || type.isNull())
    return;
  if (type->isArrayType()) {
    Address base = pointer.pointer;
    if (base.path.empty() || base.path.back() != "[0]")
      return;
    base.path.pop_back();
    auto count = sizeOf(base);
    for (int64_t i = count ? std::min<int64_t>(*count, 256) : 0; i > 0; --i)
      endLifetime(base.part("[" + std::to_string(i - 1) + "]"),
                  elementOrSelf(type));
    return;
  }
  const CXXRecordDecl *dynamic = dynamicType(pointer.pointer);
  endLifetime(pointer.pointer,
              dynamic ? Context.getCanonicalTagType(dynamic) : type);
}

/// The class that the object at `address` was made as; null where it is not
/// known.
const CXXRecordDecl *Interpreter::dynamicType(const Address &address) const {
  if (!address.object || !(address.path.empty() || (address.path.size() == 1 &&
                                                    address.path[0] == "[0]")))
    return nullptr;
  return Store.object(address.object).type;
}

/// What an object at `from` hands to one that is made, or set, from it.
/// Smart pointers in it own nothing after a move, and have a second owner after
/// a copy.
Datum Interpreter::takeFrom(const Address &from, QualType type, bool isMove) {
  if (!isMove)
    handOn(from, type, false);
  Datum datum = readAddress(from, type);
  if (isMove)
    handOn(from, type, true);
  return datum;
}

void Interpreter::handOn(const Address &from, QualType type, bool isMove,
                         unsigned depth) {
  if (depth > 8 || !hasEnd(type))
    return;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return;
  switch (libraryClassOf(record)) {
  case LibraryClass::UniquePointer:
  case LibraryClass::SharedPointer:
    if (isMove)
      Store.store(from.part(".pointer"), Datum::null());
    else
      Store.store(from.part(".shared"), Datum::of(1));
    return;
  case LibraryClass::Container:
    if (isMove && record->getName() != "array")
      Store.store(from.part(".size"), Datum::of(0));
    return;
  case LibraryClass::JoiningThread:
    return;
  case LibraryClass::Optional:
    return handOn(from.part("[0]"), typeArgument(record, 0), isMove, depth + 1);
  case LibraryClass::Product: {
    const llvm::SmallVector<QualType> types = productTypes(record);
    for (size_t i = 0; i != types.size(); ++i)
      handOn(from.part(productPart(record, i)), types[i], isMove, depth + 1);
    return;
  }
  case LibraryClass::Other:
    break;
  }
  if (record->isInStdNamespace())
    return;
  if (record->isLambda()) {
    for (const LambdaCapture &capture : record->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByCopy)
        handOn(from.part("." + capture.getCapturedVar()->getNameAsString()),
               capture.getCapturedVar()->getType(), isMove, depth + 1);
    return;
  }
  for (const FieldDecl *field : record->fields())
    if (field->getType()->isRecordType())
      handOn(partOf({from, false, {}, {}}, field).address, field->getType(),
             isMove, depth + 1);
  for (const CXXBaseSpecifier &base : record->bases())
    handOn(from, base.getType(), isMove, depth + 1);
}

/// The constructor of its own that copies, or moves, an object of a class; null
/// where that is the compiler's.
static const CXXConstructorDecl *ownCopy(const CXXRecordDecl *record,
                                         bool isMove) {
  const CXXConstructorDecl *copies = nullptr;
  for (const CXXConstructorDecl *one : record->ctors()) {
    if (!one->isCopyOrMoveConstructor() || one->isDefaulted() ||
        one->isDeleted() || !readDefinition(one))
      continue;
    if (isMove && one->isMoveConstructor())
      return one;
    if (one->isCopyConstructor())
      copies = one;
  }
  return copies;
}

/// Makes the object at `to` of that at `from`, as the class or the compiler
/// does it.
void Interpreter::copyObject(const Address &to, const Address &from,
                             QualType type, bool isMove, const Expr *call,
                             unsigned depth) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || depth > 8 || record->isUnion() ||
      record->isInStdNamespace() || record->isLambda() || !hasEnd(type)) {
    writeAddress(to, takeFrom(from, type, isMove));
    return;
  }
  record = record->getDefinition();
  if (const CXXConstructorDecl *own = ownCopy(record, isMove)) {
    callFunction(own, standFor(own->getParamDecl(0)->getType(), from), to, {},
                 call);
    return;
  }
  // Member by member, and what the class itself does not name as a whole.
  Datum whole = readAddress(from, type);
  writeAddress(to, whole);
  for (const CXXBaseSpecifier &base : record->bases())
    if (hasEnd(base.getType())) {
      auto before = Store.find(to);
      copyObject(to, from, base.getType(), isMove, call, depth + 1);
      auto after = Store.find(to);
      if (before && after && before != after) {
        auto both = std::make_shared<Node>(*after);
        both->parts.insert(before->parts.begin(), before->parts.end());
        Store.storeNode(to, both);
      }
    }
  for (const FieldDecl *field : record->fields())
    if (field->getType()->isRecordType() && hasEnd(field->getType()))
      copyObject(partOf({to, false, {}, {}}, field).address,
                 partOf({from, false, {}, {}}, field).address, field->getType(),
                 isMove, call, depth + 1);
}

/// Makes an object of `type` at `address` of arguments that the library hands
/// on to its constructor: std::make_unique, emplace_back.
void Interpreter::constructInPlace(const Address &address, QualType type,
                                   llvm::ArrayRef<const Expr *> arguments,
                                   const Expr *call) {
  if (type.isNull())
    return;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  auto plainType = [&](QualType one) {
    return Context.getCanonicalType(one.getNonReferenceType())
        .getUnqualifiedType();
  };
  if (arguments.size() == 1 &&
      (!record || plainType(arguments[0]->getType()) == plainType(type))) {
    Place from = arguments[0]->isGLValue() ? locate(arguments[0]) : Place();
    if (from.known())
      copyObject(address, from.address, plainType(type),
                 arguments[0]->isXValue(), call);
    else
      this->initialise(address, type, arguments[0]);
    return;
  }
  if (!record || !record->hasDefinition()) {
    zero(address, type);
    return;
  }
  if (LibraryClass which = libraryClassOf(record);
      (which == LibraryClass::UniquePointer ||
       which == LibraryClass::SharedPointer) &&
      arguments.size() <= 2) {
    constructOwner(address, arguments);
    return;
  }
  if (isCallableWrapper(record) && arguments.size() == 1) {
    keepCallable(address.part(".callee"), arguments[0]);
    return;
  }
  llvm::SmallVector<const CXXConstructorDecl *> fitting, exact;
  for (const CXXConstructorDecl *one : record->ctors()) {
    if (one->isDeleted() || one->isCopyOrMoveConstructor() ||
        arguments.size() > one->getNumParams() ||
        arguments.size() < one->getMinRequiredArguments())
      continue;
    fitting.push_back(one);
    bool same = true;
    for (unsigned i = 0; i != arguments.size(); ++i)
      same = same && plainType(one->getParamDecl(i)->getType()) ==
                         plainType(arguments[i]->getType());
    if (same)
      exact.push_back(one);
  }
  const CXXConstructorDecl *chosen = exact.size() == 1     ? exact[0]
                                     : fitting.size() == 1 ? fitting[0]
                                                           : nullptr;
  if (chosen && readDefinition(chosen) && !record->isInStdNamespace()) {
    callFunction(chosen, arguments, address, {}, call);
    return;
  }
  if (arguments.empty() && chosen && chosen->isDefaulted())
    return;
  for (const Expr *one : arguments)
    one->isGLValue() ? (void)locate(one) : (void)evaluate(one);
  loseAddress(address, "made in place");
}

/// A call for which isMakeOwner holds.
Datum Interpreter::makeOwner(const FunctionDecl *function,
                             llvm::ArrayRef<const Expr *> arguments,
                             const Expr *call) {
  QualType type = function->getTemplateSpecializationArgs()->get(0).getAsType();
  Address object{Store.create(""), {}};
  if (type->isArrayType()) {
    if (!arguments.empty())
      Store.store(object.part(".size"), evaluate(arguments[0]));
  } else {
    Store.setType(object.object, type->getAsCXXRecordDecl());
    constructInPlace(object.part("[0]"), type, arguments, call);
  }
  Address owner{Store.create("temporary"), {}};
  Store.store(owner.part(".pointer"), Datum::to(object.part("[0]")));
  return readAddress(owner, function->getReturnType());
}

/// A constructor of a smart pointer, with as many arguments as were given.
void Interpreter::constructOwner(const Address &address,
                                 llvm::ArrayRef<const Expr *> arguments) {
  Datum pointer = Datum::null();
  if (!arguments.empty() && arguments[0]->getType()->isPointerType()) {
    pointer = evaluate(arguments[0]);
  } else if (!arguments.empty() && arguments[0]->getType()->isRecordType()) {
    // Another smart pointer.
    Place from = locate(arguments[0]);
    if (from.known())
      writeAddress(address, takeFrom(from.address, arguments[0]->getType(),
                                     arguments[0]->isXValue()));
    return;
  }
  Store.store(address.part(".pointer"), pointer);
  if (arguments.size() > 1) {
    const Expr *deleter = arguments[1];
    const Address kept = address.part(".deleter");
    if (!deleter->isGLValue()) {
      writeAddress(kept, evaluate(deleter));
    } else if (deleter->getType()->isFunctionType()) {
      Store.store(kept, evaluate(deleter));
    } else if (Place from = locate(deleter); from.known()) {
      writeAddress(kept, readAddress(from.address, deleter->getType()));
    }
    // std::shared_ptr calls whatever function object it was given.
    auto node = Store.find(kept);
    if (const CXXMethodDecl *method =
            callOperatorOf(deleter->getType()->getAsCXXRecordDecl());
        method && !(node && node->datum && node->datum->function))
      Store.store(kept, Datum::toFunction(method));
  }
}

/// A member function of the smart pointer `object`.
std::optional<Datum>
Interpreter::ownerCall(const CXXMethodDecl *method,
                       llvm::ArrayRef<const Expr *> arguments,
                       const Place &object) {
  const CXXRecordDecl *record = method->getParent();
  const std::string name = method->getNameAsString();
  auto pointer = [&]() -> Datum {
    if (!object.known())
      return Datum::unknown(object.why);
    auto node = Store.find(object.address.part(".pointer"));
    if (node && node->datum)
      return *node->datum;
    // Made elsewhere: always the same object.
    Datum made = Datum::to({Store.create(Store.nameOf(object.address),
                                         /*external=*/true, /*pointee=*/true),
                            {"[0]"}});
    writeAddress(object.address.part(".pointer"), made);
    return made;
  };
  if (name == "get" || name == "operator->" || name == "operator*")
    return pointer();
  if (name == "release") {
    Datum released = pointer();
    if (object.known())
      Store.store(object.address.part(".pointer"), Datum::null());
    return released;
  }
  const bool isReset = name == "reset";
  if (isReset || name == "operator=") {
    const Expr *source =
        arguments.empty() || isa<CXXDefaultArgExpr>(arguments[0])
            ? nullptr
            : arguments[0];
    Datum value = Datum::null();
    bool isOwner = source && source->getType()->isRecordType();
    if (isOwner) {
      Place from = locate(source);
      value = from.known() ? takeFrom(from.address, source->getType(),
                                      source->isXValue())
                           : resultOfUnknown(source->getType(), from.why);
    } else if (source) {
      value = evaluate(source);
    }
    if (!object.known())
      return Datum::unknown(object.why);
    endOwned(object.address, record);
    writeAddress(isOwner ? object.address : object.address.part(".pointer"),
                 value);
    return isReset ? Datum::unknown("nothing") : Datum::to(object.address);
  }
  return std::nullopt;
}

} // namespace coreside
