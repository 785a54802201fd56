// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   calls of the C and C++ libraries.
// Out:  their results, for the few whose results reach launches: min and max,
//       rounding, containers that hold streams, smart pointers, std::function.
//
// A container is an array with a part ".size"; a smart pointer is a structure
// with a part ".pointer".

#include "Interpreter.h"

#include "Lifetimes.h"
#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace clang;

namespace coreside {

static llvm::StringRef classOf(const CXXRecordDecl *record) {
  return record && record->getIdentifier() && record->isInStdNamespace()
             ? record->getName()
             : "";
}

static bool isSmartPointer(const CXXRecordDecl *record) {
  LibraryClass which = libraryClassOf(record);
  return which == LibraryClass::UniquePointer ||
         which == LibraryClass::SharedPointer;
}

static bool isThread(llvm::StringRef name) {
  return name == "thread" || name == "jthread";
}

/// How many elements, where that is known (in a loop that was not unrolled: in
/// the turn that is run).
std::optional<int64_t> Interpreter::sizeOf(const Address &container) {
  auto node = Store.find(container.part(".size"));
  if (node && node->datum)
    return node->datum->known();
  return std::nullopt;
}

/// std::thread(callable, arguments...): `object` is the thread object.
void Interpreter::runThread(const Address &object,
                            llvm::ArrayRef<const Expr *> arguments,
                            const Expr *call) {
  Place from = locate(arguments[0]);
  if (!from.known())
    return;
  Datum callee = arguments[0]->getType()->isFunctionType()
                     ? evaluate(arguments[0])
                     : readAddress(from.address, arguments[0]->getType());
  // Moved from another thread object.
  if (callee.kind == Datum::Kind::Record && callee.record &&
      callee.record->parts.contains(".thread")) {
    writeAddress(object, callee);
    return;
  }
  Address called = from.address;
  if (callee.kind == Datum::Kind::Function) {
    called = {Store.create("callable"), {}};
    Store.store(called, callee);
  }
  llvm::SmallVector<Argument> all;
  for (const Expr *one : arguments.drop_front())
    all.push_back({one, {}});
  unsigned number = startThread(
      call, [&] { invoke(called, arguments[0]->getType(), all, call); });
  writeAddress(object.part(".thread"), Datum::of(number));
}

bool Interpreter::libraryConstruct(const Address &address,
                                   const CXXConstructExpr *expression) {
  const auto *record = expression->getConstructor()->getParent();
  llvm::StringRef name = classOf(record);
  if (name.empty())
    return false;
  llvm::ArrayRef<const Expr *> arguments(expression->getArgs(),
                                         expression->getNumArgs());
  auto isDefault = [](const Expr *one) { return isa<CXXDefaultArgExpr>(one); };
  size_t given = 0;
  while (given < arguments.size() && !isDefault(arguments[given]))
    ++given;
  if (name == "vector" || name == "deque") {
    if (given == 0) {
      Store.store(address.part(".size"), Datum::of(0));
      return true;
    }
    QualType first = arguments[0]->getType().getNonReferenceType();
    if (integerType(first)) {
      Datum count = evaluate(arguments[0]);
      std::optional<Datum> fill;
      if (given > 1) {
        Place place = locate(arguments[1]);
        fill = read(place, arguments[1]->getType(), nullptr);
      }
      if (auto number = count.known(); number && *number <= 1024) {
        const auto *specialisation =
            dyn_cast<ClassTemplateSpecializationDecl>(record);
        QualType element =
            specialisation && specialisation->getTemplateArgs().size()
                ? specialisation->getTemplateArgs()[0].getAsType()
                : QualType();
        for (int64_t i = 0; i < *number && i < 256; ++i) {
          Address at = address.part("[" + std::to_string(i) + "]");
          if (fill)
            writeAddress(at, *fill);
          else if (!element.isNull() && !element->isRecordType())
            zero(at, element);
          else if (!element.isNull() && i < 64 && hasEnd(element))
            constructInPlace(at, element, {}, expression);
        }
      }
      writeAddress(address.part(".size"), count);
      return true;
    }
    if (const auto *list = first->getAsCXXRecordDecl();
        classOf(list) == "initializer_list") {
      Datum datum = evaluate(arguments[0]);
      writeAddress(address, datum);
      return true;
    }
    for (const Expr *one : arguments)
      if (!isDefault(one))
        one->isGLValue() ? (void)locate(one) : (void)evaluate(one);
    loseAddress(address, "copied");
    return true;
  }
  if (isSmartPointer(record)) {
    constructOwner(address, arguments.take_front(given));
    return true;
  }
  if (constructWrapper(address, expression))
    return true;
  if (isCallableWrapper(record) && given > 0) {
    if (name == "reference_wrapper")
      return false;
    keepCallable(address.part(".callee"), arguments[0]);
    return true;
  }
  if (isThread(name) && given > 0) {
    runThread(address, arguments.take_front(given), expression);
    return true;
  }
  return false;
}

std::optional<Datum>
Interpreter::libraryCall(const FunctionDecl *function,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Place &object, const Expr *call) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method) {
    llvm::StringRef type = classOf(method->getParent());
    if (type.empty())
      return std::nullopt;
    std::string name = function->getNameAsString();
    QualType result = function->getReturnType();
    if (libraryClassOf(method->getParent()) == LibraryClass::Container) {
      const Address &container = object.address;
      auto size = [&]() -> Datum {
        if (type == "array")
          if (const auto *specialisation =
                  dyn_cast<ClassTemplateSpecializationDecl>(
                      method->getParent());
              specialisation && specialisation->getTemplateArgs().size() > 1)
            return Datum::of(specialisation->getTemplateArgs()[1]
                                 .getAsIntegral()
                                 .getExtValue());
        auto node =
            object.known() ? Store.find(container.part(".size")) : nullptr;
        if (node && node->datum && node->datum->isNumber())
          return *node->datum;
        std::string text = textOf(call);
        if (text.empty())
          return Datum::of(within(coreside::Value::unknown("its size"), 0,
                                  coreside::Value::highest));
        Datum named = symbol(text, Context.getSizeType(), /*stable=*/false);
        return named;
      };
      auto element = [&](const Datum &index) -> Datum {
        if (!object.known())
          return Datum::unknown(object.why);
        auto pick = index.pick();
        if (!pick) {
          Datum somewhere = Datum::unknown("which element is not known");
          somewhere.pointer = container.part("[0]");
          return somewhere;
        }
        Datum place =
            Datum::to(container.part("[" + std::to_string(*pick) + "]"));
        if (!index.known())
          place.sample = pick;
        return place;
      };
      if (name == "operator[]" || name == "at") {
        return element(evaluate(arguments[0]));
      }
      if (name == "front" || name == "data" || name == "begin" ||
          name == "cbegin")
        return element(Datum::of(0));
      if (name == "back") {
        Datum count = size();
        if (auto number = count.pick())
          return element(Datum::of(*number - 1));
        return Datum::unknown("which element is not known");
      }
      if (name == "end" || name == "cend")
        return element(size());
      if (name == "size")
        return size();
      if (name == "empty")
        return Datum::of(apply(coreside::Operation::Equal,
                               numberOf(size(), Context.getSizeType(), call),
                               coreside::Value::known(0), {64, false}));
      if (name == "push_back" || name == "emplace_back") {
        Datum count = size();
        Datum value = Datum::unknown("made in place");
        QualType made = typeArgument(method->getParent(), 0);
        const auto *record =
            made.isNull() ? nullptr : made->getAsCXXRecordDecl();
        bool sameType = arguments.size() == 1 && record &&
                        arguments[0]
                                ->getType()
                                .getNonReferenceType()
                                ->getAsCXXRecordDecl() == record;
        if (isThread(classOf(record)) && !sameType && !arguments.empty()) {
          Address thread{Store.create("thread"), {}};
          runThread(thread, arguments, call);
          value = readAddress(thread, made);
        } else {
          Address newest{Store.create("element"), {}};
          constructInPlace(newest, made, arguments, call);
          value = readAddress(newest, made);
        }
        Datum where = element(count);
        if (where.isPointer())
          writeAddress(where.pointer, value);
        if (object.known() && count.isNumber()) {
          Datum next = Datum::of(apply(coreside::Operation::Add, count.number,
                                       coreside::Value::known(1), {64, false}));
          if (auto pick = count.pick(); pick && !next.known())
            next.sample = *pick + 1;
          writeAddress(container.part(".size"), next);
        }
        if (result->isVoidType())
          return Datum::unknown("nothing");
        return where;
      }
      if (name == "resize" || (name == "assign" && arguments.size() == 2 &&
                               integerType(arguments[0]->getType()))) {
        const bool isFilled =
            arguments.size() == 2 && !isa<CXXDefaultArgExpr>(arguments[1]);
        Datum count = evaluate(arguments[0]), before = size();
        QualType made = typeArgument(method->getParent(), 0);
        std::optional<Datum> value;
        if (isFilled)
          value = read(locate(arguments[1]), made, arguments[1]);
        if (!object.known())
          return Datum::unknown("nothing");
        // The elements that it makes; those before are kept.
        std::optional<int64_t> first = name == "assign" ? 0 : before.known();
        if (name == "assign")
          loseAddress(container, "assigned to");
        writeAddress(container.part(".size"), count);
        if (auto last = count.known(); last && first && *last <= 1024)
          for (int64_t i = *first; i < std::min<int64_t>(*last, 256); ++i) {
            Address at = container.part("[" + std::to_string(i) + "]");
            if (value)
              writeAddress(at, *value);
            else if (!made.isNull() && !made->isRecordType())
              zero(at, made);
            else if (Store.find(at))
              loseAddress(at, "made by '" + name + "'");
          }
        return Datum::unknown("nothing");
      }
      if (name == "reserve" || name == "shrink_to_fit") {
        for (const Expr *one : arguments)
          evaluate(one);
        return Datum::unknown("nothing");
      }
      if (name == "clear") {
        if (object.known())
          endLifetime(container,
                      Context.getCanonicalTagType(method->getParent()));
        if (object.known()) {
          // Nothing is left of what it held.
          loseAddress(container, "cleared");
          writeAddress(container.part(".size"), Datum::of(0));
        }
        return Datum::unknown("nothing");
      }
      if (name == "fill" && arguments.size() == 1) {
        if (object.known())
          loseAddress(container, "filled");
        return Datum::unknown("nothing");
      }
      return std::nullopt;
    }
    if (libraryClassOf(method->getParent()) == LibraryClass::Optional)
      return optionalCall(method, arguments, object, call);
    if (libraryClassOf(method->getParent()) == LibraryClass::Product &&
        name == "operator=" && arguments.size() == 1 &&
        productAssignment(method, arguments[0], object))
      return Datum::to(object.address);
    if (isSmartPointer(method->getParent()))
      return ownerCall(method, arguments, object);
    if ((type == "thread" || type == "jthread") && name == "join" &&
        object.known()) {
      if (auto node = Store.find(object.address.part(".thread"));
          node && node->datum)
        joinThread(*node->datum, "std::thread::join", call);
      return Datum::unknown("nothing");
    }
    if ((type == "future" || type == "shared_future" ||
         type == "__basic_future") &&
        (name == "get" || name == "wait") && object.known()) {
      if (auto node = Store.find(object.address.part(".thread"));
          node && node->datum)
        joinThread(*node->datum, "std::future::" + name, call);
      return resultOfUnknown(result, "returned by '" + name + "'");
    }
    if (isCallableWrapper(method->getParent()) && object.known()) {
      if (name == "operator()") {
        llvm::SmallVector<Argument> all;
        for (const Expr *one : arguments)
          all.push_back({one, {}});
        return invoke(object.address, {}, all, call);
      }
      if (name == "get_future" || name == "valid")
        return resultOfUnknown(result, "returned by '" + name + "'");
      if (type == "reference_wrapper" &&
          (name == "get" || isa<CXXConversionDecl>(method)))
        if (auto held = Store.find(object.address.part(".reference"));
            held && held->datum)
          return *held->datum;
    }
    return std::nullopt;
  }

  if (!function->getIdentifier())
    return std::nullopt;
  bool library =
      function->isInStdNamespace() || function->isExternC() ||
      function->getBuiltinID() ||
      Context.getSourceManager().isInSystemHeader(function->getLocation()) ||
      llvm::StringRef(placeOf(function->getLocation(), Context).file)
          .starts_with("/coreside-headers");
  if (!library)
    return std::nullopt;
  llvm::StringRef name = function->getName();
  QualType result = function->getReturnType();

  // References come back as the address of what they refer to.
  auto asResult = [&](Datum datum) -> Datum {
    if (!result->isReferenceType())
      return datum;
    Address address{Store.create("temporary"), {}};
    Store.store(address, std::move(datum));
    return Datum::to(address);
  };
  auto argument = [&](unsigned index) -> Datum {
    const Expr *one = arguments[index];
    if (function->getParamDecl(index)->getType()->isReferenceType())
      return read(locate(one), one->getType(), one);
    return evaluate(one);
  };

  if (function->isInStdNamespace()) {
    if (auto result = wrapperCall(function, arguments, call))
      return result;
    if (auto result = callableCall(function, arguments, call))
      return result;
  }
  // make_uint3(x, y, z) of CUDA's vector types.
  if (const auto *record = result->getAsCXXRecordDecl();
      record && record->hasDefinition() && name.starts_with("make_") &&
      record->getIdentifier() && record->getName() == name.drop_front(5) &&
      std::distance(record->field_begin(), record->field_end()) ==
          int64_t(arguments.size())) {
    Address made{Store.create("temporary"), {}};
    for (const auto &[field, one] : llvm::zip(record->fields(), arguments))
      writeAddress(made.part("." + field->getNameAsString()), evaluate(one));
    return readAddress(made, result);
  }
  if ((name == "min" || name == "max") && arguments.size() == 2) {
    Datum left = argument(0), right = argument(1);
    QualType type = result.getNonReferenceType();
    if (auto integer = integerType(type)) {
      auto operation = name == "min" ? coreside::Operation::Minimum
                                     : coreside::Operation::Maximum;
      Datum value = Datum::of(apply(operation, numberOf(left, type, call),
                                    numberOf(right, type, call), *integer));
      return asResult(value);
    }
    if (left.real && right.real)
      return asResult(Datum::ofReal(name == "min"
                                        ? std::min(*left.real, *right.real)
                                        : std::max(*left.real, *right.real)));
    Datum value;
    value.kind = Datum::Kind::Real;
    value.text = textOf(call);
    return asResult(value);
  }
  // std::min({a, b, c})
  if ((name == "min" || name == "max") && arguments.size() == 1 &&
      function->isInStdNamespace())
    if (auto integer = integerType(result)) {
      const auto *list =
          dyn_cast<CXXStdInitializerListExpr>(arguments[0]->IgnoreImplicit());
      const auto *made = dyn_cast<InitListExpr>(
          (list ? list->getSubExpr() : arguments[0])->IgnoreImplicit());
      if (made && made->getNumInits()) {
        std::optional<coreside::Value> least;
        for (const Expr *one : made->inits()) {
          coreside::Value value = numberOf(evaluate(one), result, one);
          least = least ? apply(name == "min" ? coreside::Operation::Minimum
                                              : coreside::Operation::Maximum,
                                *least, value, *integer)
                        : value;
        }
        return Datum::of(*least);
      }
    }
  // Nothing is defined where low is more than high.
  if (name == "clamp" && arguments.size() == 3 && function->isInStdNamespace())
    if (QualType type = result.getNonReferenceType();
        auto integer = integerType(type)) {
      coreside::Value value = numberOf(argument(0), type, arguments[0]);
      coreside::Value low = numberOf(argument(1), type, arguments[1]);
      coreside::Value high = numberOf(argument(2), type, arguments[2]);
      return asResult(Datum::of(
          apply(coreside::Operation::Maximum,
                apply(coreside::Operation::Minimum, value, high, *integer), low,
                *integer)));
    }
  if ((name == "move" || name == "forward" || name == "as_const" ||
       name == "addressof") &&
      arguments.size() == 1 && function->isInStdNamespace()) {
    Place place = locate(arguments[0]);
    return place.known() ? Datum::to(place.address) : Datum::unknown(place.why);
  }
  if (name == "swap" && arguments.size() == 2 && function->isInStdNamespace()) {
    Place left = locate(arguments[0]), right = locate(arguments[1]);
    QualType type = arguments[0]->getType();
    Datum first = read(left, type, arguments[0]);
    Datum second = read(right, type, arguments[1]);
    write(left, second);
    write(right, first);
    return Datum::unknown("nothing");
  }
  // std::async(policy, callable, arguments...): its future is what a thread
  // object is, and get and wait join.
  if (name == "async" && function->isInStdNamespace()) {
    llvm::ArrayRef<const Expr *> called = arguments;
    if (!called.empty() && called[0]->getType()->isEnumeralType())
      called = called.drop_front();
    Address future{Store.create("future"), {}};
    if (!called.empty())
      runThread(future, called, call);
    return readAddress(future, result);
  }
  if (isMakeOwner(function))
    return makeOwner(function, arguments, call);
  if (name == "pthread_create" && arguments.size() == 4) {
    Datum handle = evaluate(arguments[0]);
    Datum callee = evaluate(arguments[2]);
    const FunctionDecl *definition = callee.kind == Datum::Kind::Function
                                         ? readDefinition(callee.function)
                                         : nullptr;
    if (definition && isRelevant(definition->getBody(), Facts)) {
      unsigned number = startThread(call, [&] {
        callFunction(callee.function, arguments.slice(3, 1), {}, {}, call);
      });
      if (handle.isPointer())
        writeAddress(handle.pointer, Datum::of(number));
    } else {
      evaluate(arguments[3]);
    }
    return Datum::of(0);
  }
  if (name == "pthread_join" && arguments.size() == 2) {
    const Expr *handle = arguments[0];
    joinThread(evaluate(handle), "pthread_join", call);
    return Datum::of(0);
  }
  if (name == "malloc" || name == "calloc" || name == "realloc" ||
      name == "aligned_alloc" || name == "valloc") {
    for (const Expr *one : arguments)
      evaluate(one);
    return Datum::to({Store.create(""), {"[0]"}});
  }
  if (name == "free") {
    evaluate(arguments[0]);
    return Datum::unknown("nothing");
  }
  if (result->isRealFloatingType() || result->isIntegralType(Context)) {
    std::string plain = name.str();
    llvm::StringRef root = plain;
    root.consume_front("__builtin_");
    auto one = [&](double (*calculation)(double)) -> std::optional<Datum> {
      Datum datum = argument(0);
      std::optional<double> real = datum.real;
      if (auto number = datum.known())
        real = static_cast<double>(*number);
      if (real) {
        double value = calculation(*real);
        if (result->isSpecificBuiltinType(BuiltinType::Float))
          value = static_cast<float>(value);
        if (std::isfinite(value))
          return Datum::ofReal(value);
      }
      Datum value;
      value.kind = Datum::Kind::Real;
      value.text = textOf(call);
      return value;
    };
    if (arguments.size() == 1 && result->isRealFloatingType()) {
      auto calculation =
          llvm::StringSwitch<double (*)(double)>(root)
              .Cases({"ceil", "ceilf", "ceill"},
                     [](double x) { return std::ceil(x); })
              .Cases({"floor", "floorf", "floorl"},
                     [](double x) { return std::floor(x); })
              .Cases({"round", "roundf", "roundl"},
                     [](double x) { return std::round(x); })
              .Cases({"trunc", "truncf"},
                     [](double x) { return std::trunc(x); })
              .Cases({"sqrt", "sqrtf"}, [](double x) { return std::sqrt(x); })
              .Cases({"fabs", "fabsf", "abs"},
                     [](double x) { return std::fabs(x); })
              .Cases({"log2", "log2f"}, [](double x) { return std::log2(x); })
              .Cases({"log", "logf"}, [](double x) { return std::log(x); })
              .Cases({"exp2", "exp2f"}, [](double x) { return std::exp2(x); })
              .Default(nullptr);
      if (calculation)
        return one(calculation);
    }
    if (arguments.size() == 2 &&
        (root == "pow" || root == "powf" || root == "fmin" || root == "fmax")) {
      Datum a = argument(0), b = argument(1);
      auto real = [](const Datum &datum) {
        if (auto number = datum.known())
          return std::optional(static_cast<double>(*number));
        return datum.real;
      };
      auto x = real(a), y = real(b);
      if (x && y)
        return Datum::ofReal(root == "fmin"   ? std::fmin(*x, *y)
                             : root == "fmax" ? std::fmax(*x, *y)
                                              : std::pow(*x, *y));
      Datum value;
      value.kind = Datum::Kind::Real;
      value.text = textOf(call);
      return value;
    }
    if ((root == "abs" || root == "labs") && arguments.size() == 1) {
      Datum datum = argument(0);
      if (auto number = datum.known())
        return Datum::of(*number < 0 ? -*number : *number);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

} // namespace coreside
