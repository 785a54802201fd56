// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   expressions that name a place, and what is stored there.
// Out:  addresses (Place) and what they hold (Datum).

#include "Formula.h"
#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace coreside {

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
  Lasting.insert(object);
  nameGlobal(variable, address);
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
  if (!place.known()) {
    Place unknown = place;
    if (place.array.object)
      unknown.members.push_back(partName(field));
    return unknown;
  }
  Place result = place;
  // The members of anonymous structs and unions, and the array in a std::array,
  // are parts of what they stand in.
  std::string name = partName(field);
  if (name != "." && name != "._M_elems" && name != ".__elems_")
    result.address.path.push_back(std::move(name));
  return result;
}

/// What the part of an object that holds `field` is called: ".n", and ".n@Base"
/// where that would be two parts.
std::string Interpreter::partName(const FieldDecl *field) {
  // To look at one may add others.
  while (Facts.typesForNamesakes < Context.getTypes().size()) {
    const Type *type = Context.getTypes()[Facts.typesForNamesakes++];
    const CXXRecordDecl *record =
        isa<RecordType>(type) ? type->getAsCXXRecordDecl() : nullptr;
    if (!record || !record->hasDefinition() || record->isDependentContext() ||
        !record->getDefinition()->getNumBases() || record->isInStdNamespace())
      continue;
    std::map<llvm::StringRef, const FieldDecl *> seen;
    auto note = [&](const CXXRecordDecl *one) {
      for (const FieldDecl *field : one->fields()) {
        if (!field->getIdentifier())
          continue;
        auto [at, isNew] = seen.emplace(field->getName(), field);
        if (!isNew && at->second != field) {
          Facts.namesakes.insert(at->second);
          Facts.namesakes.insert(field);
        }
      }
      return true;
    };
    record = record->getDefinition();
    note(record);
    record->forallBases(note);
  }
  std::string name = "." + field->getNameAsString();
  if (Facts.namesakes.contains(field))
    name += "@" + field->getParent()->getNameAsString();
  return name;
}

/// An expression that names `address`.
const Expr *Interpreter::standFor(QualType type, const Address &address) {
  const Expr *made = new (Context)
      OpaqueValueExpr(SourceLocation(), type.getNonReferenceType(),
                      type->isRValueReferenceType() ? VK_XValue : VK_LValue);
  OpaquePlaces[made] = address;
  return made;
}

/// base[index]
Interpreter::Place Interpreter::elementOf(const Datum &base, const Datum &index,
                                          const Expr *expression) {
  Place place;
  if (!base.isPointer()) {
    std::string text = textOf(expression);
    place.why =
        base.text.empty() ? "'" + text + "' cannot be followed" : base.text;
    place.targets = targetsOf(base);
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
      stream.from = referenceTo(address, number);
      result = Datum::stream(newStream(std::move(stream)));
    } else {
      result = Datum::unknown("'" + name + "' was given no value");
    }
  } else if (isEventType(type)) {
    result = external || number
                 ? Datum::event(
                       newEvent({name, true, {}, referenceTo(address, number)}))
                 : Datum::unknown("'" + name + "' was given no value");
  } else if (integerType(type)) {
    if ((external || number) && !name.empty()) {
      result = symbol(name, type, /*stable=*/!number);
      if (Options.forOtherFiles)
        nameNumber(result.number, referenceTo(address, number));
    } else
      result = Datum::unknown(why.empty() ? "'" + name + "' was given no value"
                                          : why);
  } else if (type->isPointerType()) {
    QualType pointee = type->getPointeeType();
    if (pointee->isFunctionType())
      result = Datum::unknown("'" + name + "' is given from outside");
    else if (external || number) {
      result = Datum::to(
          {Store.create(name, /*external=*/true, /*pointee=*/true), {"[0]"}});
      if (Reference origin = referenceTo(address, number);
          origin.root != Reference::Root::None) {
        origin.path += "*";
        ObjectOrigins[result.pointer.object] = std::move(origin);
      }
    } else
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
          Datum datum =
              readAddress(address.part(partName(field)), field->getType());
          if (datum.kind == Datum::Kind::Record)
            node->parts[partName(field)] = datum.record;
          else {
            part->datum = datum;
            node->parts[partName(field)] = part;
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

/// A function that stands in an array, which element is not known.
Datum Interpreter::anyElement(const Place &place) const {
  Address array = place.array;
  std::vector<std::string> members = place.members;
  if (place.known() && place.address.path.size() > array.path.size())
    members.assign(place.address.path.begin() + array.path.size() + 1,
                   place.address.path.end());
  else if (!array.path.empty() && array.path.back()[0] == '[')
    array.path.pop_back();
  std::optional<Datum> result;
  auto whole = Store.find(array);
  if (!whole)
    return Datum::unknown(place.why);
  for (const auto &[name, part] : whole->parts) {
    if (name[0] != '[' || !part)
      continue;
    auto node = part;
    for (const std::string &member : members) {
      auto at = node ? node->parts.find(member) : whole->parts.end();
      node = node && at != node->parts.end() ? at->second : nullptr;
    }
    if (!node || !node->datum)
      return Datum::unknown(place.why);
    result = result ? joinData(*result, *node->datum) : *node->datum;
  }
  return result ? *result : Datum::unknown(place.why);
}

Datum Interpreter::read(const Place &place, QualType type,
                        const Expr *expression) {
  QualType plain = type.getNonReferenceType();
  if ((!place.known() || place.sampled) && place.array.object &&
      plain->isPointerType() && plain->getPointeeType()->isFunctionType())
    if (Datum any = anyElement(place);
        any.kind == Datum::Kind::Function || !any.functions.empty())
      return any;
  auto integer = integerType(plain);
  if (OtherTurns && place.sampled &&
      (isStreamType(plain) || isEventType(plain)))
    return Datum::unknown("'" + textOf(expression) +
                          "' is not the one of the turn that is looked at");
  if (integer)
    if (auto answer = deviceProperty(expression)) {
      auto node = place.known() ? Store.find(place.address) : nullptr;
      if (!node || !node->datum)
        return Datum::of(*answer);
    }
  if (!place.known() ||
      (place.sampled && (integer || plain->isFloatingType()))) {
    if (integer) {
      std::string text = textOf(expression);
      if (!text.empty())
        return symbol(text, plain, /*stable=*/false, expression->getBeginLoc());
      return Datum::of(within(
          coreside::Value::unknown(
              place.why.empty() ? "changes from turn to turn" : place.why),
          integer->lowest(), integer->highest()));
    }
    if (plain->isPointerType() &&
        (plain->getPointeeType()->isRecordType() ||
         isStreamType(plain->getPointeeType())) &&
        !isStreamType(plain) && !isEventType(plain)) {
      Address pointee{Store.create(textOf(expression), /*external=*/true,
                                   /*pointee=*/true),
                      {"[0]"}};
      letStandFor(pointee.object, pointeesIn(place));
      return Datum::to(pointee);
    }
    Datum somewhere = Datum::unknown(place.why);
    if (plain->isPointerType())
      somewhere.targets = pointeesIn(place);
    return somewhere;
  }
  Datum datum = readAddress(place.address, plain);
  // As long as nothing is stored to it, it is the same one of them.
  if (datum.functions.size() > 1 && datum.handle < 0) {
    datum.handle = Conditions++;
    if (auto node = Store.find(place.address); node && node->datum)
      Store.store(place.address, datum);
  }
  if (integer && datum.isNumber() && !datum.known()) {
    // As long as nothing is stored to it, it is the same number.
    auto node = Store.find(place.address);
    if (datum.number.formula.empty() && node && node->datum &&
        node->datum->isNumber() && !Store.object(place.address.object).shared) {
      datum.number.formula = formulaOfName(std::to_string(++Symbols) + "'" +
                                               Store.nameOf(place.address),
                                           datum.number);
      Store.store(place.address, datum);
    }
    datum.number = narrowed(datum.number);
    if (datum.known())
      return datum;
  }
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
    Datum named =
        symbol(text, plain, /*stable=*/false, expression->getBeginLoc());
    if (named.known())
      return named;
    if (datum.isNumber()) {
      named.number = within(named.number, datum.number.low, datum.number.high);
      // A call in another file may be asked for it by its own name.
      if (!named.known() && !datum.number.formula.empty() &&
          !llvm::StringRef(datum.number.formula).contains(' '))
        named.number.formula = datum.number.formula;
      named.sample = datum.sample;
    }
    return named;
  }
  return datum;
}

/// Whether an object was there before the turn that is looked at, also where
/// that turn is the first to ask for it.
bool Interpreter::isOlder(unsigned object) const {
  if (WeakBelow == 0)
    return false;
  return object < WeakBelow || Lasting.contains(object) ||
         (Store.object(object).external && Store.object(object).pointee);
}

void Interpreter::writeAddress(const Address &address, Datum datum) {
  if (Dry && isOlder(address.object)) {
    bool record = datum.kind == Datum::Kind::Record;
    bool number = datum.isNumber() || datum.kind == Datum::Kind::Real ||
                  datum.isUnknown();
    if (number || record)
      Changed[address] |= record;
    if (number) {
      Address somewhere = datum.pointer;
      datum = Datum::unknown(WeakWhy);
      datum.pointer = std::move(somewhere);
    }
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
        if (isOlder(array.object))
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
  loseAliases(address);
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
      // An unknown element of what a pointer to the first of them points to.
      Address array = place.array;
      if (!place.known() && !array.path.empty() && array.path.back()[0] == '[')
        array.path.pop_back();
      const bool wasThere = Dry && isOlder(array.object);
      if (wasThere && place.known())
        Changed[array] = true;
      if (auto node = Store.find(array)) {
        auto forgotten = std::make_shared<Node>(*node);
        for (auto &[name, part] : forgotten->parts) {
          if (name[0] != '[')
            continue;
          part =
              withoutNumbers(part, "stored to by an index that is not known");
          if (wasThere)
            Changed[array.part(name)] = true;
        }
        Store.storeNode(array, forgotten);
      }
    }
    if (!place.known())
      return loseTargets(place.targets);
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
  if (Dry && isOlder(address.object))
    Changed[address] = true;
  loseAliases(address);
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
    // Of a union all bytes are. Numbers and pointers in it are not followed:
    // they are there to be read as something else.
    for (const FieldDecl *field : record->fields())
      if (!record->isUnion() || field->getType()->isRecordType())
        zero(partOf({address, false, {}, {}}, field).address, field->getType(),
             depth + 1);
}

Interpreter::Place Interpreter::locate(const Expr *expression) {
  Place unknown;
  if (!expression)
    return unknown;
  switch (expression->getStmtClass()) {
  case Stmt::ParenExprClass:
    return locate(cast<ParenExpr>(expression)->getSubExpr());
  case Stmt::ConstantExprClass:
    return locate(cast<FullExpr>(expression)->getSubExpr());
  case Stmt::ExprWithCleanupsClass: {
    size_t temporaries = Temporaries.size();
    Place place = locate(cast<FullExpr>(expression)->getSubExpr());
    endTemporaries(temporaries);
    return place;
  }
  case Stmt::CXXDefaultArgExprClass:
    return locate(cast<CXXDefaultArgExpr>(expression)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return locate(cast<CXXDefaultInitExpr>(expression)->getExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return locate(
        cast<SubstNonTypeTemplateParmExpr>(expression)->getReplacement());
  case Stmt::OpaqueValueExprClass:
    if (auto at = OpaquePlaces.find(expression); at != OpaquePlaces.end())
      return {at->second, false, {}, {}};
    if (auto at = OpaqueValues.find(expression); at != OpaqueValues.end()) {
      Place place;
      place.address = {Store.create("temporary"), {}};
      writeAddress(place.address, at->second);
      return place;
    }
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
      if (!base.known())
        base.targets = targetsOf(pointer);
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
    if (!index.known())
      if (auto any = anyInTable(expression))
        return {*any, false, {}, {}};
    return elementOf(base, index, expression);
  }
  case Stmt::UnaryOperatorClass: {
    const auto *unary = cast<UnaryOperator>(expression);
    if (unary->getOpcode() == UO_Deref) {
      Datum pointer = evaluate(unary->getSubExpr());
      Place place;
      if (pointer.isPointer()) {
        place.address = pointer.pointer;
      } else {
        place.why = pointer.text;
        place.targets = targetsOf(pointer);
      }
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
      discard(binary->getLHS());
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
    if (expression->isGLValue())
      return locateConditional(conditional);
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
    if (temporary->getStorageDuration() == SD_Automatic)
      endWithScope(Frames.back(), place.address, temporary->getType());
    else if (temporary->getStorageDuration() == SD_FullExpression &&
             hasEnd(temporary->getType()))
      Temporaries.push_back({place.address, temporary->getType()});
    return place;
  }
  if (expression->isGLValue() && isa<CallExpr>(expression)) {
    Datum datum = evaluate(expression);
    if (!datum.isPointer() || datum.sample)
      if (auto any = anyInTable(expression))
        return {*any, false, {}, {}};
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
    unknown.array = datum.pointer;
    unknown.targets = datum.targets;
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

} // namespace coreside
