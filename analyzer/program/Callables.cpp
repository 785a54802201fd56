// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever can be called: function pointers, pointers to members, closures,
// function objects, and the standard library's wrappers of them.
//
// In:   std::invoke(work, 4, s), pool.enqueue([=] { ... }), (object.*member)(2)
// Out:  what the called body does, with those arguments.
//
// A wrapper (std::function, std::packaged_task, std::bind) is a structure with
// a part ".callee", bound arguments are in ".bound", a std::reference_wrapper
// has a part ".reference".

#include "Interpreter.h"

#include "Lifetimes.h"
#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

bool isCallableWrapper(const CXXRecordDecl *record) {
  if (!record || !record->getIdentifier() || !record->isInStdNamespace())
    return false;
  return llvm::StringSwitch<bool>(record->getName())
      .Cases({"function", "packaged_task", "move_only_function", "_Bind",
              "_Bind_result", "_Bind_front", "_Mem_fn", "_Mem_fn_base",
              "reference_wrapper", "__bind", "__mem_fn"},
             true)
      .Default(false);
}

/// All operator() of a class and its bases, each instantiation of a template.
static void
addCallOperators(const CXXRecordDecl *record,
                 llvm::SmallVectorImpl<const FunctionDecl *> &list) {
  if (!record || !record->hasDefinition())
    return;
  record = record->getDefinition();
  for (const Decl *declaration : record->decls()) {
    if (const auto *shadow = dyn_cast<UsingShadowDecl>(declaration))
      declaration = shadow->getTargetDecl();
    if (const auto *method = dyn_cast<CXXMethodDecl>(declaration)) {
      if (method->getOverloadedOperator() == OO_Call &&
          !llvm::is_contained(list, method))
        list.push_back(method);
    } else if (const auto *made = dyn_cast<FunctionTemplateDecl>(declaration);
               made &&
               made->getTemplatedDecl()->getOverloadedOperator() == OO_Call) {
      for (const FunctionDecl *one : made->specializations())
        if (!llvm::is_contained(list, one))
          list.push_back(one);
    }
  }
  for (const CXXBaseSpecifier &base : record->bases())
    addCallOperators(base.getType()->getAsCXXRecordDecl(), list);
}

static QualType plain(QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

/// The expression that `argument` is for a parameter of `type`.
const Expr *Interpreter::expressionOf(const Argument &argument, QualType type) {
  Address place = argument.place;
  if (argument.expression) {
    // What std::ref made.
    const CXXRecordDecl *record =
        argument.expression->getType()->getAsCXXRecordDecl();
    if (!record || !isCallableWrapper(record))
      return argument.expression;
    Place at = locate(argument.expression);
    if (!at.known() || !Store.find(at.address.part(".reference")))
      return argument.expression;
    place = at.address;
  }
  if (auto held = Store.find(place.part(".reference"));
      held && held->datum && held->datum->isPointer())
    place = held->datum->pointer;
  return standFor(type, place);
}

/// The object that a pointer to a member is used with.
Address Interpreter::objectOf(const Argument &argument) {
  Address place = argument.place;
  if (argument.expression) {
    if (argument.expression->getType()->isPointerType()) {
      Datum pointer = evaluate(argument.expression);
      return pointer.isPointer() ? pointer.pointer : Address();
    }
    place = locate(argument.expression).address;
  }
  if (!place.object)
    return {};
  for (const char *part : {".reference", ".pointer"})
    if (auto held = Store.find(place.part(part));
        held && held->datum && held->datum->isPointer())
      return held->datum->pointer;
  if (auto node = Store.find(place);
      node && node->datum && node->datum->isPointer())
    return node->datum->pointer;
  return place;
}

/// Calls a pointer to a member function for `object`.
Datum Interpreter::callMember(const CXXMethodDecl *method,
                              const Address &object,
                              llvm::ArrayRef<const Expr *> arguments,
                              const Expr *call) {
  Address self = object;
  if (!self.object)
    self = {Store.create("object", /*external=*/true, /*pointee=*/true),
            {"[0]"}};
  if (method->isVirtual())
    if (const CXXRecordDecl *made = dynamicType(self))
      if (const CXXMethodDecl *own =
              method->getCorrespondingMethodInClass(made, /*MayBeBase=*/true))
        method = own;
  return callFunction(method, arguments, self, {}, call);
}

/// Calls one function with arguments of any kind; `object` is the closure or
/// the function object whose operator() it is.
Datum Interpreter::callWith(const FunctionDecl *function, const Address &object,
                            llvm::ArrayRef<Argument> arguments,
                            const Expr *call) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  const bool isMember = method && method->isInstance() &&
                        method->getOverloadedOperator() != OO_Call;
  Address self = object;
  if (isMember) {
    self = arguments.empty() ? Address() : objectOf(arguments.front());
    arguments = arguments.empty() ? arguments : arguments.drop_front();
  }
  llvm::SmallVector<const Expr *> expressions;
  for (unsigned i = 0; i != arguments.size() && i < function->getNumParams();
       ++i)
    expressions.push_back(
        expressionOf(arguments[i], function->getParamDecl(i)->getType()));
  if (isMember)
    return callMember(method, self, expressions, call);
  if (!method)
    return callThrough(function, expressions, call);
  return callFunction(function, expressions, self,
                      method->getParent()->isLambda() ? self : Address(), call);
}

/// Calls what is at `callee`; nothing where it cannot be told what that is.
std::optional<Datum> Interpreter::invoke(const Address &callee, QualType type,
                                         llvm::ArrayRef<Argument> arguments,
                                         const Expr *call, unsigned depth) {
  if (depth > 8 || !callee.object)
    return std::nullopt;
  auto node = Store.find(callee);
  if (node) {
    if (auto at = node->parts.find(".reference");
        at != node->parts.end() && at->second->datum &&
        at->second->datum->isPointer())
      return invoke(at->second->datum->pointer, {}, arguments, call, depth + 1);
    if (auto at = node->parts.find(".bound"); at != node->parts.end()) {
      llvm::SmallVector<Argument> all;
      const Address bound = callee.part(".bound");
      for (unsigned i = 0;; ++i) {
        const Address one = bound.part("[" + std::to_string(i) + "]");
        auto held = Store.find(one);
        if (!held)
          break;
        auto number = held->parts.find(".placeholder");
        if (number == held->parts.end()) {
          all.push_back({nullptr, one});
          continue;
        }
        auto which = number->second->datum->known();
        if (which && *which >= 1 && size_t(*which) <= arguments.size())
          all.push_back(arguments[*which - 1]);
      }
      return invoke(callee.part(".callee"), {}, all, call, depth + 1);
    }
    if (node->parts.contains(".callee"))
      return invoke(callee.part(".callee"), {}, arguments, call, depth + 1);
  }
  llvm::SmallVector<const FunctionDecl *> candidates;
  const CXXRecordDecl *record =
      type.isNull() ? nullptr
                    : type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record && callee.path.empty())
    record = Store.object(callee.object).type;
  // A class that inherits from several lambdas has the operators of each.
  const bool isOwnClass = record && !record->isLambda() &&
                          !record->isInStdNamespace() &&
                          !callOperatorOf(record);
  if (!isOwnClass && node && node->datum && node->datum->function) {
    const FunctionDecl *function = node->datum->function;
    if (function->hasAttr<CUDAGlobalAttr>())
      return std::nullopt;
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    if (function->isDependentContext() && method)
      addCallOperators(method->getParent(), candidates);
    else
      candidates.push_back(function);
  } else {
    addCallOperators(record, candidates);
  }
  llvm::erase_if(candidates, [&](const FunctionDecl *one) {
    const FunctionDecl *definition = readDefinition(one);
    return !definition || definition->isDependentContext();
  });
  // The one whose parameters are what is given.
  if (candidates.size() > 1) {
    auto fits = [&](const FunctionDecl *one) {
      if (one->getNumParams() != arguments.size())
        return false;
      for (unsigned i = 0; i != arguments.size(); ++i)
        if (arguments[i].expression &&
            plain(arguments[i].expression->getType()) !=
                plain(one->getParamDecl(i)->getType()))
          return false;
      return true;
    };
    llvm::SmallVector<const FunctionDecl *> fitting;
    llvm::copy_if(candidates, std::back_inserter(fitting), fits);
    if (!fitting.empty())
      candidates = fitting;
  }
  if (candidates.empty())
    return std::nullopt;
  if (candidates.size() == 1)
    return callWith(candidates.front(), callee, arguments, call);
  // One of them.
  std::optional<Datum> result;
  std::vector<std::function<Flow()>> ways;
  for (const FunctionDecl *one : candidates)
    ways.push_back([&, one] {
      Datum datum = callWith(one, callee, arguments, call);
      result = result ? joinData(*result, datum) : datum;
      return Flow::Normal;
    });
  std::vector<llvm::function_ref<Flow()>> arms(ways.begin(), ways.end());
  branch({Conditions++}, arms);
  return result;
}

static llvm::SmallVector<Interpreter::Argument>
argumentsOf(llvm::ArrayRef<const Expr *> expressions) {
  llvm::SmallVector<Interpreter::Argument> result;
  for (const Expr *one : expressions)
    result.push_back({one, {}});
  return result;
}

std::optional<Datum>
Interpreter::invokeExpression(const Expr *callee,
                              llvm::ArrayRef<const Expr *> arguments,
                              const Expr *call) {
  Place place;
  if (callee->getType()->isFunctionType() || callee->isPRValue()) {
    place.address = {Store.create("callable"), {}};
    writeAddress(place.address, evaluate(callee));
  } else {
    place = locate(callee);
  }
  if (!place.known())
    return std::nullopt;
  return invoke(place.address, callee->getType(), argumentsOf(arguments), call);
}

/// Keeps a copy of what `callable` names at `address`.
void Interpreter::keepCallable(const Address &address, const Expr *callable) {
  if (callable->getType()->isFunctionType()) {
    writeAddress(address, evaluate(callable));
    return;
  }
  Place from = callable->isGLValue() ? locate(callable) : Place();
  if (!from.known()) {
    writeAddress(address, evaluate(callable));
  } else {
    writeAddress(address, takeFrom(from.address, callable->getType(),
                                   callable->isXValue()));
  }
  // An object with one operator(): what a lambda is, written out.
  auto node = Store.find(address);
  if (node && (node->datum || node->parts.contains(".callee") ||
               node->parts.contains(".reference")))
    return;
  if (const CXXMethodDecl *method =
          callOperatorOf(callable->getType()->getAsCXXRecordDecl())) {
    auto called =
        node ? std::make_shared<Node>(*node) : std::make_shared<Node>();
    called->datum = Datum::toFunction(method);
    Store.storeNode(address, called);
  }
}

/// The functions that a callable thing may call, as far as they are known.
static const FunctionDecl *targetOf(const Node *node, unsigned depth = 0) {
  if (!node || depth > 4)
    return nullptr;
  if (node->datum && node->datum->function)
    return node->datum->function;
  auto at = node->parts.find(".callee");
  return at == node->parts.end() ? nullptr
                                 : targetOf(at->second.get(), depth + 1);
}

/// Runs a callable thing that something unknown was given: it may be called,
/// once or often, now or later; `elsewhere`: perhaps by another thread.
void Interpreter::callBack(const Datum &callee, const Expr *call,
                           bool elsewhere) {
  if (callee.kind != Datum::Kind::Function &&
      callee.kind != Datum::Kind::Record)
    return;
  Address at{Store.create("lambda"), {}};
  if (callee.kind == Datum::Kind::Record)
    Store.storeNode(at, callee.record);
  else
    Store.store(at, callee);
  auto node = Store.find(at);
  const FunctionDecl *function = targetOf(node.get());
  const FunctionDecl *definition =
      function ? readDefinition(function) : nullptr;
  if (!definition || function->hasAttr<CUDAGlobalAttr>() ||
      !isRelevant(definition->getBody(), Facts))
    return;
  auto run = [&] { invoke(at, {}, {}, call); };
  auto arm = [&] {
    if (elsewhere)
      startThread(call, run);
    else
      run();
    return Flow::Normal;
  };
  auto none = [] { return Flow::Normal; };
  branch({Conditions++}, {arm, none});
}

/// Free functions of the standard library about callable things.
std::optional<Datum>
Interpreter::callableCall(const FunctionDecl *function,
                          llvm::ArrayRef<const Expr *> arguments,
                          const Expr *call) {
  if (!function->getIdentifier() || arguments.empty())
    return std::nullopt;
  const llvm::StringRef name = function->getName();
  const QualType result = function->getReturnType();
  auto made = [&](const Address &address) {
    return readAddress(address, result);
  };
  auto returned = [&](std::optional<Datum> datum) -> std::optional<Datum> {
    if (datum && result->isVoidType())
      return Datum::unknown("nothing");
    return datum;
  };
  if (name == "invoke" || name == "invoke_r" || name == "__invoke")
    return returned(
        invokeExpression(arguments[0], arguments.drop_front(), call));
  if (name == "apply" && arguments.size() == 2) {
    const CXXRecordDecl *record = arguments[1]->getType()->getAsCXXRecordDecl();
    Place callee = locate(arguments[0]), from = locate(arguments[1]);
    if (!record || libraryClassOf(record) != LibraryClass::Product ||
        !from.known() || !callee.known())
      return std::nullopt;
    if (arguments[0]->getType()->isFunctionType()) {
      callee.address = {Store.create("callable"), {}};
      writeAddress(callee.address, evaluate(arguments[0]));
    }
    llvm::SmallVector<Argument> all;
    for (unsigned i = 0, e = productTypes(record).size(); i != e; ++i) {
      Address part = from.address.part(productPart(record, i));
      if (productTypes(record)[i]->isReferenceType())
        if (auto held = Store.find(part);
            held && held->datum && held->datum->isPointer())
          part = held->datum->pointer;
      all.push_back({nullptr, part});
    }
    return returned(invoke(callee.address, arguments[0]->getType(), all, call));
  }
  if (name == "visit") {
    // Whatever the variant holds.
    Place callee = locate(arguments[0]);
    if (!callee.known())
      return std::nullopt;
    auto datum = invoke(callee.address, arguments[0]->getType(), {}, call);
    return datum ? datum : resultOfUnknown(result, "returned by a visitor");
  }
  if (name == "bind" || name == "bind_front") {
    Address bound{Store.create("bound"), {}};
    keepCallable(bound.part(".callee"), arguments[0]);
    const Address list = bound.part(".bound");
    Store.store(list.part(".kept"), Datum::of(1));
    for (const auto &[i, one] : llvm::enumerate(arguments.drop_front())) {
      const Address at = list.part("[" + std::to_string(i) + "]");
      const CXXRecordDecl *record =
          one->getType().getNonReferenceType()->getAsCXXRecordDecl();
      if (record && record->getIdentifier() &&
          record->getName() == "_Placeholder") {
        const auto *number = dyn_cast<ClassTemplateSpecializationDecl>(record);
        if (number && number->getTemplateArgs().size())
          Store.store(
              at.part(".placeholder"),
              Datum::of(
                  number->getTemplateArgs()[0].getAsIntegral().getExtValue()));
        continue;
      }
      Place from = one->isGLValue() ? locate(one) : Place();
      writeAddress(at, from.known() ? readAddress(from.address, one->getType())
                                    : evaluate(one));
    }
    return made(bound);
  }
  if (name == "mem_fn" && arguments.size() == 1) {
    Address kept{Store.create("member"), {}};
    keepCallable(kept.part(".callee"), arguments[0]);
    return made(kept);
  }
  if ((name == "ref" || name == "cref") && arguments.size() == 1) {
    Place place = locate(arguments[0]);
    if (!place.known())
      return std::nullopt;
    Address kept{Store.create("reference"), {}};
    Store.store(kept.part(".reference"), Datum::to(place.address));
    return made(kept);
  }
  if (name == "for_each" || name == "for_each_n")
    return forEachElement(function, arguments, call);
  return std::nullopt;
}

/// std::for_each(policy, first, last, callable): one turn for each element;
/// with a parallel policy each by a thread.
std::optional<Datum>
Interpreter::forEachElement(const FunctionDecl *function,
                            llvm::ArrayRef<const Expr *> arguments,
                            const Expr *call) {
  const CXXRecordDecl *policy =
      arguments[0]->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const bool hasPolicy = arguments.size() == 4;
  if (hasPolicy)
    arguments = arguments.drop_front();
  const bool parallel = hasPolicy && policy && policy->getIdentifier() &&
                        policy->getName().starts_with("parallel");
  if (arguments.size() != 3)
    return std::nullopt;
  Place callee = locate(arguments[2]);
  if (!callee.known())
    return std::nullopt;
  auto iterator = [&](const Expr *one) {
    return one->isGLValue() ? read(locate(one), one->getType(), one)
                            : evaluate(one);
  };
  Datum first = iterator(arguments[0]), last = iterator(arguments[1]);
  std::optional<int64_t> count;
  auto indexOf = [](const Datum &datum) -> std::optional<int64_t> {
    int64_t index;
    if (!datum.isPointer() || datum.pointer.path.empty() ||
        llvm::StringRef(datum.pointer.path.back())
            .drop_front()
            .drop_back()
            .getAsInteger(10, index))
      return std::nullopt;
    return index;
  };
  const std::optional<int64_t> from = indexOf(first);
  if (function->getName() == "for_each_n")
    count = last.known();
  else if (auto to = indexOf(last);
           from && to && first.pointer.object == last.pointer.object &&
           !last.sample)
    count = *to - *from;
  int64_t at = 0;
  const size_t steps = Result.steps.size();
  auto condition = [&]() -> std::optional<bool> {
    if (!count)
      return std::nullopt;
    return at < *count;
  };
  auto once = [&] {
    Address element{Store.create("element", /*external=*/true), {}};
    if (from) {
      element = first.pointer;
      element.path.back() = "[" + std::to_string(*from + at) + "]";
    }
    llvm::SmallVector<Argument, 1> list = {{nullptr, element}};
    invoke(callee.address, arguments[2]->getType(), list, call);
  };
  auto body = [&] {
    if (parallel)
      startThread(call, once);
    else
      once();
    return Flow::Normal;
  };
  auto next = [&] { ++at; };
  Loop shape;
  shape.statement = call;
  shape.condition = condition;
  shape.body = body;
  shape.next = next;
  shape.turns = count ? coreside::Value::known(*count)
                      : coreside::Value::unknown("the length of a range");
  std::optional<Flow> flow;
  if (count && *count <= Options.turnLimit && Evaluations < unrollBudget)
    flow = unroll(shape);
  if (!flow) {
    at = 0;
    count.reset();
    runGeneral(shape);
  }
  if (parallel)
    joinStarted(steps, function->getName(), call);
  return Datum::unknown("the callable of std::for_each");
}

} // namespace coreside
