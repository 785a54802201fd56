// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   calls, lambdas and new-expressions.
// Out:  what the called body does, or what may have happened where there is
//       none to be read.

#include "Formula.h"
#include "Interpreter.h"

#include "Lifetimes.h"
#include "ReadBody.h"
#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {

void Interpreter::bindParameter(Frame &frame, const ParmVarDecl *parameter,
                                const Expr *argument) {
  QualType type = parameter->getType();
  std::string name = parameter->getNameAsString();
  if (type->isReferenceType()) {
    std::string text = textOf(argument);
    frame.variables[parameter] =
        addressOrStandIn(locate(argument), text.empty() ? name : text);
    return;
  }
  Address address{Store.create(name), {}};
  Store.setType(address.object, type->getAsCXXRecordDecl());
  frame.variables[parameter] = address;
  initialise(address, type, argument);
  endWithScope(frame, address, type);
  if (auto node = Store.find(address); node && node->datum &&
                                       integerType(type) &&
                                       !Options.assumptions.empty()) {
    // What is said of a parameter is said inside of its function.
    Datum datum = *node->datum;
    Frame inside;
    inside.function = frame.function;
    Frames.push_back(std::move(inside));
    assume(datum, name, type, parameter->getLocation());
    Frames.pop_back();
    Store.store(address, datum);
  }
}

Datum Interpreter::callFunction(const FunctionDecl *function,
                                llvm::ArrayRef<const Expr *> arguments,
                                Address thisObject, Address closure,
                                const Expr *call) {
  const FunctionDecl *definition = readDefinition(function);
  if (!definition || definition->isDependentContext() ||
      Context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return unknownCall(function, arguments, thisObject, call);
  const auto again =
      llvm::find_if(llvm::reverse(Frames), [&](const Frame &frame) {
        return frame.function == definition;
      });
  // With numbers that are known it ends by itself.
  const bool ends =
      again != Frames.rend() && !Dry && again->undecided == UndecidedCount &&
      Frames.size() <= deepestRecursion && Evaluations < unrollBudget;
  if (again != Frames.rend() && !ends) {
    leaveOpen(definition);
    if (isRelevant(definition->getBody(), Facts))
      cut("recursion in '" + nameOf(*definition) + "'");
    return unknownCall(function, arguments, thisObject, call);
  }
  if (!ends && Frames.size() > Options.callLimit) {
    leaveOpen(definition);
    if (isRelevant(definition->getBody(), Facts))
      cut("calls nested deeper than " + std::to_string(Options.callLimit));
    return unknownCall(function, arguments, thisObject, call);
  }
  if (Evaluations > followBudget && !isRelevant(definition->getBody(), Facts))
    return unknownCall(function, arguments, thisObject, call);

  Frame frame;
  frame.function = definition;
  frame.thisObject = thisObject;
  frame.closure = closure;
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    if (i < arguments.size())
      bindParameter(frame, definition->getParamDecl(i), arguments[i]);
    else
      frame.variables[definition->getParamDecl(i)] = {
          Store.create(definition->getParamDecl(i)->getNameAsString(),
                       /*external=*/true),
          {}};
  }
  for (unsigned i = definition->getNumParams(); i < arguments.size(); ++i)
    evaluate(arguments[i]);
  return runBody(definition, std::move(frame), call);
}

Datum Interpreter::runBody(const FunctionDecl *function, Frame frame,
                           const Expr *call) {
  // A lambda's captures are the variables of the place where it was made.
  if (frame.closure.object)
    if (const auto *method = dyn_cast<CXXMethodDecl>(function);
        method && method->getParent()->isLambda())
      for (const LambdaCapture &capture : method->getParent()->captures()) {
        if (capture.capturesThis()) {
          if (auto node = Store.find(frame.closure.part(".this"));
              node && node->datum && node->datum->isPointer())
            frame.thisObject = node->datum->pointer;
        } else if (capture.capturesVariable()) {
          const auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar());
          if (!variable)
            continue;
          Address part = frame.closure.part("." + variable->getNameAsString());
          auto node = Store.find(part);
          bool byReference = capture.getCaptureKind() == LCK_ByRef;
          if (byReference && node && node->datum && node->datum->isPointer())
            part = node->datum->pointer;
          frame.variables[variable] = part;
        }
      }
  frame.undecided = UndecidedCount;
  frame.depth = Store.depth();
  size_t depth = frame.depth;
  Store.beginChanges();
  size_t guards = Guards.size(), facts = Learnt.size();
  if (call)
    Path.push_back({nameOf(*function), placeOf(call->getBeginLoc(), Context)});
  bool outermost = Frames.empty();
  Frames.push_back(std::move(frame));
  Flow flow = Flow::Normal;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function);
      constructor && !outermost)
    initialiseMembers(constructor);
  flow = execute(function->getBody());
  if (flow == Flow::Normal)
    destroyLocals(0);
  Frame done = std::move(Frames.back());
  Frames.pop_back();
  if (call)
    Path.pop_back();
  std::vector<Memory::Changes> ways;
  std::optional<Datum> value;
  for (Exit &exit : done.returns) {
    ways.push_back(std::move(exit.changes));
    if (exit.value)
      value = value ? joinData(*value, *exit.value) : *exit.value;
  }
  if (flow == Flow::Normal)
    ways.push_back(Store.changesSince(depth));
  Store.takeBack();
  endGuards(guards, Flow::LeftFunction);
  if (ways.size() == 1)
    endFacts(facts, Flow::LeftFunction);
  else
    Learnt.resize(std::min(facts, Learnt.size()));
  if (ways.empty()) {
    Dead = true;
    return Datum::unknown("does not return");
  }
  Store.join(ways);
  if (!value)
    return resultOfUnknown(function->getReturnType(),
                           "returned by '" + nameOf(*function) + "'");
  const QualType type = function->getReturnType();
  if (auto integer = integerType(type);
      integer && value->isUnknown() && !type->isReferenceType())
    return Datum::of(within(coreside::Value::unknown(value->text),
                            integer->lowest(), integer->highest()));
  return *value;
}

/// Forgets what something that cannot be followed may store through `datum`;
/// `isHandle`: that is a stream or an event, and a new one.
void Interpreter::loseReachable(const Datum &datum, const std::string &why,
                                bool isHandle, const Reference &origin,
                                unsigned depth) {
  if (depth > 3)
    return;
  // What is found there later is called what the callee's file calls it.
  auto note = [&](const Address &address, const Reference &where) {
    auto node = Store.find(address);
    if (origin.root != Reference::Root::None && node && node->lost)
      LossOrigins.try_emplace(node->lostNumber, where);
  };
  auto inside = [&](const std::string &name, StringRef steps) {
    Reference where = origin;
    where.path += steps.str() + name;
    return where;
  };
  if (datum.isPointer()) {
    auto node = Store.find(datum.pointer);
    // The whole array that an element stands for.
    Address address = datum.pointer;
    if (!address.path.empty() && address.path.back()[0] == '[')
      address.path.pop_back();
    auto whole = Store.find(address);
    loseAddress(datum.pointer, why, isHandle);
    note(datum.pointer, inside("", "*"));
    if (whole && address != datum.pointer) {
      loseAddress(address, why);
      if (datum.pointer.path.back() == "[0]")
        note(address, inside("", "*"));
    }
    if (node)
      for (const auto &[name, part] : node->parts)
        if (part && part->datum && part->datum->isPointer())
          loseReachable(*part->datum, why, false, inside(name, "*"), depth + 1);
  } else if (datum.isUnknown()) {
    for (const Address &target : targetsOf(datum))
      loseReachable(Datum::to(target), why, isHandle, {}, depth + 1);
  } else if (datum.kind == Datum::Kind::Record && datum.record) {
    for (const auto &[name, part] : datum.record->parts)
      if (part && part->datum && part->datum->isPointer())
        loseReachable(*part->datum, why, false, inside(name, ""), depth + 1);
  }
}

Datum Interpreter::resultOfUnknown(QualType type, const std::string &why) {
  type = type.getNonReferenceType();
  if (type->isVoidType() || type->isDependentType())
    return Datum::unknown(why);
  if (isStatusType(type))
    return Datum::of(0);
  if (auto integer = integerType(type))
    return Datum::of(within(coreside::Value::unknown(why), integer->lowest(),
                            integer->highest()));
  if (isStreamType(type) || isEventType(type))
    return Datum::unknown(why);
  if (type->isPointerType()) {
    QualType pointee = type->getPointeeType();
    if (pointee->isRecordType() || isStreamType(pointee) ||
        isEventType(pointee))
      return Datum::to(
          {Store.create("", /*external=*/true, /*pointee=*/true), {"[0]"}});
  }
  if (type->isRecordType()) {
    auto node = std::make_shared<Node>();
    node->lost = why;
    node->lostNumber = ++ExternalLosses + (1u << 30);
    Datum datum;
    datum.kind = Datum::Kind::Record;
    datum.record = node;
    return datum;
  }
  return Datum::unknown(why);
}

/// The same for what a reference names.
void Interpreter::loseReference(const Address &address, const std::string &why,
                                bool isHandle, const Reference &origin) {
  loseReachable(Datum::to(address), why, isHandle);
  auto node = Store.find(address);
  if (origin.root != Reference::Root::None && node && node->lost)
    LossOrigins.try_emplace(node->lostNumber, origin);
}

/// What a pointer or an iterator of a container points to.
static QualType pointeeOf(QualType type) {
  if (const auto *iterator = type->getAsCXXRecordDecl();
      iterator && iterator->getIdentifier() &&
      iterator->getName().contains("iterator")) {
    QualType walked = typeArgument(iterator, 0);
    return !walked.isNull() && walked->isPointerType()
               ? walked->getPointeeType()
               : walked;
  }
  return type->getPointeeType();
}

/// Algorithms of the standard library that store to no element, whatever
/// iterators they are handed.
static bool onlyReads(const FunctionDecl &function) {
  if (!function.isInStdNamespace() || !function.getIdentifier())
    return false;
  llvm::StringRef name = function.getName();
  return llvm::is_contained({"accumulate", "reduce", "inner_product", "equal",
                             "all_of", "any_of", "none_of", "lower_bound",
                             "upper_bound", "binary_search", "distance", "next",
                             "prev", "is_sorted", "mismatch", "search"},
                            name) ||
         name.starts_with("max_element") || name.starts_with("min_element") ||
         name.starts_with("minmax") || name.starts_with("find") ||
         name.starts_with("count");
}

Datum Interpreter::unknownCall(const FunctionDecl *function,
                               llvm::ArrayRef<const Expr *> arguments,
                               const Address &thisObject, const Expr *call) {
  std::string name = nameOf(*function);
  std::string why = "changed by '" + name + "'";
  std::string plain = function->getNameAsString();
  bool reads = llvm::StringRef(plain).contains("scanf");
  bool system =
      Context.getSourceManager().isInSystemHeader(function->getLocation()) ||
      function->getBuiltinID() != 0;
  // Another file may answer it.
  const bool linked = Options.forOtherFiles && !system && !Dry &&
                      !function->hasBody() &&
                      function->hasExternalFormalLinkage();
  const int number = linked ? Result.calls.size() : -1;
  if (linked)
    Result.calls.push_back({symbolOf(function), {}});
  auto argumentOf = [&](int index) {
    return linked ? Reference{Reference::Root::Argument, index, "", number, ""}
                  : Reference();
  };
  auto handTo = [&](int index, const auto &what, const char *path = "") {
    if (linked)
      handOver(what, {Reference::Root::Parameter, index, "", -1, path},
               Result.calls[number].arguments);
  };
  int stream = -1;
  // An algorithm of the standard library is done when it returns; a queue, a
  // pool or another file may call it later, and from another thread.
  const bool elsewhere =
      !system || isa<CXXMethodDecl>(function) || !function->isInStdNamespace();
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr *argument = arguments[i];
    QualType type = i < function->getNumParams()
                        ? function->getParamDecl(i)->getType()
                        : argument->getType();
    if (type->isReferenceType()) {
      Place place = locate(argument);
      QualType target = type.getNonReferenceType();
      if (isStreamType(target)) {
        Datum datum = read(place, target, argument);
        stream = streamOf(datum, argument);
      }
      if (place.known()) {
        handTo(i, place.address);
        Datum datum = readAddress(place.address, target);
        if (datum.kind == Datum::Kind::Record ||
            datum.kind == Datum::Kind::Function)
          callBack(datum, call, elsewhere);
        if (!target.isConstQualified() && type->isLValueReferenceType())
          loseReference(place.address, why,
                        isStreamType(target) || isEventType(target),
                        argumentOf(i));
        else if (datum.kind == Datum::Kind::Record)
          loseReachable(datum, why, false, argumentOf(i));
      }
      continue;
    }
    Datum datum = evaluate(argument);
    handTo(i, datum);
    if (isStreamType(type) &&
        !(function->isVariadic() && i >= function->getNumParams())) {
      stream = streamOf(datum, argument);
    }
    if (datum.kind == Datum::Kind::Record ||
        datum.kind == Datum::Kind::Function)
      callBack(datum, call, elsewhere);
    bool variadic = i >= function->getNumParams();
    QualType pointee = pointeeOf(type);
    if (datum.isPointer() || (datum.isUnknown() && !targetsOf(datum).empty())
            ? (variadic ? reads
                        : !pointee.isNull() && !pointee.isConstQualified() &&
                              !onlyReads(*function))
            : datum.kind == Datum::Kind::Record) {
      // An iterator reaches the elements, not how many there are.
      Address size;
      if (type->isRecordType() && datum.isPointer() &&
          !datum.pointer.path.empty()) {
        size = datum.pointer;
        size.path.back() = ".size";
      }
      auto count = size.object ? Store.find(size) : nullptr;
      loseReachable(datum, why,
                    !pointee.isNull() &&
                        (isStreamType(pointee) || isEventType(pointee)),
                    argumentOf(i));
      if (count)
        Store.storeNode(size, count);
    }
  }
  if (thisObject.object) {
    handTo(-1, Datum::to(thisObject));
    if (const auto *method = dyn_cast<CXXMethodDecl>(function);
        method && !method->isConst())
      loseReachable(Datum::to(thisObject), why, false, argumentOf(-1));
  }
  // Something of the program's own, elsewhere, may store to its globals.
  if (!system) {
    if (linked)
      handOverGlobals(Result.calls[number].arguments);
    for (auto &[variable, address] : Globals)
      if (variable->hasExternalFormalLinkage() &&
          !variable->getType().isConstQualified() && !variable->isConstexpr()) {
        loseAddress(address, why);
        auto at = ObjectOrigins.find(address.object);
        auto node = Store.find(address);
        if (linked && at != ObjectOrigins.end() && node && node->lost) {
          Reference origin = at->second;
          origin.call = number;
          LossOrigins.try_emplace(node->lostNumber, origin);
        }
      }
  }
  // Also without a stream: that it does nothing to the device is an assumption.
  const bool assumed = !system && !function->hasBody() && !thisObject.object;
  if (stream >= 0 || assumed || linked) {
    Step step;
    step.kind = Step::Kind::Opaque;
    if (stream >= 0 || assumed)
      step.function = name;
    step.stream = stream;
    step.call = number;
    emit(std::move(step), call);
    // An arm of a condition that only reports something asks for nothing.
    if (stream < 0)
      --Emitted;
  }
  if (function->isNoReturn() || plain == "exit" || plain == "abort" ||
      plain == "_exit" || plain == "quick_exit" || plain == "__assert_fail") {
    Dead = true;
    return Datum::unknown("does not return");
  }
  if (isStreamType(function->getReturnType())) {
    // Another call may return another one.
    Stream returned;
    returned.name = textOf(call);
    returned.place = placeOf(call->getBeginLoc(), Context);
    if (linked)
      returned.from = {Reference::Root::Result, 0, "", number, ""};
    return Datum::stream(newStream(std::move(returned)));
  }
  Datum result =
      resultOfUnknown(function->getReturnType(), "returned by '" + name + "'");
  if (linked && result.isNumber() && !result.known()) {
    result.number.formula =
        formulaOfName(std::to_string(++Symbols) + "'" + name, result.number);
    nameNumber(result.number, {Reference::Root::Result, 0, "", number, ""});
  }
  if (linked && result.isPointer())
    ObjectOrigins[result.pointer.object] = {Reference::Root::Result, 0, "",
                                            number, "*"};
  else if (linked && result.kind == Datum::Kind::Record && result.record)
    LossOrigins.try_emplace(
        result.record->lostNumber,
        Reference{Reference::Root::Result, 0, "", number, ""});
  return result;
}

Datum Interpreter::evaluateLambda(const LambdaExpr *expression) {
  auto node = std::make_shared<Node>();
  const CXXRecordDecl *record = expression->getLambdaClass();
  const FunctionDecl *body = expression->getCallOperator();
  Datum function = Datum::toFunction(body);
  node->datum = function;
  auto initialiser = expression->capture_init_begin();
  for (const LambdaCapture &capture : expression->captures()) {
    const Expr *value = initialiser != expression->capture_init_end()
                            ? *initialiser++
                            : nullptr;
    if (capture.capturesThis()) {
      auto part = std::make_shared<Node>();
      part->datum = Datum::to(Frames.back().thisObject);
      node->parts[".this"] = part;
      continue;
    }
    if (!capture.capturesVariable())
      continue;
    const auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar());
    if (!variable)
      continue;
    std::string name = "." + variable->getNameAsString();
    if (capture.getCaptureKind() == LCK_ByRef) {
      Place place;
      if (variable->isInitCapture() && variable->getInit())
        place = locate(variable->getInit());
      else
        place.address = variableAddress(variable);
      auto part = std::make_shared<Node>();
      part->datum =
          Datum::to(addressOrStandIn(place, variable->getNameAsString()));
      node->parts[name] = part;
    } else {
      Address copy{Store.create(variable->getNameAsString()), {}};
      if (variable->isInitCapture() && variable->getInit())
        initialise(copy, variable->getType(), variable->getInit());
      else
        copyObject(copy, variableAddress(variable),
                   variable->getType().getNonReferenceType(), false,
                   expression);
      auto root = Store.find(copy);
      node->parts[name] = root ? root : std::make_shared<Node>();
      (void)value;
    }
  }
  (void)record;
  Datum datum;
  datum.kind = Datum::Kind::Record;
  datum.record = node;
  return datum;
}

Datum Interpreter::evaluateNew(const CXXNewExpr *expression) {
  unsigned object = Store.create("", /*external=*/false);
  // What variables of this are called: what the first pointer to it is called.
  Address base{object, {}};
  if (expression->isArray()) {
    if (expression->getArraySize())
      if (const Expr *size = *expression->getArraySize())
        Store.store(base.part(".size"), evaluate(size));
    if (const Expr *initialiser = expression->getInitializer();
        initialiser && isa<InitListExpr>(initialiser))
      for (unsigned i = 0;
           i < cast<InitListExpr>(initialiser)->getNumInits() && i < 256; ++i)
        this->initialise(base.part("[" + std::to_string(i) + "]"),
                         expression->getAllocatedType(),
                         cast<InitListExpr>(initialiser)->getInit(i));
  } else {
    Address element = base.part("[0]");
    Store.setType(object, expression->getAllocatedType()->getAsCXXRecordDecl());
    if (const Expr *construction = expression->getConstructExpr())
      this->initialise(element, expression->getAllocatedType(), construction);
    else if (const Expr *initialiser = expression->getInitializer())
      this->initialise(element, expression->getAllocatedType(), initialiser);
  }
  return Datum::to(base.part("[0]"));
}

/// A function that a pointer is known to name.
Datum Interpreter::callThrough(const FunctionDecl *function,
                               llvm::ArrayRef<const Expr *> arguments,
                               const Expr *call) {
  std::string name = function->getNameAsString();
  if (auto result = libraryWork(function, arguments, {}, call))
    return *result;
  if (isRuntimeFunction(name))
    if (auto result = runtimeCall(name, function, arguments, call))
      return *result;
  return callFunction(function, arguments, {}, {}, call);
}

/// A call of the virtual function `method`. Which one it is for this object
/// comes back in `method`; where several of this file may be, all of them are
/// followed.
std::optional<Datum> Interpreter::callVirtual(const CXXMemberCallExpr *call,
                                              const Place &object,
                                              const CXXMethodDecl *&method) {
  const auto *callee = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens());
  if (!method->isVirtual() || (callee && callee->hasQualifier()))
    return std::nullopt;
  if (const CXXRecordDecl *made = dynamicType(object.address)) {
    if (const CXXMethodDecl *own =
            method->getCorrespondingMethodInClass(made, /*MayBeBase=*/true)) {
      method = own;
      return std::nullopt;
    }
  }
  if (const CXXMethodDecl *own = method->getDevirtualizedMethod(
          call->getImplicitObjectArgument(), /*IsAppleKext=*/false)) {
    method = own;
    return std::nullopt;
  }
  constexpr unsigned mostFollowed = 4;
  const auto &overriders = Facts.overriders.lookup(method->getCanonicalDecl());
  if (overriders.empty() || overriders.size() > mostFollowed)
    return std::nullopt;
  llvm::ArrayRef<const Expr *> arguments(call->getArgs(), call->getNumArgs());
  std::optional<Datum> result;
  auto take = [&](const Datum &datum) {
    result = result ? joinData(*result, datum) : datum;
    return Flow::Normal;
  };
  std::vector<std::function<Flow()>> ways;
  for (const CXXMethodDecl *overrider : overriders)
    ways.push_back([&, overrider] {
      return take(callFunction(overrider, arguments, object.address, {}, call));
    });
  // Of its own class, or of one in another file.
  const bool isOpen = !method->getParent()->isInAnonymousNamespace();
  if (!method->isPureVirtual())
    ways.push_back([&] {
      return take(callFunction(method, arguments, object.address, {}, call));
    });
  else if (isOpen)
    ways.push_back([&] {
      return take(unknownCall(method, arguments, object.address, call));
    });
  if (ways.size() == 1) {
    ways.front()();
    return result;
  }
  std::vector<llvm::function_ref<Flow()>> arms(ways.begin(), ways.end());
  branch({Conditions++}, arms);
  return result ? *result
                : resultOfUnknown(call->getType(),
                                  "returned by '" + nameOf(*method) + "'");
}

Datum Interpreter::evaluateCall(const CallExpr *expression) {
  llvm::ArrayRef<const Expr *> arguments(expression->getArgs(),
                                         expression->getNumArgs());
  const FunctionDecl *callee = expression->getDirectCallee();

  // std::min and the like: known without running their bodies.
  if (callee && callee->isConstexpr() && !expression->isTypeDependent() &&
      !callee->getReturnType()->isVoidType() && expression->isPRValue())
    if (auto constant = constantOf(expression))
      return *constant;

  Place object;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(expression)) {
    const Expr *base = member->getImplicitObjectArgument();
    if (base && base->getType()->isPointerType()) {
      Datum pointer = evaluate(base);
      if (pointer.isPointer())
        object.address = pointer.pointer;
      else
        object.why = pointer.text;
      if (!object.known())
        object.targets = targetsOf(pointer);
    } else if (base) {
      object = locate(base);
    }
    if (!callee)
      callee = member->getMethodDecl();
  } else if (isa<CXXOperatorCallExpr>(expression)) {
    if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
        method && method->isInstance() && !arguments.empty()) {
      object = locate(arguments[0]);
      arguments = arguments.drop_front();
      if ((method->isCopyAssignmentOperator() ||
           method->isMoveAssignmentOperator()) &&
          (method->isTrivial() || method->isDefaulted() ||
           Context.getSourceManager().isInSystemHeader(
               method->getLocation()))) {
        Datum value;
        QualType type = Context.getCanonicalTagType(method->getParent());
        Place from = locate(arguments[0]);
        value = from.known() ? takeFrom(from.address, type,
                                        method->isMoveAssignmentOperator())
                             : resultOfUnknown(type, from.why);
        if (object.known() &&
            libraryClassOf(method->getParent()) != LibraryClass::Container)
          endLifetime(object.address, type);
        write(object, value);
        return pointerTo(object);
      }
    }
  }

  if (callee) {
    if (callee->hasAttr<CUDAGlobalAttr>())
      return Datum::unknown("a kernel called like a function");
    // A closure or a function object.
    std::string name = callee->getNameAsString();
    bool plain = !isa<CXXMethodDecl>(callee) && callee->getIdentifier();
    if (auto result = libraryWork(callee, arguments, object, expression))
      return *result;
    if (plain && isRuntimeFunction(name))
      if (auto result = runtimeCall(name, callee, arguments, expression))
        return *result;
    if (auto result = libraryCall(callee, arguments, object, expression))
      return *result;
    Address closure;
    if (const auto *method = dyn_cast<CXXMethodDecl>(callee);
        method && method->getParent()->isLambda())
      closure = object.address;
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(expression))
      if (const auto *method = dyn_cast<CXXMethodDecl>(callee)) {
        if (auto result = callVirtual(member, object, method))
          return *result;
        callee = method;
      }
    // An object that cannot be told is one of its own.
    if (isa<CXXMethodDecl>(callee) &&
        cast<CXXMethodDecl>(callee)->isInstance() && !object.known()) {
      const std::vector<Address> targets = targetsOf(pointerTo(object));
      object.address = {Store.create("object", /*external=*/true,
                                     /*pointee=*/true),
                        {"[0]"}};
      letStandFor(object.address.object, targets);
    }
    return callFunction(callee, arguments, object.address, closure, expression);
  }

  // (object.*member)(arguments)
  if (const auto *binary =
          dyn_cast<BinaryOperator>(expression->getCallee()->IgnoreParens());
      binary && binary->isPtrMemOp()) {
    Datum member = evaluate(binary->getRHS());
    if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(member.function))
      return callMember(method, objectOf({binary->getLHS(), {}}), arguments,
                        expression);
  }

  // Through a pointer.
  Datum target = evaluate(expression->getCallee());
  if (target.kind == Datum::Kind::Function && target.function &&
      !target.function->hasAttr<CUDAGlobalAttr>())
    return callThrough(target.function, arguments, expression);
  if (!target.functions.empty() &&
      llvm::none_of(target.functions, [](const FunctionDecl *function) {
        return function->hasAttr<CUDAGlobalAttr>();
      })) {
    std::optional<Datum> result;
    forEachFunction(target, [&](const FunctionDecl *function) {
      Datum datum = callThrough(function, arguments, expression);
      result = result ? joinData(*result, datum) : datum;
    });
    return *result;
  }
  std::string text = textOf(expression->getCallee());
  for (const Expr *argument : arguments) {
    Datum datum = evaluate(argument);
    if (isStreamType(argument->getType())) {
      Step step;
      step.kind = Step::Kind::Opaque;
      step.function = text;
      step.stream = streamOf(datum, argument);
      emit(std::move(step), expression);
    }
    loseReachable(datum, "changed through '" + text + "'");
  }
  return resultOfUnknown(expression->getType(), "returned by '" + text + "'");
}

} // namespace coreside
