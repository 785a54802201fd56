// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   stores and losses, in the order of the host code.
// Out:  what each cell holds.

#include "Memory.h"

#include "ValueArithmetic.h"

#include "llvm/ADT/STLExtras.h"

namespace coreside {

std::vector<Address> targetsOf(const Datum &datum) {
  std::vector<Address> targets = datum.targets;
  if (datum.pointer.object)
    targets.push_back(datum.pointer);
  return targets;
}

/// "Unknown": with the object that both point to, if they do, else with all
/// that they may point to.
static Datum unknownOf(const Datum &one, const Datum &other, std::string why) {
  Datum datum = Datum::unknown(std::move(why));
  if (one.pointer.object == other.pointer.object)
    datum.pointer = one.pointer;
  constexpr size_t mostKept = 16;
  for (const Datum *side : {&one, &other})
    for (Address &target : targetsOf(*side)) {
      // Of many only the objects.
      if (datum.targets.size() >= mostKept)
        target.path.clear();
      if (target.object && !llvm::is_contained(datum.targets, target))
        datum.targets.push_back(std::move(target));
    }
  return datum;
}

/// The functions that a pointer may point to; nothing where it may be others.
static std::optional<std::vector<const clang::FunctionDecl *>>
functionsOf(const Datum &datum) {
  if (datum.kind == Datum::Kind::Function)
    return std::vector{datum.function};
  // Nobody calls it then.
  if (datum.kind == Datum::Kind::Null)
    return std::vector<const clang::FunctionDecl *>();
  if (datum.isUnknown() && !datum.functions.empty())
    return datum.functions;
  return std::nullopt;
}

/// `kernel = wide ? step<64> : step<32>`: one of them.
static std::optional<Datum> oneOfFunctions(const Datum &one,
                                           const Datum &other) {
  constexpr size_t mostKept = 64;
  auto functions = functionsOf(one), others = functionsOf(other);
  if (!functions || !others || (functions->empty() && others->empty()))
    return std::nullopt;
  if (one.kind == other.kind && *functions == *others &&
      one.handle == other.handle)
    return one;
  for (const clang::FunctionDecl *function : *others)
    if (!llvm::is_contained(*functions, function))
      functions->push_back(function);
  if (functions->size() > mostKept)
    return std::nullopt;
  Datum datum = Datum::unknown("depends on a condition");
  datum.functions = std::move(*functions);
  return datum;
}

Datum joinData(const Datum &one, const Datum &other) {
  using Kind = Datum::Kind;
  if (auto datum = oneOfFunctions(one, other))
    return *datum;
  if (one.kind != other.kind) {
    if (one.isUnknown())
      return unknownOf(one, other, one.text);
    if (other.isUnknown())
      return unknownOf(one, other, other.text);
    return unknownOf(one, other, "depends on a condition");
  }
  switch (one.kind) {
  case Kind::Unknown:
    return unknownOf(one, other, one.text);
  case Kind::Null:
    return one;
  case Kind::Number: {
    Datum result = one;
    result.number = either(one.number, other.number);
    if (one.sample != other.sample)
      result.sample.reset();
    return result;
  }
  case Kind::Real:
    if (one.real && other.real && *one.real == *other.real)
      return one;
    if (!one.real && !other.real && one.text == other.text)
      return one;
    return Datum::unknown("depends on a condition");
  case Kind::Pointer:
    if (one.pointer == other.pointer)
      return one;
    return unknownOf(one, other, "depends on a condition");
  case Kind::Stream:
  case Kind::Event:
  case Kind::Graph:
  case Kind::GraphNode:
    if (one.handle == other.handle)
      return one;
    return Datum::unknown("depends on a condition");
  case Kind::Function:
    if (one.function == other.function)
      return one;
    return Datum::unknown("depends on a condition");
  case Kind::Record:
    return one;
  }
  return one;
}

namespace {

/// How two ways are joined.
struct Join {
  std::function<Datum(const Datum &, const Datum &)> data;
  /// What a cell held before the trace began, where something has asked.
  std::function<std::optional<Datum>(const Address &)> before;
  /// For a loss of its own.
  std::function<unsigned()> lossNumber;
};

} // namespace

/// `external`: where one way stored nothing, it left what was there before the
/// trace began; elsewhere it left an object without a value, which the code
/// then cannot use.
static std::shared_ptr<const Node>
joinNodes(const std::shared_ptr<const Node> &one,
          const std::shared_ptr<const Node> &other, bool external,
          const Join &join, Address &address) {
  if (one == other)
    return one;
  if ((!one || !other) && !external)
    return one ? one : other;
  static const auto nothing = std::make_shared<const Node>();
  const Node &left = one ? *one : *nothing, &right = other ? *other : *nothing;
  auto result = std::make_shared<Node>();
  result->lost = left.lost ? left.lost : right.lost;
  result->lostNumber = std::max(left.lostNumber, right.lostNumber);
  auto joined = [&](const Datum &first, const Datum &second) {
    Datum datum = join.data(first, second);
    if (datum.kind == Datum::Kind::Record)
      datum.record =
          joinNodes(datum.record, second.record, false, join, address);
    return datum;
  };
  if (left.datum && right.datum) {
    result->datum = joined(*left.datum, *right.datum);
  } else if (left.datum || right.datum) {
    // Stored on one way only: the other left what was there before.
    const Node &rest = left.datum ? right : left;
    const Datum &stored = left.datum ? *left.datum : *right.datum;
    std::optional<Datum> before;
    if (external && !rest.lost && join.before)
      before = join.before(address);
    if (before && before->kind == stored.kind)
      result->datum =
          left.datum ? joined(stored, *before) : joined(*before, stored);
    else if (rest.lost || (external && one && other))
      result->datum =
          Datum::unknown(rest.lost ? *rest.lost : "depends on a condition");
    else if (!external)
      result->datum = stored;
    else {
      // Nobody knows: another number than the one that was there before.
      result->lost = "depends on a condition";
      result->lostNumber = join.lossNumber();
    }
  }
  for (const Node *side : {&left, &right})
    for (const auto &[name, part] : side->parts) {
      if (result->parts.contains(name))
        continue;
      auto a = left.parts.find(name), b = right.parts.find(name);
      bool inOne = a != left.parts.end(), inOther = b != right.parts.end();
      bool before = external || (inOne ? right : left).lost.has_value();
      address.path.push_back(name);
      result->parts[name] =
          joinNodes(inOne ? a->second : nullptr, inOther ? b->second : nullptr,
                    before, join, address);
      address.path.pop_back();
    }
  return result;
}

std::shared_ptr<const Node>
joinTrees(const std::shared_ptr<const Node> &one,
          const std::shared_ptr<const Node> &other) {
  Address address;
  return joinNodes(one, other, /*external=*/true,
                   {joinData, {}, [] { return 0u; }}, address);
}

std::shared_ptr<const Node>
withoutNumbers(const std::shared_ptr<const Node> &node,
               const std::string &why) {
  if (!node)
    return nullptr;
  auto result = std::make_shared<Node>(*node);
  if (result->datum &&
      (result->datum->isNumber() || result->datum->kind == Datum::Kind::Real))
    result->datum = Datum::unknown(why);
  for (auto &[name, part] : result->parts)
    part = withoutNumbers(part, why);
  return result;
}

unsigned Memory::create(std::string name, bool external, bool pointee) {
  Objects.push_back(
      {std::move(name), external, pointee, false, nullptr, nullptr});
  return Objects.size() - 1;
}

void Memory::note(unsigned id) {
  if (!Journals.empty())
    Journals.back().try_emplace(id, Objects[id].root);
}

void Memory::setRoot(unsigned id, Root root) {
  note(id);
  Objects[id].root = std::move(root);
}

std::shared_ptr<const Node> Memory::find(const Address &address,
                                         const Node **loss) const {
  std::shared_ptr<const Node> node = Objects[address.object].root;
  for (const std::string &name : address.path) {
    if (!node)
      return nullptr;
    if (loss && node->lost)
      *loss = node.get();
    auto at = node->parts.find(name);
    if (at == node->parts.end())
      return nullptr;
    node = at->second;
  }
  if (loss && node && node->lost)
    *loss = node.get();
  return node;
}

/// What nobody else holds is changed where it is: an array that is filled in a
/// loop would be copied for each element.
static void putNodeAt(std::shared_ptr<const Node> &root,
                      const std::vector<std::string> &path, size_t at,
                      std::shared_ptr<const Node> node) {
  if (at == path.size()) {
    root = std::move(node);
    return;
  }
  if (!root || root.use_count() != 1)
    root = root ? std::make_shared<Node>(*root) : std::make_shared<Node>();
  // All of them are made as nodes that may change.
  auto &parts = const_cast<Node &>(*root).parts;
  putNodeAt(parts[path[at]], path, at + 1, std::move(node));
}

void Memory::initialise(unsigned id, Root root) {
  Objects[id].root = std::move(root);
}

void Memory::storeNode(const Address &address,
                       std::shared_ptr<const Node> node) {
  if (!address.object)
    return;
  note(address.object);
  putNodeAt(Objects[address.object].root, address.path, 0, std::move(node));
}

void Memory::store(const Address &address, Datum datum) {
  if (datum.kind == Datum::Kind::Record && datum.record) {
    storeNode(address, datum.record);
    return;
  }
  auto node = std::make_shared<Node>();
  node->datum = std::move(datum);
  storeNode(address, std::move(node));
}

void Memory::lose(const Address &address, const std::string &why,
                  unsigned number) {
  auto node = std::make_shared<Node>();
  node->lost = why;
  node->lostNumber = number ? number : ++LostNumber;
  storeNode(address, std::move(node));
}

std::string Memory::nameOf(const Address &address) const {
  const Object &object = Objects[address.object];
  std::string result = object.name;
  size_t from = 0;
  // A pointer's target: p[0].x reads p->x, this->x reads x.
  if (object.pointee && !address.path.empty() && address.path[0] == "[0]") {
    if (address.path.size() > 1 && address.path[1][0] == '.') {
      result = result == "this" ? "" : result + "->";
      result += address.path[1].substr(1);
      from = 2;
    } else if (address.path.size() == 1) {
      return result == "this" ? "*this" : "*" + result;
    }
  }
  for (size_t i = from; i < address.path.size(); ++i)
    result += address.path[i].substr(0, address.path[i].find('@'));
  return result;
}

Memory::Changes Memory::takeBack() {
  Changes before = std::move(Journals.back());
  Journals.pop_back();
  Changes after;
  for (auto &[id, root] : before) {
    after[id] = Objects[id].root;
    Objects[id].root = root;
  }
  return after;
}

void Memory::keep() {
  Changes before = std::move(Journals.back());
  Journals.pop_back();
  if (!Journals.empty())
    Journals.back().merge(before);
}

Memory::Changes Memory::changesSince(size_t depth) const {
  Changes result;
  for (size_t i = depth; i < Journals.size(); ++i)
    for (const auto &[id, root] : Journals[i])
      result[id] = Objects[id].root;
  return result;
}

void Memory::join(const std::vector<Changes> &ways, const Joining &joining) {
  if (ways.empty())
    return;
  std::map<unsigned, Root> result;
  for (const Changes &way : ways)
    for (const auto &[id, root] : way)
      result.emplace(id, nullptr);
  for (auto &[id, joined] : result) {
    for (size_t i = 0; i < ways.size(); ++i) {
      auto at = ways[i].find(id);
      const Root &root = at == ways[i].end() ? Objects[id].root : at->second;
      // What is the same on both ways needs no narrowing and keeps its name.
      Join join;
      join.before = BeforeTrace;
      join.lossNumber = [&] { return ++LostNumber; };
      join.data = [&](const Datum &one, const Datum &other) {
        if (!joining ||
            (one.isNumber() && other.isNumber() && one.number == other.number))
          return joinData(one, other);
        return joining(i, one, other);
      };
      Address address{id, {}};
      joined =
          i == 0 ? root
                 : joinNodes(joined, root, Objects[id].external, join, address);
    }
    setRoot(id, joined);
  }
}

} // namespace coreside
