// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the standard library that hold objects by value.
//
// In:   std::optional, std::pair, std::tuple, std::exchange.
// Out:  what they hold.
//
// An optional is an array of at most one element with a part ".size"; a tuple
// is an array; one of references holds addresses.

#include "Interpreter.h"

#include "Lifetimes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace coreside {

/// nullopt, piecewise_construct and the like say how, not what.
static bool isTag(QualType type, llvm::StringRef name) {
  const CXXRecordDecl *record =
      type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->isInStdNamespace() &&
         record->getName() == name;
}

static bool isOf(QualType type, const CXXRecordDecl *record) {
  const CXXRecordDecl *other = type.getNonReferenceType()->getAsCXXRecordDecl();
  return other && other->getCanonicalDecl() == record->getCanonicalDecl();
}

bool Interpreter::constructWrapper(const Address &address,
                                   const CXXConstructExpr *expression) {
  const CXXRecordDecl *record = expression->getConstructor()->getParent();
  const LibraryClass which = libraryClassOf(record);
  llvm::ArrayRef<const Expr *> arguments(expression->getArgs(),
                                         expression->getNumArgs());
  while (!arguments.empty() && isa<CXXDefaultArgExpr>(arguments.back()))
    arguments = arguments.drop_back();
  if (which == LibraryClass::Optional) {
    if (arguments.empty() || isTag(arguments[0]->getType(), "nullopt_t")) {
      Store.store(address.part(".size"), Datum::of(0));
      return true;
    }
    if (const CXXRecordDecl *from =
            arguments[0]->getType()->getAsCXXRecordDecl();
        from && libraryClassOf(from) == LibraryClass::Optional)
      return false;
    if (isTag(arguments[0]->getType(), "in_place_t"))
      arguments = arguments.drop_front();
    constructInPlace(address.part("[0]"), typeArgument(record, 0), arguments,
                     expression);
    Store.store(address.part(".size"), Datum::of(1));
    return true;
  }
  if (which != LibraryClass::Product)
    return false;
  const llvm::SmallVector<QualType> types = productTypes(record);
  if (arguments.empty()) {
    for (size_t i = 0; i != types.size(); ++i)
      zero(address.part(productPart(record, i)), types[i]);
    return true;
  }
  if (arguments.size() != types.size())
    return false;
  for (size_t i = 0; i != types.size(); ++i) {
    const Address part = address.part(productPart(record, i));
    if (!types[i]->isReferenceType()) {
      constructInPlace(part, types[i], arguments[i], expression);
    } else if (Place place = locate(arguments[i]); place.known()) {
      Store.store(part, Datum::to(place.address));
    }
  }
  return true;
}

void Interpreter::endOptional(const Address &address,
                              const CXXRecordDecl *record) {
  auto end = [&] {
    endLifetime(address.part("[0]"), typeArgument(record, 0));
    return Flow::Normal;
  };
  auto size = Store.find(address.part(".size"));
  std::optional<int64_t> count =
      size && size->datum ? size->datum->known() : std::nullopt;
  if (count) {
    if (*count)
      end();
    return;
  }
  auto none = [] { return Flow::Normal; };
  branch({Conditions++}, {end, none});
}

/// A member function of the std::optional `object`.
std::optional<Datum>
Interpreter::optionalCall(const CXXMethodDecl *method,
                          llvm::ArrayRef<const Expr *> arguments,
                          const Place &object, const Expr *call) {
  if (!object.known())
    return std::nullopt;
  const CXXRecordDecl *record = method->getParent();
  const Address held = object.address.part("[0]");
  const Address size = object.address.part(".size");
  const std::string name = method->getNameAsString();
  auto engaged = [&]() -> std::optional<bool> {
    auto node = Store.find(size);
    if (node && node->datum)
      return truthOf(*node->datum);
    return std::nullopt;
  };
  if (name == "operator*" || name == "operator->" || name == "value")
    return Datum::to(held);
  if (name == "has_value" || isa<CXXConversionDecl>(method)) {
    if (auto truth = engaged())
      return Datum::of(*truth);
    return Datum::of(within(coreside::Value::unknown(
                                "whether '" + textOf(call) + "' holds a value"),
                            0, 1));
  }
  if (name == "value_or" && arguments.size() == 1 && engaged()) {
    if (*engaged())
      return readAddress(held, typeArgument(record, 0));
    return arguments[0]->isGLValue()
               ? read(locate(arguments[0]), arguments[0]->getType(),
                      arguments[0])
               : evaluate(arguments[0]);
  }
  const bool resets =
      name == "reset" || (name == "operator=" && arguments.size() == 1 &&
                          isTag(arguments[0]->getType(), "nullopt_t"));
  if (resets) {
    endOptional(object.address, record);
    writeAddress(size, Datum::of(0));
    return Datum::to(object.address);
  }
  if (name == "emplace" || (name == "operator=" && arguments.size() == 1 &&
                            !isOf(arguments[0]->getType(), record))) {
    endOptional(object.address, record);
    constructInPlace(held, typeArgument(record, 0), arguments, call);
    writeAddress(size, Datum::of(1));
    return name == "emplace" ? Datum::to(held) : Datum::to(object.address);
  }
  return std::nullopt;
}

/// std::tie(a, b) = pair: stores through the references that it holds. Whether
/// it was one of those.
bool Interpreter::productAssignment(const CXXMethodDecl *method,
                                    const Expr *source, const Place &object) {
  const llvm::SmallVector<QualType> types = productTypes(method->getParent());
  const CXXRecordDecl *from = source->getType()->getAsCXXRecordDecl();
  if (!object.known() || !from ||
      libraryClassOf(from) != LibraryClass::Product ||
      llvm::none_of(types, [](QualType one) { return one->isReferenceType(); }))
    return false;
  const Place place = locate(source);
  const llvm::SmallVector<QualType> sources = productTypes(from);
  for (size_t i = 0; i != types.size(); ++i) {
    auto held =
        Store.find(object.address.part(productPart(method->getParent(), i)));
    if (!held || !held->datum || !held->datum->isPointer())
      continue;
    if (place.known() && i < sources.size())
      writeAddress(held->datum->pointer,
                   readAddress(place.address.part(productPart(from, i)),
                               sources[i].getNonReferenceType()));
    else
      loseAddress(held->datum->pointer, "assigned by std::tie");
  }
  return true;
}

/// Functions that make and take apart such objects.
std::optional<Datum>
Interpreter::wrapperCall(const FunctionDecl *function,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Expr *call) {
  if (!function->getIdentifier())
    return std::nullopt;
  const llvm::StringRef name = function->getName();
  const QualType result = function->getReturnType();
  if (name == "exchange" && arguments.size() == 2) {
    Place place = locate(arguments[0]);
    QualType type = arguments[0]->getType();
    Datum before = read(place, type, arguments[0]);
    write(place, arguments[1]->isGLValue()
                     ? read(locate(arguments[1]), arguments[1]->getType(),
                            arguments[1])
                     : evaluate(arguments[1]));
    return before;
  }
  const CXXRecordDecl *made =
      result.getNonReferenceType()->getAsCXXRecordDecl();
  if ((name == "make_pair" || name == "make_tuple" || name == "tie" ||
       name == "forward_as_tuple") &&
      made && libraryClassOf(made) == LibraryClass::Product) {
    const llvm::SmallVector<QualType> types = productTypes(made);
    if (types.size() != arguments.size())
      return std::nullopt;
    Address temporary{Store.create("temporary"), {}};
    for (size_t i = 0; i != types.size(); ++i) {
      const Address part = temporary.part(productPart(made, i));
      if (!types[i]->isReferenceType()) {
        constructInPlace(part, types[i], arguments[i], call);
      } else if (Place place = locate(arguments[i]); place.known()) {
        Store.store(part, Datum::to(place.address));
      }
    }
    return readAddress(temporary, result);
  }
  if (name == "make_optional" && made && arguments.size() >= 1) {
    Address temporary{Store.create("temporary"), {}};
    constructInPlace(temporary.part("[0]"), typeArgument(made, 0), arguments,
                     call);
    Store.store(temporary.part(".size"), Datum::of(1));
    return readAddress(temporary, result);
  }
  // std::get<1>(tuple)
  const TemplateArgumentList *list = function->getTemplateSpecializationArgs();
  if (name == "get" && arguments.size() == 1 && list && list->size()) {
    const CXXRecordDecl *of =
        arguments[0]->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!of || (libraryClassOf(of) != LibraryClass::Product &&
                of->getName() != "array"))
      return std::nullopt;
    std::optional<unsigned> number;
    if (list->get(0).getKind() == TemplateArgument::Integral) {
      number = list->get(0).getAsIntegral().getZExtValue();
    } else if (list->get(0).getKind() == TemplateArgument::Type) {
      const llvm::SmallVector<QualType> types = productTypes(of);
      for (unsigned i = 0; i != types.size(); ++i)
        if (Context.hasSameType(types[i], list->get(0).getAsType()))
          number = i;
    }
    Place place = locate(arguments[0]);
    if (!number)
      return std::nullopt;
    if (!place.known())
      return Datum::unknown(place.why);
    const Address part = place.address.part(productPart(of, *number));
    auto held = Store.find(part);
    const llvm::SmallVector<QualType> types = productTypes(of);
    if (*number < types.size() && types[*number]->isReferenceType() && held &&
        held->datum && held->datum->isPointer())
      return *held->datum;
    return Datum::to(part);
  }
  return std::nullopt;
}

} // namespace coreside
