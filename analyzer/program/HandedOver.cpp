// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes over calls into other files.
//
// In:   void fill(Pool *); ... fill(&pool); edge<<<8, 128, 0, pool.main>>>();
// Out:  a call of 'fill', and for the stream: what argument 0 of it holds
//       after it, at "*.main".
//
// The file that defines 'fill' says the same from inside: what it leaves in its
// parameter 0, at "*.main". LinkPrograms.h brings the two together.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace coreside {

namespace {

/// Things that one call hands over, and how far structures are followed.
constexpr size_t mostHanded = 512;
constexpr unsigned mostSteps = 8;

/// Whether a mangled name means the same in every file.
template <class Declaration> bool isLinked(const Declaration *declaration) {
  return declaration->hasExternalFormalLinkage();
}

void addStep(Reference &reference, const std::string &step) {
  // *p and p[0] are one.
  if (!(step == "[0]" && llvm::StringRef(reference.path).ends_with("*")))
    reference.path += step;
}

} // namespace

std::string Interpreter::symbolOf(const NamedDecl *declaration) {
  return ASTNameGenerator(Context).getName(declaration);
}

/// What the trace calls the thing at `address`; `lossNumber` is that of the
/// loss that it was read after, 0 for none.
Reference Interpreter::referenceTo(const Address &address,
                                   unsigned lossNumber) const {
  Reference result;
  auto append = [&](size_t from) {
    for (size_t i = from; i < address.path.size(); ++i)
      addStep(result, address.path[i]);
  };
  if (lossNumber) {
    auto at = LossOrigins.find(lossNumber);
    if (at == LossOrigins.end())
      return {};
    result = at->second;
    // The node that was lost is the one above that has this number.
    size_t depth = 0;
    for (; depth < address.path.size(); ++depth) {
      Address above = address;
      above.path.resize(depth);
      auto node = Store.find(above);
      if (node && node->lost && node->lostNumber == lossNumber)
        break;
    }
    append(depth);
    return result;
  }
  auto at = ObjectOrigins.find(address.object);
  if (at == ObjectOrigins.end())
    return {};
  result = at->second;
  append(0);
  return result;
}

/// Adds what is found at `address`, which the other side reaches by `where`.
void Interpreter::handOver(const Address &address, const Reference &where,
                           std::vector<Handed> &list, unsigned depth) const {
  if (list.size() >= mostHanded || depth > mostSteps)
    return;
  const Node *loss = nullptr;
  auto node = Store.find(address, &loss);
  if (!node || node->lost || !node->datum) {
    // Looked at by nobody yet: what it is can be asked for by its name here.
    const unsigned number = node && node->lost ? node->lostNumber
                            : loss             ? loss->lostNumber
                                               : 0;
    Reference object = referenceTo(address, number);
    if (object.root != Reference::Root::None && object != where)
      list.push_back({where, Handed::Kind::Object, {}, -1, std::move(object)});
  }
  // A pointer that was read and never stored to is in no cell.
  for (auto at = Initials.lower_bound({{address.object, {}}, 0});
       at != Initials.end() && at->first.first.object == address.object; ++at) {
    const std::vector<std::string> &path = at->first.first.path;
    if (!at->second.isPointer() || path.size() < address.path.size() ||
        !std::equal(address.path.begin(), address.path.end(), path.begin()))
      continue;
    auto cell = Store.find(at->first.first);
    if (cell && (cell->datum || cell->lost))
      continue;
    Reference inside = where;
    for (size_t i = address.path.size(); i != path.size(); ++i)
      addStep(inside, path[i]);
    handOver(at->second, inside, list, depth + 1);
  }
  if (node)
    handOver(*node, where, list, depth);
}

void Interpreter::handOver(const Node &node, const Reference &where,
                           std::vector<Handed> &list, unsigned depth) const {
  if (node.datum)
    handOver(*node.datum, where, list, depth);
  for (const auto &[name, part] : node.parts) {
    if (!part || list.size() >= mostHanded)
      continue;
    Reference inside = where;
    addStep(inside, name);
    handOver(*part, inside, list, depth + 1);
  }
}

void Interpreter::handOver(const Datum &datum, const Reference &where,
                           std::vector<Handed> &list, unsigned depth) const {
  if (list.size() >= mostHanded || depth > mostSteps)
    return;
  switch (datum.kind) {
  case Datum::Kind::Number:
    if (datum.number.kind != Value::Kind::Unknown)
      list.push_back({where, Handed::Kind::Number, datum.number, -1, {}});
    break;
  case Datum::Kind::Stream:
    list.push_back({where, Handed::Kind::Stream, {}, datum.handle, {}});
    break;
  case Datum::Kind::Event:
    list.push_back({where, Handed::Kind::Event, {}, datum.handle, {}});
    break;
  case Datum::Kind::Record:
    if (datum.record)
      handOver(*datum.record, where, list, depth + 1);
    break;
  case Datum::Kind::Pointer: {
    Reference target = where;
    target.path += "*";
    Address address = datum.pointer;
    if (auto at = Allocated.find(address.object); at != Allocated.end())
      list.push_back({target, Handed::Kind::Allocation, {}, at->second, {}});
    // From the first element of an array the others can be reached.
    if (!address.path.empty() && address.path.back() == "[0]")
      address.path.pop_back();
    handOver(address, target, list, depth + 1);
    break;
  }
  default:
    break;
  }
}

/// Notes what the other side calls a number that is not known.
void Interpreter::nameNumber(const coreside::Value &number,
                             const Reference &from) {
  if (number.isKnown() || number.formula.empty() ||
      from.root == Reference::Root::None)
    return;
  Result.numbers.push_back(
      {llvm::StringRef(number.formula).rsplit(':').first.str(), from});
}

/// What the globals that other files see hold now.
void Interpreter::handOverGlobals(std::vector<Handed> &list) const {
  for (const auto &[variable, address] : Globals) {
    auto at = ObjectOrigins.find(address.object);
    if (at != ObjectOrigins.end() && at->second.root == Reference::Root::Global)
      handOver(address, at->second, list);
  }
}

void Interpreter::nameParameters(const FunctionDecl *function,
                                 const Frame &frame) {
  for (unsigned i = 0; i < function->getNumParams(); ++i)
    if (auto at = frame.variables.find(function->getParamDecl(i));
        at != frame.variables.end())
      ObjectOrigins[at->second.object] = {Reference::Root::Parameter,
                                          static_cast<int>(i), "", -1, ""};
  if (frame.thisObject.object)
    ObjectOrigins[frame.thisObject.object] = {Reference::Root::Parameter, -1,
                                              "", -1, "*"};
}

void Interpreter::nameGlobal(const VarDecl *variable, const Address &address) {
  if (Options.forOtherFiles && isLinked(variable) && address.path.empty())
    // Calls before this one may have changed it already.
    ObjectOrigins[address.object] = {
        Reference::Root::Global, 0, symbolOf(variable),
        static_cast<int>(Result.calls.size()) - 1, ""};
}

/// Ends the trace of `function`: what its caller finds when it returns.
void Interpreter::leave(const FunctionDecl *function, const Frame &outermost,
                        const Datum &returned) {
  if (!Options.forOtherFiles || !isLinked(function))
    return;
  Result.symbol = symbolOf(function);
  auto changed = [](const Trace &trace, const Handed &handed) {
    switch (handed.kind) {
    case Handed::Kind::Stream:
      return trace.streams[handed.handle].from != handed.where;
    case Handed::Kind::Event:
      return trace.events[handed.handle].from != handed.where;
    case Handed::Kind::Allocation:
      return trace.allocations[handed.handle].from != handed.where;
    case Handed::Kind::Object:
      return true;
    case Handed::Kind::Number:
      return handed.value.isKnown() || !handed.value.formula.empty();
    }
    return false;
  };
  std::vector<Handed> all;
  for (unsigned i = 0; i < function->getNumParams(); ++i)
    if (auto at = outermost.variables.find(function->getParamDecl(i));
        at != outermost.variables.end())
      handOver(at->second,
               {Reference::Root::Parameter, static_cast<int>(i), "", -1, ""},
               all);
  if (outermost.thisObject.object)
    handOver(Datum::to(outermost.thisObject),
             {Reference::Root::Parameter, -1, "", -1, ""}, all);
  handOverGlobals(all);
  handOver(returned, {Reference::Root::Result, 0, "", -1, ""}, all);
  for (Handed &handed : all)
    if (changed(Result, handed))
      Result.leaves.push_back(std::move(handed));
}

} // namespace coreside
