// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   expressions.
// Out:  what they yield (Datum) or name (Place).

#include "Interpreter.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace clang;

namespace coreside {

// Types.

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

// Text.

/// The source of an expression in one line, or nothing where it is long.
std::string Interpreter::textOf(const Expr *expression) const {
  if (!expression)
    return "";
  const SourceManager &sources = Context.getSourceManager();
  SourceRange range = expression->IgnoreImplicit()->getSourceRange();
  if (range.isInvalid())
    return "";
  CharSourceRange characters = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(range), sources, Context.getLangOpts());
  if (characters.isInvalid())
    characters = sources.getExpansionRange(range);
  llvm::StringRef text =
      Lexer::getSourceText(characters, sources, Context.getLangOpts());
  if (text.empty() || text.size() > 80 || text.contains('\n'))
    return "";
  return text.trim().str();
}

/// A number called by a name. `stable`: nothing else will be called so.
Datum Interpreter::symbol(const std::string &name, QualType type, bool stable) {
  SymbolUses[name] += stable ? 1 : 2;
  IntegerType integer = integerType(type).value_or(IntegerType{64, true});
  return Datum::of(
      coreside::Value::symbolic(name, integer.lowest(), integer.highest()));
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

// Memory.

Address Interpreter::globalAddress(const VarDecl *variable) {
  variable = variable->getCanonicalDecl();
  auto at = Globals.find(variable);
  if (at != Globals.end())
    return at->second;
  QualType type = variable->getType();
  const VarDecl *definition = nullptr;
  const Expr *initialiser = variable->getAnyInitializer(definition);
  bool constant =
      variable->isConstexpr() || type.getNonReferenceType().isConstQualified();
  bool own = !variable->hasExternalFormalLinkage();
  // Kernels store to it as well, or something that C++ does not see.
  bool shared = !constant && (variable->hasAttr<CUDADeviceAttr>() ||
                              variable->hasAttr<HIPManagedAttr>() ||
                              type.isVolatileQualified());
  for (const auto *attribute : variable->specific_attrs<AnnotateAttr>())
    shared = shared || attribute->getAnnotation() == "coreside.managed";
  // It holds its initial value where nothing can have stored to it before:
  // constants, what only this file sees and never stores to, and everything at
  // the start of main.
  bool initial = constant ||
                 (own && !shared && !Facts.stored.contains(variable)) ||
                 (MainTrace && !variable->isStaticLocal() && !shared);
  std::string name = variable->getNameAsString();
  if (type->isReferenceType()) {
    Place place;
    if (initialiser)
      place = locate(initialiser);
    Address address = place.known()
                          ? place.address
                          : Address{Store.create(name, /*external=*/true), {}};
    return Globals[variable] = address;
  }
  bool defined = initialiser || (MainTrace && own);
  unsigned object = Store.create(name, /*external=*/!(initial && defined));
  Address address{object, {}};
  Globals[variable] = address;
  if (shared)
    Store.share(object);
  if (initial && initialiser && !initialiser->isValueDependent()) {
    // Run aside, so that the value is there on every way through the code.
    Store.beginChanges();
    unsigned weak = WeakBelow;
    WeakBelow = 0;
    this->initialise(address, type, initialiser);
    WeakBelow = weak;
    auto root = Store.find(address);
    Store.takeBack();
    Store.initialise(object, root);
  }
  return address;
}

Address Interpreter::variableAddress(const VarDecl *variable) {
  if (variable->hasLocalStorage() || isa<ParmVarDecl>(variable)) {
    for (Frame &frame : llvm::reverse(Frames)) {
      auto at = frame.variables.find(variable);
      if (at != frame.variables.end())
        return at->second;
      if (!frame.closure.object)
        break;
    }
    // A lambda's body that runs where its captures are not known.
    Address address{Store.create(variable->getNameAsString(),
                                 /*external=*/true),
                    {}};
    if (!Frames.empty())
      Frames.back().variables[variable] = address;
    return address;
  }
  return globalAddress(variable);
}

Interpreter::Place Interpreter::partOf(const Place &place,
                                       const FieldDecl *field) {
  if (!place.known())
    return place;
  Place result = place;
  // The members of anonymous structs and unions, and the array in a std::array,
  // are parts of what they stand in.
  std::string name = field->getNameAsString();
  if (!name.empty() && name != "_M_elems" && name != "__elems_")
    result.address.path.push_back("." + name);
  return result;
}

/// base[index]
Interpreter::Place Interpreter::elementOf(const Datum &base, const Datum &index,
                                          const Expr *expression) {
  Place place;
  if (!base.isPointer()) {
    std::string text = textOf(expression);
    place.why =
        base.text.empty() ? "'" + text + "' cannot be followed" : base.text;
    return place;
  }
  place.address = base.pointer;
  std::optional<int64_t> pick = index.pick();
  if (!pick) {
    Place unknown;
    unknown.array = base.pointer;
    unknown.why = index.isNumber() && !index.number.text.empty()
                      ? index.number.text
                      : "which element is not known";
    return unknown;
  }
  int64_t offset = *pick;
  auto &path = place.address.path;
  if (!path.empty() && path.back()[0] == '[') {
    int64_t at = 0;
    if (!llvm::StringRef(path.back())
             .drop_front()
             .drop_back()
             .getAsInteger(10, at))
      offset += at;
    path.pop_back();
    place.array = place.address;
    path.push_back("[" + std::to_string(offset) + "]");
  } else if (offset != 0) {
    Place unknown;
    unknown.why = "outside of an object";
    return unknown;
  }
  place.sampled = !index.known();
  return place;
}

/// What a cell held before the trace, or after something unknown changed it.
Datum Interpreter::initialValue(const Address &address, QualType type,
                                bool external, const std::string &why,
                                unsigned number) {
  auto [at, isNew] = Initials.try_emplace({address, number});
  if (!isNew)
    return at->second;
  std::string name = Store.nameOf(address);
  Datum result;
  type = type.getNonReferenceType();
  bool parameter =
      address.path.empty() && external && Frames.size() >= 1 && number == 0 &&
      llvm::any_of(Frames.front().variables, [&](auto &entry) {
        return entry.second == address && isa<ParmVarDecl>(entry.first);
      });
  if (isStreamType(type)) {
    if (external || number) {
      Stream stream;
      stream.origin =
          parameter ? Stream::Origin::Parameter : Stream::Origin::External;
      stream.name = name;
      if (parameter)
        stream.place = placeOf(Frames.front().function->getLocation(), Context);
      result = Datum::stream(newStream(std::move(stream)));
    } else {
      result = Datum::unknown("'" + name + "' was given no value");
    }
  } else if (isEventType(type)) {
    result = external || number
                 ? Datum::event(newEvent({name, true, {}}))
                 : Datum::unknown("'" + name + "' was given no value");
  } else if (integerType(type)) {
    if (external && !number && !name.empty())
      result = symbol(name, type, /*stable=*/true);
    else
      result = Datum::unknown(why.empty() ? "'" + name + "' was given no value"
                                          : why);
  } else if (type->isPointerType()) {
    QualType pointee = type->getPointeeType();
    if (pointee->isFunctionType())
      result = Datum::unknown("'" + name + "' is given from outside");
    else if (external || number)
      result = Datum::to(
          {Store.create(name, /*external=*/true, /*pointee=*/true), {"[0]"}});
    else
      result = Datum::unknown("'" + name + "' was given no value");
  } else if (type->isRecordType() && (external || number)) {
    // A copy keeps who the streams in it are.
    auto node = std::make_shared<Node>();
    node->lost = why.empty() ? "'" + name + "' is given from outside" : why;
    node->lostNumber = ++ExternalLosses + (1u << 30);
    if (const auto *record = type->getAsCXXRecordDecl();
        record && record->hasDefinition() && address.path.size() < 4)
      for (const FieldDecl *field : record->fields())
        if (!field->getType()->isArrayType() && !field->getName().empty()) {
          auto part = std::make_shared<Node>();
          Datum datum = readAddress(
              address.part("." + field->getNameAsString()), field->getType());
          if (datum.kind == Datum::Kind::Record)
            node->parts["." + field->getNameAsString()] = datum.record;
          else {
            part->datum = datum;
            node->parts["." + field->getNameAsString()] = part;
          }
        }
    result.kind = Datum::Kind::Record;
    result.record = node;
  } else {
    result = Datum::unknown(why);
    result.text = why.empty() ? "'" + name + "' is not known" : why;
  }
  return Initials[{address, number}] = result;
}

Datum Interpreter::readAddress(const Address &address, QualType type) {
  const Node *loss = nullptr;
  auto node = Store.find(address, &loss);
  type = type.getNonReferenceType();
  if (node && node->datum && node->datum->kind != Datum::Kind::Record &&
      !(node->datum->function && type->isRecordType())) {
    Datum datum = *node->datum;
    if (datum.isNumber() && !datum.number.isKnown())
      if (auto integer = integerType(type))
        datum.number =
            within(datum.number, integer->lowest(), integer->highest());
    return datum;
  }
  if (type->isRecordType() || type->isArrayType()) {
    if (node) {
      Datum datum;
      datum.kind = Datum::Kind::Record;
      // What is not stored in it yet comes along.
      if (Store.object(address.object).external && type->isRecordType() &&
          !node->lost) {
        Datum before = initialValue(address, type, true, "", 0);
        if (before.kind == Datum::Kind::Record) {
          auto merged = std::make_shared<Node>(*node);
          merged->parts.insert(before.record->parts.begin(),
                               before.record->parts.end());
          datum.record = merged;
          return datum;
        }
      }
      datum.record = node;
      return datum;
    }
    if (type->isArrayType() ||
        !(Store.object(address.object).external || loss)) {
      Datum datum;
      datum.kind = Datum::Kind::Record;
      auto empty = std::make_shared<Node>();
      if (loss) {
        empty->lost = loss->lost;
        empty->lostNumber = loss->lostNumber;
      }
      datum.record = empty;
      return datum;
    }
  }
  return initialValue(address, type, Store.object(address.object).external,
                      loss && loss->lost ? *loss->lost : "",
                      loss ? loss->lostNumber : 0);
}

Datum Interpreter::read(const Place &place, QualType type,
                        const Expr *expression) {
  QualType plain = type.getNonReferenceType();
  auto integer = integerType(plain);
  if (OtherTurns && place.sampled &&
      (isStreamType(plain) || isEventType(plain)))
    return Datum::unknown("'" + textOf(expression) +
                          "' is not the one of the turn that is looked at");
  if (!place.known() ||
      (place.sampled && (integer || plain->isFloatingType()))) {
    if (integer) {
      std::string text = textOf(expression);
      if (!text.empty())
        return symbol(text, plain, /*stable=*/false);
      return Datum::of(within(
          coreside::Value::unknown(
              place.why.empty() ? "changes from turn to turn" : place.why),
          integer->lowest(), integer->highest()));
    }
    if (plain->isPointerType() &&
        (plain->getPointeeType()->isRecordType() ||
         isStreamType(plain->getPointeeType())) &&
        !isStreamType(plain) && !isEventType(plain))
      return Datum::to({Store.create(textOf(expression), /*external=*/true,
                                     /*pointee=*/true),
                        {"[0]"}});
    return Datum::unknown(place.why);
  }
  Datum datum = readAddress(place.address, plain);
  // What cannot be calculated is called what the source calls it.
  if (integer && (datum.isUnknown() ||
                  (datum.isNumber() &&
                   datum.number.kind == coreside::Value::Kind::Unknown))) {
    std::string text = textOf(expression);
    if (text.empty() || text.find('(') != std::string::npos)
      return datum.isNumber()
                 ? datum
                 : Datum::of(within(coreside::Value::unknown(datum.text),
                                    integer->lowest(), integer->highest()));
    Datum named = symbol(text, plain, /*stable=*/false);
    if (datum.isNumber()) {
      named.number = within(named.number, datum.number.low, datum.number.high);
      named.sample = datum.sample;
    }
    return named;
  }
  return datum;
}

void Interpreter::writeAddress(const Address &address, Datum datum) {
  if (Dry && address.object < WeakBelow) {
    bool record = datum.kind == Datum::Kind::Record;
    bool number = datum.isNumber() || datum.kind == Datum::Kind::Real ||
                  datum.isUnknown();
    if (number || record)
      Changed[address] |= record;
    if (number)
      datum = Datum::unknown(WeakWhy);
    if (record && datum.record)
      datum.record = withoutNumbers(datum.record, WeakWhy);
    // A pointer that walks: whatever it may point to in other turns.
    if (datum.isPointer() && !datum.pointer.path.empty() &&
        datum.pointer.path.back()[0] == '[') {
      auto old = Store.find(address);
      if (old && old->datum && old->datum->isPointer() &&
          old->datum->pointer.object == datum.pointer.object &&
          old->datum->pointer != datum.pointer) {
        Address array = datum.pointer;
        array.path.pop_back();
        if (array.object < WeakBelow)
          Changed[array] = true;
      }
    }
  }
  if (Store.object(address.object).shared &&
      (datum.isNumber() || datum.kind == Datum::Kind::Real))
    datum =
        Datum::unknown("kernels may store to '" + Store.nameOf(address) + "'");
  // Data, not sizes: what stands this far in an array is not kept, and reads as
  // not known.
  if ((datum.isNumber() || datum.kind == Datum::Kind::Real) &&
      !address.path.empty() && address.path.back()[0] == '[') {
    unsigned index = 0;
    llvm::StringRef text = llvm::StringRef(address.path.back());
    if (text.drop_front().drop_back().getAsInteger(10, index) || index >= 64 ||
        (index >= 8 && datum.kind == Datum::Kind::Real))
      return;
  }
  // What a pointer variable is first given takes its name.
  if (datum.isPointer() && Store.object(datum.pointer.object).name.empty())
    Store.rename(datum.pointer.object, Store.nameOf(address));
  Store.store(address, std::move(datum));
}

void Interpreter::write(const Place &place, Datum datum) {
  bool number = datum.isNumber() || datum.kind == Datum::Kind::Real ||
                datum.isUnknown() || datum.kind == Datum::Kind::Record;
  if (!place.known() || place.sampled) {
    // Some element of an array: none of its numbers is known any more.
    if (place.array.object && (number || !place.known())) {
      if (Dry && place.array.object < WeakBelow)
        Changed[place.array] = true;
      if (auto node = Store.find(place.array)) {
        auto forgotten = std::make_shared<Node>(
            *withoutNumbers(node, "stored to by an index that is not known"));
        Store.storeNode(place.array, forgotten);
      }
    }
    if (!place.known())
      return;
    if (datum.isNumber() || datum.kind == Datum::Kind::Real)
      datum = Datum::unknown("differs from element to element");
    if (datum.kind == Datum::Kind::Record && datum.record)
      datum.record =
          withoutNumbers(datum.record, "differs from element to element");
  }
  writeAddress(place.address, std::move(datum));
}

/// What is left of a node that something unknown may have stored to: streams,
/// events and pointers in it are taken to stay what they were.
static std::shared_ptr<const Node>
forgotten(const std::shared_ptr<const Node> &node) {
  if (!node)
    return nullptr;
  auto result = std::make_shared<Node>(*node);
  if (result->datum && result->datum->kind != Datum::Kind::Stream &&
      result->datum->kind != Datum::Kind::Event &&
      result->datum->kind != Datum::Kind::Graph &&
      result->datum->kind != Datum::Kind::GraphNode &&
      result->datum->kind != Datum::Kind::Pointer &&
      result->datum->kind != Datum::Kind::Function)
    result->datum.reset();
  for (auto at = result->parts.begin(); at != result->parts.end();) {
    at->second = forgotten(at->second);
    if (!at->second || (!at->second->datum && at->second->parts.empty()))
      at = result->parts.erase(at);
    else
      ++at;
  }
  return result;
}

void Interpreter::loseAddress(const Address &address, const std::string &why,
                              bool isHandle) {
  if (!address.object)
    return;
  if (Dry && address.object < WeakBelow)
    Changed[address] = true;
  auto node = Store.find(address);
  std::shared_ptr<const Node> rest;
  if (node && !node->datum)
    rest = forgotten(node);
  // The streams of a structure are taken to stay who they are, also those that
  // nobody has looked at yet.
  Store.lose(address, why,
             node && node->lost && !isHandle ? node->lostNumber : 0);
  if (rest && !isHandle) {
    auto lost = std::make_shared<Node>(*Store.find(address));
    lost->parts = rest->parts;
    Store.storeNode(address, lost);
  }
}

void Interpreter::zero(const Address &address, QualType type, unsigned depth) {
  if (depth > 4 || type.isNull())
    return;
  if (integerType(type))
    return writeAddress(address, Datum::of(0));
  if (type->isPointerType() || type->isNullPtrType())
    return writeAddress(address, Datum::null());
  if (type->isFloatingType())
    return writeAddress(address, Datum::ofReal(0));
  if (const auto *array = Context.getAsConstantArrayType(type)) {
    uint64_t count = array->getSize().getZExtValue();
    if (count <= 64)
      for (uint64_t i = 0; i < count; ++i)
        zero(address.part("[" + std::to_string(i) + "]"),
             array->getElementType(), depth + 1);
    return;
  }
  if (const auto *record = type->getAsCXXRecordDecl();
      record && record->hasDefinition())
    for (const FieldDecl *field : record->fields()) {
      Place member = partOf({address, false, {}, {}}, field);
      if (!record->isUnion())
        zero(member.address, field->getType(), depth + 1);
    }
}

/// Stores the value of `initialiser` at `address`.
void Interpreter::initialise(const Address &address, QualType type,
                             const Expr *initialiser) {
  if (!initialiser || !address.object)
    return;
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
    // An array of class objects is default constructed element by element,
    // which few constructors make a difference for.
    if (!type->isArrayType())
      construct(address, construction);
    return;
  }
  if (isa<ImplicitValueInitExpr>(inner) || isa<CXXScalarValueInitExpr>(inner))
    return zero(address, type);
  if (const auto *list = dyn_cast<InitListExpr>(inner)) {
    if (const InitListExpr *semantic =
            list->isSemanticForm() ? list : list->getSemanticForm())
      list = semantic;
    if (const auto *array = Context.getAsConstantArrayType(type)) {
      uint64_t count = array->getSize().getZExtValue();
      for (uint64_t i = 0; i < count && i < 1024; ++i) {
        Address element = address.part("[" + std::to_string(i) + "]");
        if (i < list->getNumInits())
          this->initialise(element, array->getElementType(), list->getInit(i));
        else
          zero(element, array->getElementType());
      }
      return;
    }
    if (const auto *record = type->getAsCXXRecordDecl()) {
      if (record->isUnion()) {
        if (const FieldDecl *field = list->getInitializedFieldInUnion();
            field && list->getNumInits())
          this->initialise(partOf({address, false, {}, {}}, field).address,
                           field->getType(), list->getInit(0));
        return;
      }
      unsigned at = 0;
      for (const CXXBaseSpecifier &base : record->bases())
        if (at < list->getNumInits())
          this->initialise(address, base.getType(), list->getInit(at++));
      for (const FieldDecl *field : record->fields()) {
        if (field->isUnnamedBitField())
          continue;
        Address member = partOf({address, false, {}, {}}, field).address;
        if (at < list->getNumInits())
          this->initialise(member, field->getType(), list->getInit(at++));
        else
          zero(member, field->getType());
      }
      return;
    }
    if (list->getNumInits() == 1)
      return this->initialise(address, type, list->getInit(0));
    return zero(address, type);
  }
  writeAddress(address, evaluate(inner));
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
    return before;
  }
  return castTo(std::move(before), CK_IntegralCast,
                cast->getSubExpr()->getType(), cast->getType(),
                cast->getSubExpr());
}

void Interpreter::construct(const Address &address,
                            const CXXConstructExpr *expression) {
  const CXXConstructorDecl *constructor = expression->getConstructor();
  QualType type = expression->getType();
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
      Datum datum = readAddress(from.address, type);
      writeAddress(address, datum);
    } else {
      writeAddress(address, resultOfUnknown(type, from.why));
    }
    return;
  }
  if (libraryConstruct(address, expression))
    return;
  if (expression->requiresZeroInitialization())
    zero(address, type);
  const FunctionDecl *definition = nullptr;
  if (constructor->isDefaultConstructor() &&
      (constructor->isTrivial() ||
       (constructor->isDefaulted() && !constructor->hasBody(definition))))
    return;
  if (constructor->hasBody(definition) && !definition->hasSkippedBody() &&
      !Context.getSourceManager().isInSystemHeader(definition->getLocation())) {
    callFunction(constructor, arguments, address, {}, expression);
    return;
  }
  unknownCall(constructor, arguments, address, expression);
  loseAddress(address, "made by '" + nameOf(*constructor) + "'");
}

Address Interpreter::temporaryObject(const Expr *expression) {
  Address address{Store.create("temporary"), {}};
  initialise(address, expression->getType(), expression);
  return address;
}

Datum Interpreter::temporary(const Expr *expression) {
  return readAddress(temporaryObject(expression), expression->getType());
}

// Constants.

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
        node->parts["." + field->getNameAsString()] = part->record;
      } else {
        auto cell = std::make_shared<Node>();
        cell->datum = *part;
        node->parts["." + field->getNameAsString()] = cell;
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

// Expressions.

Datum Interpreter::evaluate(const Expr *expression) {
  ++Evaluations;
  if (!expression)
    return Datum::unknown("missing");
  if (expression->isTypeDependent() || expression->isValueDependent()) {
    // Left over by an error, or by a template that is not instantiated.
    if (isa<RecoveryExpr>(expression)) {
      for (const Stmt *child : expression->children())
        if (const auto *inner = dyn_cast_or_null<Expr>(child))
          evaluate(inner);
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
      !isa<AbstractConditionalOperator>(expression)) {
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
  case Stmt::ExprWithCleanupsClass:
    return evaluate(cast<FullExpr>(expression)->getSubExpr());
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
  case Stmt::CXXNewExprClass:
    return evaluateNew(cast<CXXNewExpr>(expression));
  case Stmt::CXXDeleteExprClass: {
    const auto *deletion = cast<CXXDeleteExpr>(expression);
    Datum pointer = evaluate(deletion->getArgument());
    QualType type = deletion->getDestroyedType();
    if (pointer.isPointer() && !type.isNull())
      if (const auto *record = type->getAsCXXRecordDecl();
          record && record->hasDefinition() && record->getDestructor()) {
        Frames.back().locals.push_back({pointer.pointer, record});
        destroyLocals(Frames.back().locals.size() - 1);
        Frames.back().locals.pop_back();
      }
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
    if (const Expr *thrown = cast<CXXThrowExpr>(expression)->getSubExpr())
      (void)thrown;
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

Interpreter::Place Interpreter::locate(const Expr *expression) {
  Place unknown;
  if (!expression)
    return unknown;
  switch (expression->getStmtClass()) {
  case Stmt::ParenExprClass:
    return locate(cast<ParenExpr>(expression)->getSubExpr());
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
    return locate(cast<FullExpr>(expression)->getSubExpr());
  case Stmt::CXXDefaultArgExprClass:
    return locate(cast<CXXDefaultArgExpr>(expression)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return locate(cast<CXXDefaultInitExpr>(expression)->getExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return locate(
        cast<SubstNonTypeTemplateParmExpr>(expression)->getReplacement());
  case Stmt::OpaqueValueExprClass:
    return locate(cast<OpaqueValueExpr>(expression)->getSourceExpr());
  case Stmt::DeclRefExprClass: {
    const ValueDecl *declaration = cast<DeclRefExpr>(expression)->getDecl();
    Place place;
    if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      place.address = variableAddress(variable);
      return place;
    }
    if (const auto *binding = dyn_cast<BindingDecl>(declaration)) {
      if (const VarDecl *holding = binding->getHoldingVar())
        place.address = variableAddress(holding);
      else if (binding->getBinding())
        return locate(binding->getBinding());
      return place;
    }
    if (isa<FunctionDecl, EnumConstantDecl, NonTypeTemplateParmDecl>(
            declaration)) {
      place.address = temporaryObject(expression);
      return place;
    }
    unknown.why = "'" + declaration->getNameAsString() + "'";
    return unknown;
  }
  case Stmt::MemberExprClass: {
    const auto *member = cast<MemberExpr>(expression);
    if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
      Place place;
      place.address = variableAddress(variable);
      return place;
    }
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field)
      return unknown;
    Place base;
    if (member->isArrow()) {
      Datum pointer = evaluate(member->getBase());
      if (pointer.isPointer())
        base.address = pointer.pointer;
      else
        base.why = pointer.text.empty() ? "'" + textOf(member->getBase()) +
                                              "' cannot be followed"
                                        : pointer.text;
    } else {
      base = locate(member->getBase());
    }
    Place place = partOf(base, field);
    if (place.known() && field->getType()->isReferenceType()) {
      auto node = Store.find(place.address);
      if (node && node->datum && node->datum->isPointer())
        return {node->datum->pointer, place.sampled, {}, {}};
    }
    return place;
  }
  case Stmt::ArraySubscriptExprClass: {
    const auto *subscript = cast<ArraySubscriptExpr>(expression);
    Datum base = evaluate(subscript->getBase());
    Datum index = evaluate(subscript->getIdx());
    return elementOf(base, index, expression);
  }
  case Stmt::UnaryOperatorClass: {
    const auto *unary = cast<UnaryOperator>(expression);
    if (unary->getOpcode() == UO_Deref) {
      Datum pointer = evaluate(unary->getSubExpr());
      Place place;
      if (pointer.isPointer())
        place.address = pointer.pointer;
      else
        place.why = pointer.text;
      return place;
    }
    if (unary->isIncrementDecrementOp()) {
      evaluate(unary);
      return locate(unary->getSubExpr());
    }
    if (unary->getOpcode() == UO_Extension || unary->getOpcode() == UO_Real)
      return locate(unary->getSubExpr());
    break;
  }
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass: {
    const auto *binary = cast<BinaryOperator>(expression);
    if (binary->getOpcode() == BO_Comma) {
      evaluate(binary->getLHS());
      return locate(binary->getRHS());
    }
    if (binary->isAssignmentOp()) {
      evaluate(binary);
      return locate(binary->getLHS());
    }
    break;
  }
  case Stmt::ConditionalOperatorClass: {
    const auto *conditional = cast<ConditionalOperator>(expression);
    if (expression->isGLValue()) {
      std::optional<bool> truth = decide(conditional->getCond());
      if (truth)
        return locate(*truth ? conditional->getTrueExpr()
                             : conditional->getFalseExpr());
      unknown.why = "depends on '" + textOf(conditional->getCond()) + "'";
      return unknown;
    }
    break;
  }
  default:
    break;
  }
  if (const auto *cast = dyn_cast<CastExpr>(expression)) {
    switch (cast->getCastKind()) {
    case CK_NoOp:
    case CK_LValueBitCast:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_BaseToDerived:
    case CK_Dynamic:
      if (cast->getSubExpr()->isGLValue())
        return locate(cast->getSubExpr());
      break;
    default:
      break;
    }
  }
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    Place place;
    place.address = temporaryObject(temporary->getSubExpr());
    return place;
  }
  if (expression->isGLValue() && isa<CallExpr>(expression)) {
    Datum datum = evaluate(expression);
    if (datum.isPointer()) {
      Place place;
      place.address = datum.pointer;
      place.sampled = datum.sample.has_value();
      if (place.sampled) {
        place.array = place.address;
        place.array.path.pop_back();
      }
      return place;
    }
    unknown.why = datum.text;
    return unknown;
  }
  if (expression->isGLValue() && isa<StringLiteral>(expression)) {
    Place place;
    place.address = {Store.create("text"), {}};
    return place;
  }
  if (expression->isPRValue() || isa<InitListExpr>(expression)) {
    Place place;
    place.address = temporaryObject(expression);
    return place;
  }
  unknown.why = "'" + textOf(expression) + "' cannot be followed";
  return unknown;
}

// Operators.

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
    return Datum::unknown(place.why);
  }
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
  Datum result = Datum::of(apply(*operation, numberOf(left, type, expression),
                                 numberOf(right, type, expression), *integer));
  auto a = left.pick(), b = right.pick();
  if (a && b && !result.known())
    result.sample = apply(*operation, coreside::Value::known(*a),
                          coreside::Value::known(*b), *integer)
                        .number();
  return result;
}

Datum Interpreter::evaluateBinary(const BinaryOperator *expression) {
  BinaryOperatorKind kind = expression->getOpcode();
  const Expr *leftSide = expression->getLHS();
  const Expr *rightSide = expression->getRHS();
  if (kind == BO_Comma) {
    evaluate(leftSide);
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
    write(place, value);
    return value;
  }
  if (const auto *compound = dyn_cast<CompoundAssignOperator>(expression)) {
    QualType computation = compound->getComputationLHSType();
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
    Datum value =
        calculate(kind, left, evaluate(rightSide), computation, expression);
    CastKind narrow = leftSide->getType()->isPointerType()    ? CK_NoOp
                      : leftSide->getType()->isFloatingType() ? CK_FloatingCast
                      : computation->isFloatingType() ? CK_FloatingToIntegral
                                                      : CK_IntegralCast;
    value = castTo(value, narrow, computation, leftSide->getType(), expression);
    write(place, value);
    return value;
  }
  if (kind == BO_LAnd || kind == BO_LOr) {
    Datum left = evaluate(leftSide);
    std::optional<bool> truth = truthOf(left);
    if (truth && *truth == (kind == BO_LOr))
      return Datum::of(kind == BO_LOr);
    Datum right;
    if (truth) {
      right = evaluate(rightSide);
      if (auto second = truthOf(right))
        return Datum::of(*second);
    } else {
      auto evaluated = [&] {
        right = evaluate(rightSide);
        return Flow::Normal;
      };
      auto skipped = [] { return Flow::Normal; };
      if (rightSide->HasSideEffects(Context))
        branch(Conditions++, {evaluated, skipped});
      else
        evaluated();
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
        left.number.text.size() + right.number.text.size() < 100)
      return Datum::of(coreside::Value::symbolic(
          "(" + left.number.text + ")" + text + "(" + right.number.text + ")",
          0, 1));
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
    Place place = locate(inner);
    if (place.known())
      return Datum::to(place.address);
    return Datum::unknown(place.why);
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
    Datum after;
    if (before.isPointer() || type->isFloatingType()) {
      after = calculate(expression->isIncrementOp() ? BO_Add : BO_Sub, before,
                        Datum::of(1), type, expression);
    } else {
      after = calculate(expression->isIncrementOp() ? BO_Add : BO_Sub, before,
                        Datum::of(1), type, expression);
    }
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
    return Datum::unknown(place.why);
  }
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr: {
    const Expr *plain = inner->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(plain))
      if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
        return Datum::toFunction(function);
    return evaluate(inner);
  }
  case CK_ConstructorConversion:
    return evaluate(inner);
  case CK_ToVoid:
    evaluate(inner);
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

Datum Interpreter::evaluateConditional(
    const AbstractConditionalOperator *expression) {
  unsigned number = 0;
  std::optional<bool> truth;
  Datum common;
  if (const auto *binary = dyn_cast<BinaryConditionalOperator>(expression)) {
    common = evaluate(binary->getCommon());
    truth = truthOf(common);
    if (!truth)
      number = Conditions++;
  } else {
    truth = decide(expression->getCond(), &number);
  }
  const Expr *thenSide = expression->getTrueExpr();
  const Expr *elseSide = expression->getFalseExpr();
  if (truth)
    return evaluate(*truth ? thenSide : elseSide);
  Datum first, second;
  unsigned before = Emitted;
  auto thenArm = [&] {
    first = evaluate(thenSide);
    return Dead ? Flow::LeftProgram : Flow::Normal;
  };
  auto elseArm = [&] {
    second = evaluate(elseSide);
    return Dead ? Flow::LeftProgram : Flow::Normal;
  };
  bool firstDead = false, secondDead = false;
  auto thenNoted = [&] {
    Flow flow = thenArm();
    firstDead = flow != Flow::Normal;
    return flow;
  };
  auto elseNoted = [&] {
    Flow flow = elseArm();
    secondDead = flow != Flow::Normal;
    return flow;
  };
  Flow flow = branch(number, {thenNoted, elseNoted});
  (void)before;
  if (flow != Flow::Normal) {
    Dead = true;
    return Datum::unknown("does not return");
  }
  if (firstDead)
    return second;
  if (secondDead)
    return first;
  // In a loop, what the condition is in the turn that is run picks a stream.
  return joinData(first, second);
}

// Calls.

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
          place.known() ? Datum::to(place.address) : Datum::unknown(place.why);
      node->parts[name] = part;
    } else {
      Address copy{Store.create(variable->getNameAsString()), {}};
      if (variable->isInitCapture() && variable->getInit())
        initialise(copy, variable->getType(), variable->getInit());
      else
        writeAddress(
            copy, readAddress(variableAddress(variable), variable->getType()));
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
    if (const Expr *construction = expression->getConstructExpr())
      this->initialise(element, expression->getAllocatedType(), construction);
    else if (const Expr *initialiser = expression->getInitializer())
      this->initialise(element, expression->getAllocatedType(), initialiser);
  }
  return Datum::to(base.part("[0]"));
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
        value = from.known() ? readAddress(from.address, type)
                             : resultOfUnknown(type, from.why);
        write(object, value);
        return object.known() ? Datum::to(object.address)
                              : Datum::unknown(object.why);
      }
    }
  }

  if (callee) {
    if (callee->hasAttr<CUDAGlobalAttr>())
      return Datum::unknown("a kernel called like a function");
    // A closure or a function object.
    std::string name = callee->getNameAsString();
    bool plain = !isa<CXXMethodDecl>(callee) && callee->getIdentifier();
    if (plain && isRuntimeFunction(name))
      if (auto result = runtimeCall(name, callee, arguments, expression))
        return *result;
    if (auto result = libraryCall(callee, arguments, object, expression))
      return *result;
    Address closure;
    if (const auto *method = dyn_cast<CXXMethodDecl>(callee);
        method && method->getParent()->isLambda())
      closure = object.address;
    // An object that cannot be told is one of its own.
    if (isa<CXXMethodDecl>(callee) &&
        cast<CXXMethodDecl>(callee)->isInstance() && !object.known())
      object.address = {Store.create("object", /*external=*/true,
                                     /*pointee=*/true),
                        {"[0]"}};
    return callFunction(callee, arguments, object.address, closure, expression);
  }

  // Through a pointer.
  Datum target = evaluate(expression->getCallee());
  if (target.kind == Datum::Kind::Function && target.function &&
      !target.function->hasAttr<CUDAGlobalAttr>()) {
    std::string name = target.function->getNameAsString();
    if (isRuntimeFunction(name))
      if (auto result =
              runtimeCall(name, target.function, arguments, expression))
        return *result;
    return callFunction(target.function, arguments, {}, {}, expression);
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
