// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   pointers and references to one of several places, which one depends on
//       the run.
// Out:  stores by way of them: none of the places keeps a number that it had.
//
//   int *most = n > m ? &a : &b;
//   *most = 5;                        a and b are 5, or what they were
//   Config &own = configs[device];    a store to own.threads is one to an
//                                     element of configs, and the other way
//
// A reference to such a place is an object of its own, which stands for the
// place: what is stored to it is read again, until another store may have
// changed it.

#include "Interpreter.h"

using namespace clang;

namespace coreside {

/// The address of what stands at `place`.
Datum Interpreter::pointerTo(const Place &place) const {
  if (place.known())
    return Datum::to(place.address);
  Datum somewhere = Datum::unknown(place.why);
  somewhere.pointer = place.array;
  somewhere.targets = place.targets;
  return somewhere;
}

/// Lets `object` stand for one of `targets`.
void Interpreter::letStandFor(unsigned object,
                              const std::vector<Address> &targets) {
  if (targets.empty())
    return;
  StandsFor[object] = targets;
  for (const Address &target : targets)
    if (std::vector<unsigned> &standIns = StandIns[target.object];
        !llvm::is_contained(standIns, object))
      standIns.push_back(object);
}

/// The address of `place`, or of an object called `name` that stands for it.
Address Interpreter::addressOrStandIn(const Place &place,
                                      const std::string &name) {
  if (place.known())
    return place.address;
  Address address{Store.create(name, /*external=*/true), {}};
  letStandFor(address.object, targetsOf(pointerTo(place)));
  return address;
}

/// n > 4 ? a : b, of two places.
Interpreter::Place
Interpreter::locateConditional(const AbstractConditionalOperator *expression) {
  Undecided undecided;
  if (std::optional<bool> truth = decide(expression->getCond(), &undecided))
    return locate(*truth ? expression->getTrueExpr()
                         : expression->getFalseExpr());
  std::optional<Datum> both;
  auto take = [&](bool truth, const Expr *side) {
    learn(expression->getCond(), truth);
    Datum one = pointerTo(locate(side));
    both = both ? joinData(*both, one) : one;
    return Flow::Normal;
  };
  branch(undecided, {[&] { return take(true, expression->getTrueExpr()); },
                     [&] { return take(false, expression->getFalseExpr()); }});
  Place place;
  if (both->isPointer())
    place.address = both->pointer;
  else
    place.why = "depends on '" + textOf(expression->getCond()) + "'";
  place.targets = both->targets;
  return place;
}

static void addPointees(const Node &node, std::vector<Address> &pointees) {
  if (node.datum)
    for (Address &target : targetsOf(*node.datum))
      if (!llvm::is_contained(pointees, target))
        pointees.push_back(std::move(target));
  for (const auto &[name, part] : node.parts)
    if (part)
      addPointees(*part, pointees);
}

/// What a pointer that stands at `place`, one of several, may point to.
std::vector<Address> Interpreter::pointeesIn(const Place &place) const {
  std::vector<Address> pointees;
  for (Address target : targetsOf(pointerTo(place))) {
    if (!target.path.empty() && target.path.back()[0] == '[')
      target.path.pop_back();
    if (auto node = Store.find(target))
      addPointees(*node, pointees);
  }
  if (place.known() && place.array.object)
    if (auto node = Store.find(place.array))
      addPointees(*node, pointees);
  return pointees;
}

/// Something was stored to one of `targets`, or into an array that one of them
/// is an element of.
void Interpreter::loseTargets(const std::vector<Address> &targets) {
  for (Address target : targets) {
    if (!target.path.empty() && target.path.back()[0] == '[')
      target.path.pop_back();
    loseAddress(target, "may be stored to by way of a pointer or a reference");
  }
}

/// Something was stored to `address`: what stands for it does not hold any
/// more, nor do the places that it stands for.
void Interpreter::loseAliases(const Address &address) {
  if (auto at = StandIns.find(address.object); at != StandIns.end())
    for (unsigned object : at->second)
      if (auto root = Store.find({object, {}});
          root && StandsFor.contains(object)) {
        if (Dry && isOlder(object))
          Changed[{object, {}}] = true;
        Store.storeNode(
            {object, {}},
            withoutNumbers(root, "what it stands for was stored to"));
      }
  if (auto at = StandsFor.find(address.object); at != StandsFor.end()) {
    // Not for itself: the last store is what it holds.
    std::vector<Address> targets = std::move(at->second);
    StandsFor.erase(at);
    auto own = Store.find({address.object, {}});
    loseTargets(targets);
    Store.storeNode({address.object, {}}, own);
    StandsFor[address.object] = std::move(targets);
  }
}

} // namespace coreside
