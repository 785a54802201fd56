// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the variables of host code hold while it is read.
//
//   dim3 grid(n / 256, 2);   object 7 "grid": .x = "n / 256", .y = 2, .z = 1
//   cudaStream_t s[2];       object 8 "s": [0] = stream 0, [1] = stream 1
//
// An object is a tree of cells. Trees are shared until written, so that the
// arms of a condition can be run one after the other from the same start: a
// journal notes what each arm changed, and the changes are joined.

#ifndef CORESIDE_PROGRAM_MEMORY_H
#define CORESIDE_PROGRAM_MEMORY_H

#include "Value.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace coreside {

/// A place in an object: the fields (".x") and elements ("[3]") on the way.
struct Address {
  /// 0 where there is none.
  unsigned object = 0;
  std::vector<std::string> path;

  Address part(std::string name) const {
    Address result = *this;
    result.path.push_back(std::move(name));
    return result;
  }
  auto operator<=>(const Address &) const = default;
};

struct Node;

/// What one cell holds.
struct Datum {
  enum class Kind {
    /// `text` says why. Of a pointer `pointer` may still say which object it
    /// points to, though not where in it, or `targets` which ones it may; of a
    /// function `functions` which ones it may be.
    Unknown,
    Number,
    /// A floating-point number: `real` where known, else `text`.
    Real,
    /// The address of something in memory.
    Pointer,
    Null,
    /// `handle` is an index into the trace's streams.
    Stream,
    /// `handle` is an index into the trace's events.
    Event,
    /// `handle` is an index into the trace's graphs.
    Graph,
    /// `handle` is the number of a node in its graph.
    GraphNode,
    Function,
    /// A struct, an array or a closure by value.
    Record,
  };
  Kind kind = Kind::Unknown;
  std::string text;
  Value number;
  /// In a loop that was not unrolled `number` holds for every turn; this is
  /// what it is in the turn that stands for them, so that streams[i] is one
  /// stream there. With the address of an element: what picked it.
  std::optional<int64_t> sample;
  std::optional<double> real;
  Address pointer;
  /// Each way to here left a pointer to, or into, another one of these.
  std::vector<Address> targets;
  int handle = -1;
  const clang::FunctionDecl *function = nullptr;
  /// Each way to here left another one. `handle` is the number of the condition
  /// whose arms they are, where it has one.
  std::vector<const clang::FunctionDecl *> functions;
  std::shared_ptr<const Node> record;

  static Datum unknown(std::string why) {
    Datum datum;
    datum.text = std::move(why);
    return datum;
  }
  static Datum of(Value value) {
    Datum datum;
    datum.kind = Kind::Number;
    datum.number = std::move(value);
    return datum;
  }
  static Datum of(int64_t value) { return of(Value::known(value)); }
  static Datum ofReal(double value) {
    Datum datum;
    datum.kind = Kind::Real;
    datum.real = value;
    return datum;
  }
  static Datum null() {
    Datum datum;
    datum.kind = Kind::Null;
    return datum;
  }
  static Datum to(Address address) {
    Datum datum;
    datum.kind = Kind::Pointer;
    datum.pointer = std::move(address);
    return datum;
  }
  static Datum stream(int index) {
    Datum datum;
    datum.kind = Kind::Stream;
    datum.handle = index;
    return datum;
  }
  static Datum event(int index) {
    Datum datum;
    datum.kind = Kind::Event;
    datum.handle = index;
    return datum;
  }
  static Datum graph(int index) {
    Datum datum;
    datum.kind = Kind::Graph;
    datum.handle = index;
    return datum;
  }
  static Datum graphNode(int number) {
    Datum datum;
    datum.kind = Kind::GraphNode;
    datum.handle = number;
    return datum;
  }
  static Datum toFunction(const clang::FunctionDecl *function) {
    Datum datum;
    datum.kind = Kind::Function;
    datum.function = function;
    return datum;
  }

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isNumber() const { return kind == Kind::Number; }
  bool isPointer() const { return kind == Kind::Pointer; }
  /// A known number.
  std::optional<int64_t> known() const {
    return isNumber() ? number.number() : std::nullopt;
  }
  /// A number that can pick an element: known, or the sample of a loop.
  std::optional<int64_t> pick() const {
    if (auto value = known())
      return value;
    return isNumber() ? sample : std::nullopt;
  }
};

/// A cell and its parts.
struct Node {
  /// Without a value: nothing was stored here yet.
  std::optional<Datum> datum;
  std::map<std::string, std::shared_ptr<const Node>> parts;
  /// Whatever the parts do not hold was changed by something that could not be
  /// followed, for this reason. Set afresh, it gets a new number.
  std::optional<std::string> lost;
  unsigned lostNumber = 0;
};

/// The places that a pointer may point to, or into, as far as they are known.
std::vector<Address> targetsOf(const Datum &datum);

/// Both of what two paths left in a cell.
Datum joinData(const Datum &one, const Datum &other);

/// The same for a cell and its parts; what only one of them holds may be
/// anything in the other.
std::shared_ptr<const Node> joinTrees(const std::shared_ptr<const Node> &one,
                                      const std::shared_ptr<const Node> &other);

/// A copy of a node whose numbers are forgotten; streams, events and pointers
/// stay.
std::shared_ptr<const Node>
withoutNumbers(const std::shared_ptr<const Node> &node, const std::string &why);

class Memory {
public:
  /// What a cell of an external object held before the trace began, if that was
  /// asked for.
  using Before = std::function<std::optional<Datum>(const Address &)>;
  explicit Memory(Before before = {}) : BeforeTrace(std::move(before)) {}

  using Root = std::shared_ptr<const Node>;
  /// What a stretch of execution changed: null where the object did not exist.
  using Changes = std::map<unsigned, Root>;

  struct Object {
    std::string name;
    /// Something that was there before the trace began: a cell that was not
    /// written holds what it held then.
    bool external = false;
    /// `name` is that of a pointer to it.
    bool pointee = false;
    /// Kernels may store to it too: no number in it is ever known.
    bool shared = false;
    /// The class that it, or the one element of it, was made as.
    const clang::CXXRecordDecl *type = nullptr;
    Root root;
  };

  /// A new object.
  unsigned create(std::string name, bool external = false,
                  bool pointee = false);
  void share(unsigned id) { Objects[id].shared = true; }
  void setType(unsigned id, const clang::CXXRecordDecl *type) {
    Objects[id].type = type;
  }
  const Object &object(unsigned id) const { return Objects[id]; }
  void rename(unsigned id, std::string name) {
    Objects[id].name = std::move(name);
  }
  unsigned size() const { return Objects.size(); }

  /// The node at an address, or null; `loss`, if given, is set to the nearest
  /// node above that was lost.
  std::shared_ptr<const Node> find(const Address &address,
                                   const Node **loss = nullptr) const;
  void store(const Address &address, Datum datum);
  /// What an object held before the trace began: no journal notes it.
  void initialise(unsigned id, Root root);
  void storeNode(const Address &address, std::shared_ptr<const Node> node);
  /// Forgets everything at and below an address. `number`, if not 0, is that
  /// of an earlier loss, after which the streams in it were seen.
  void lose(const Address &address, const std::string &why,
            unsigned number = 0);

  /// "s", "streams[2]", "pool->main"
  std::string nameOf(const Address &address) const;

  /// Notes all changes from here on.
  void beginChanges() { Journals.emplace_back(); }
  /// Undoes what was changed since the matching begin, and returns it.
  Changes takeBack();
  /// Keeps what was changed since the matching begin.
  void keep();
  /// What was changed since journal `depth` was begun.
  Changes changesSince(size_t depth) const;
  size_t depth() const { return Journals.size(); }
  /// How what way `way` left in a cell goes with what those before it left.
  using Joining =
      std::function<Datum(size_t way, const Datum &before, const Datum &)>;
  /// Goes on from the join of several ways to get here.
  void join(const std::vector<Changes> &ways, const Joining &joining = {});

private:
  Before BeforeTrace;
  std::vector<Object> Objects{1};
  std::vector<Changes> Journals;
  unsigned LostNumber = 0;

  /// Notes what an object is before it changes.
  void note(unsigned id);
  void setRoot(unsigned id, Root root);
};

} // namespace coreside

#endif
