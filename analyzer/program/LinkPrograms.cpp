// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   programs.
// Out:  one, in which calls were replaced by what they call.
//
// A callee is linked before it is put in place of a call, so each trace is
// walked once. What the two sides call the same thing (Reference) is brought
// together twice: what the callee found in its parameters and in globals is
// what the call handed to it, and what the caller finds in them later is what
// the callee left there.

#include "LinkPrograms.h"

#include "HandedNumbers.h"
#include "NamedRecords.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace coreside {
namespace {

/// Steps of one trace; what would be more is not put in place.
constexpr size_t mostSteps = 65536;
/// Calls inside calls.
constexpr unsigned mostDepth = 48;

/// Streams, events and allocations by what a trace calls them.
class Names {
public:
  void set(const Handed &handed, int handle) {
    if (handed.handle >= 0)
      Known[{handed.kind, handed.where}] = handle;
  }
  int find(Handed::Kind kind, const Reference &name) const {
    auto at = Known.find({kind, name});
    return at == Known.end() ? -1 : at->second;
  }
  /// Calls `use` with all that `object` begins.
  void inside(const Reference &object, auto use) const {
    for (const auto &[key, handle] : Known) {
      const auto &[kind, name] = key;
      if (name.root == object.root && name.index == object.index &&
          name.symbol == object.symbol && name.call == object.call &&
          name.path.starts_with(object.path))
        use(kind, name, handle);
    }
  }
  const auto &all() const { return Known; }

private:
  std::map<std::pair<Handed::Kind, Reference>, int> Known;
};

/// A trace in which callees are put in place of calls, and what is known there.
struct Caller {
  Trace trace;
  /// What calls left in their arguments and returned.
  Names left;
  /// What globals hold, as far as something stored to them; `call` is -1.
  Names globals;
  /// The same for numbers, by how the trace reaches them: after which call.
  std::map<Reference, Value> numbersLeft;
  /// What its calls made of its own words for numbers.
  HandedNumbers numbers;
  /// Traces put in place so far.
  unsigned insertions = 0;

  /// The stream or event that `name` stands for, or -1.
  int find(Handed::Kind kind, Reference name) const {
    if (name.root != Reference::Root::Global)
      return left.find(kind, name);
    name.call = -1;
    return globals.find(kind, name);
  }
};

/// Puts one trace in place of a call of another one.
class Insertion {
public:
  Insertion(Caller &caller, const Trace &callee, const Step &call,
            unsigned conditions, unsigned threads, int devices)
      : Into(caller), T(caller.trace), Callee(callee), Call(call),
        Arguments(T.calls[call.call].arguments), Conditions(conditions),
        Threads(threads), Devices(devices),
        Numbers(callee, Arguments, std::to_string(++caller.insertions) + "%") {
    // What the caller did not look at itself, but a call before left there.
    for (const NumberName &number : callee.numbers)
      if (number.from.root == Reference::Root::Parameter &&
          number.from.call < 0)
        if (auto at = Into.numbersLeft.find(place(number.from));
            at != Into.numbersLeft.end())
          Numbers.learn(number.word, at->second);
  }

  /// The steps, for the caller, which learns what the callee left.
  std::vector<Step> run() {
    for (const Stream &stream : Callee.streams)
      Streams.push_back(place(stream));
    for (const Event &event : Callee.events)
      Events.push_back(place(event));
    for (const Allocation &allocation : Callee.allocations)
      Allocations.push_back(place(allocation));
    GraphsFrom = T.graphs.size();
    for (Graph graph : Callee.graphs) {
      if (graph.of >= 0)
        graph.of += GraphsFrom;
      T.graphs.push_back(std::move(graph));
    }
    LoopsFrom = T.loops.size();
    for (Loop loop : Callee.loops) {
      loop.turns = Numbers.place(loop.turns);
      T.loops.push_back(std::move(loop));
    }
    for (const NumberName &number : Callee.numbers)
      if (std::string word = Numbers.wordFor(number); !word.empty())
        if (Reference from = place(number.from);
            from.root == Reference::Root::Parameter)
          T.numbers.push_back({std::move(word), std::move(from)});
    CallsFrom = T.calls.size();
    for (ExternalCall call : Callee.calls) {
      for (Handed &handed : call.arguments)
        place(handed);
      T.calls.push_back(std::move(call));
    }
    std::vector<Step> steps;
    for (const Step &step : Callee.steps)
      steps.push_back(place(step));
    for (const std::string &cut : Callee.cuts)
      if (std::find(T.cuts.begin(), T.cuts.end(), cut) == T.cuts.end())
        T.cuts.push_back(cut);
    for (Handed handed : Callee.leaves) {
      place(handed);
      if (handed.kind == Handed::Kind::Number) {
        if (handed.where.root == Reference::Root::Parameter)
          handed.where.root = Reference::Root::Argument;
        handed.where.call = Call.call;
        Into.numbersLeft.insert_or_assign(handed.where, handed.value);
        continue;
      }
      if (handed.where.root == Reference::Root::Global) {
        Into.globals.set(handed, handed.handle);
        continue;
      }
      if (handed.where.root == Reference::Root::Parameter)
        handed.where.root = Reference::Root::Argument;
      handed.where.call = Call.call;
      Into.left.set(handed, handed.handle);
    }
    return steps;
  }

private:
  Caller &Into;
  Trace &T;
  const Trace &Callee;
  const Step &Call;
  /// A copy: the caller's list of calls grows.
  const std::vector<Handed> Arguments;
  const unsigned Conditions, Threads;
  /// The lowest device of the caller, or 0: numbers below it are free.
  const int Devices;
  HandedNumbers Numbers;
  std::vector<int> Streams, Events, Allocations;
  unsigned GraphsFrom = 0, LoopsFrom = 0, CallsFrom = 0;

  /// What the caller calls what the callee calls `from`.
  Reference place(Reference from) const {
    switch (from.root) {
    case Reference::Root::Argument:
    case Reference::Root::Result:
      from.call += CallsFrom;
      return from;
    case Reference::Root::Global:
      from.call = -1;
      return from;
    case Reference::Root::Parameter:
      break;
    case Reference::Root::None:
      return from;
    }
    // The longest part of it that the caller has a name for.
    const Handed *best = nullptr;
    for (const Handed &handed : Arguments)
      if (handed.kind == Handed::Kind::Object &&
          handed.where.root == from.root && handed.where.index == from.index &&
          from.path.starts_with(handed.where.path) &&
          (!best || handed.where.path.size() > best->where.path.size()))
        best = &handed;
    if (!best)
      return {};
    Reference result = best->object;
    result.path += from.path.substr(best->where.path.size());
    return result;
  }

  /// The caller's stream or event for something the callee was given, or -1.
  int given(Handed::Kind kind, const Reference &from) const {
    if (from.root == Reference::Root::Parameter)
      for (const Handed &handed : Arguments)
        if (handed.kind == kind && handed.where == from)
          return handed.handle;
    const Reference name = place(from);
    if (name.root == Reference::Root::None)
      return -1;
    if (int at = Into.find(kind, name); at >= 0)
      return at;
    auto named = [&](const auto &records) {
      for (size_t i = 0; i != records.size(); ++i)
        if (records[i].from == name)
          return static_cast<int>(i);
      return -1;
    };
    return kind == Handed::Kind::Stream  ? named(T.streams)
           : kind == Handed::Kind::Event ? named(T.events)
                                         : named(T.allocations);
  }

  int place(const Stream &stream) {
    switch (stream.origin) {
    case Stream::Origin::LegacyDefault:
    case Stream::Origin::PerThreadDefault:
      for (size_t s = 0; s != T.streams.size(); ++s)
        if (T.streams[s].origin == stream.origin)
          return s;
      break;
    case Stream::Origin::Created:
      break;
    case Stream::Origin::Parameter:
    case Stream::Origin::External:
    case Stream::Origin::Unknown:
      if (int at = given(Handed::Kind::Stream, stream.from); at >= 0)
        return at;
      break;
    }
    Stream copy = stream;
    copy.from = place(stream.from);
    copy.device = place(stream.device);
    if (copy.origin == Stream::Origin::Parameter &&
        copy.from.root != Reference::Root::Parameter)
      copy.origin = Stream::Origin::External;
    if (copy.number >= 0) {
      int created = 0;
      for (const Stream &other : T.streams)
        created = std::max(created, other.number + 1);
      copy.number = created;
    }
    T.streams.push_back(std::move(copy));
    return T.streams.size() - 1;
  }

  int place(const Event &event) {
    if (int at = given(Handed::Kind::Event, event.from); at >= 0)
      return at;
    Event copy = event;
    copy.from = place(event.from);
    T.events.push_back(std::move(copy));
    return T.events.size() - 1;
  }

  int place(const Allocation &allocation) {
    if (int at = given(Handed::Kind::Allocation, allocation.from); at >= 0)
      return at;
    Allocation copy = allocation;
    copy.bytes = Numbers.place(copy.bytes);
    copy.from = place(allocation.from);
    copy.device = place(allocation.device);
    T.allocations.push_back(std::move(copy));
    return T.allocations.size() - 1;
  }

  void place(Handed &handed) const {
    switch (handed.kind) {
    case Handed::Kind::Number:
      handed.value = Numbers.place(handed.value);
      break;
    case Handed::Kind::Stream:
      handed.handle = Streams[handed.handle];
      break;
    case Handed::Kind::Event:
      handed.handle = Events[handed.handle];
      break;
    case Handed::Kind::Allocation:
      handed.handle = Allocations[handed.handle];
      break;
    case Handed::Kind::Object:
      handed.object = place(handed.object);
      break;
    }
  }

  /// The callee starts on the device that is current at the call.
  int place(int device) const {
    return device < 0 ? Devices + device : device == 0 ? Call.device : device;
  }

  Step place(Step step) const {
    if (step.stream >= 0)
      step.stream = Streams[step.stream];
    if (step.event >= 0)
      step.event = Events[step.event];
    forEachAllocation(step, [&](int &at) { at = Allocations[at]; });
    if (step.graph >= 0)
      step.graph += GraphsFrom;
    for (int &child : step.children)
      if (child >= 0)
        child += GraphsFrom;
    if (step.call >= 0)
      step.call += CallsFrom;
    for (Guard &guard : step.guards)
      guard.condition += Conditions;
    step.guards.insert(step.guards.begin(), Call.guards.begin(),
                       Call.guards.end());
    for (unsigned &loop : step.loops)
      loop += LoopsFrom;
    step.loops.insert(step.loops.begin(), Call.loops.begin(), Call.loops.end());
    step.turns.insert(step.turns.begin(), Call.turns.begin(), Call.turns.end());
    std::vector<CallSite> path = Call.path;
    path.push_back({Callee.function, Call.place});
    path.insert(path.end(), step.path.begin(), step.path.end());
    step.path = std::move(path);
    // The callee's own thread is the one that calls.
    step.thread = step.thread ? step.thread + Threads : Call.thread;
    if (step.otherThread)
      step.otherThread += Threads;
    step.device = place(step.device);
    Numbers.place(step);
    return step;
  }
};

class Linker {
public:
  explicit Linker(std::span<const Program> programs) : Programs(programs) {}

  Program run() {
    Program result;
    std::set<std::string> files;
    for (const Program &program : Programs) {
      if (result.file.empty())
        result.file = program.file;
      for (const std::string &file : program.files)
        if (files.insert(file).second)
          result.files.push_back(file);
      addKernels(program, result);
      result.unread.insert(result.unread.end(), program.unread.begin(),
                           program.unread.end());
      result.contracts.insert(result.contracts.end(), program.contracts.begin(),
                              program.contracts.end());
      result.ownDeclarations |= program.ownDeclarations;
      result.cudaVersion = program.cudaVersion;
      result.relocatable |= program.relocatable;
      result.deviceDebug |= program.deviceDebug;
      for (const Trace &trace : program.traces)
        add(trace, Kernels.back(), result.stepTexts.size());
      result.stepTexts.insert(result.stepTexts.end(), program.stepTexts.begin(),
                              program.stepTexts.end());
    }
    for (unsigned t = 0; t != Traces.size(); ++t)
      link(t, 0);
    keepRoots();
    for (Entry &entry : Traces)
      if (entry.kept && !entry.trace.steps.empty()) {
        finish(entry.trace);
        result.traces.push_back(std::move(entry.trace));
      }
    addLost(result);
    return result;
  }

private:
  struct Entry {
    Trace trace;
    enum class State { New, Linking, Linked } state = State::New;
    /// Traces that were put in place of calls of it.
    std::vector<unsigned> callees;
    /// Nothing that is kept calls it, and it is kept; or something does.
    bool kept = false, covered = false;
  };

  std::span<const Program> Programs;
  /// For each program the indices of its kernels in the result.
  std::vector<std::vector<int>> Kernels;
  std::map<std::string, std::vector<int>> KernelsByName;
  std::vector<Entry> Traces;
  /// By mangled name; -1 where two files differ.
  std::map<std::string, int> BySymbol;

  /// A kernel that several files hold is one when they have it from the same
  /// place, and when all but one only declare it.
  void addKernels(const Program &program, Program &result) {
    std::vector<int> &indices = Kernels.emplace_back();
    for (const Kernel &kernel : program.kernels) {
      int at = -1;
      for (int other : KernelsByName[kernel.mangled]) {
        const Kernel &known = result.kernels[other];
        if (known.place == kernel.place || !known.defined || !kernel.defined)
          at = other;
      }
      if (at < 0) {
        at = result.kernels.size();
        KernelsByName[kernel.mangled].push_back(at);
        result.kernels.push_back(kernel);
      } else if (kernel.defined && !result.kernels[at].defined) {
        result.kernels[at] = kernel;
      }
      indices.push_back(at);
    }
  }

  /// Keeps the roots that no other root calls; of those that only call one
  /// another, or that only what is no root calls, the first.
  void keepRoots() {
    std::vector<bool> called(Traces.size());
    for (const Entry &entry : Traces)
      if (entry.trace.isRoot)
        for (unsigned callee : entry.callees)
          called[callee] = true;
    auto keep = [&](unsigned root) {
      Traces[root].kept = true;
      std::vector<unsigned> open{root};
      while (!open.empty()) {
        Entry &entry = Traces[open.back()];
        open.pop_back();
        if (std::exchange(entry.covered, true))
          continue;
        open.insert(open.end(), entry.callees.begin(), entry.callees.end());
      }
    };
    for (unsigned t = 0; t != Traces.size(); ++t)
      if (Traces[t].trace.isRoot && !called[t])
        keep(t);
    for (unsigned t = 0; t != Traces.size(); ++t)
      if (Traces[t].trace.isRoot && !Traces[t].covered)
        keep(t);
  }

  /// `texts` is how many step texts stand before those of its program.
  void add(const Trace &trace, const std::vector<int> &kernels, int texts) {
    const int index = Traces.size();
    Traces.emplace_back().trace = trace;
    for (Step &step : Traces.back().trace.steps) {
      if (step.kernel >= 0)
        step.kernel = kernels[step.kernel];
      if (step.text >= 0)
        step.text += texts;
    }
    for (Stream &stream : Traces.back().trace.streams)
      if (stream.text >= 0)
        stream.text += texts;
    if (trace.symbol.empty())
      return;
    auto [at, isNew] = BySymbol.try_emplace(trace.symbol, index);
    if (isNew || at->second < 0)
      return;
    Trace &known = Traces[at->second].trace;
    if (known.place == trace.place) { // an inline function
      known.isRoot &= trace.isRoot;
      Traces.pop_back();
    } else {
      at->second = -1;
    }
  }

  /// Takes out what only callers would need, and the streams, events and
  /// allocations that turned out to be others.
  static void finish(Trace &trace) {
    trace.leaves.clear();
    trace.numbers.clear();
    trace.calls.clear();
    for (Step &step : trace.steps)
      step.call = -1;
    dropUnnamed(trace);
  }

  void cut(Trace &trace, std::string why) {
    if (std::find(trace.cuts.begin(), trace.cuts.end(), why) ==
        trace.cuts.end())
      trace.cuts.push_back(std::move(why));
  }

  /// Puts what it calls in place of the calls of trace `t`.
  void link(unsigned t, unsigned depth) {
    if (Traces[t].state != Entry::State::New)
      return;
    Traces[t].state = Entry::State::Linking;
    Caller caller{std::move(Traces[t].trace), {}, {}, {}, {}};
    Trace &trace = caller.trace;
    std::vector<Step> steps = std::move(trace.steps);
    trace.steps.clear();
    unsigned conditions = 0, threads = 0;
    int devices = 0;
    auto count = [&](const Step &step) {
      for (const Guard &guard : step.guards)
        conditions = std::max(conditions, guard.condition + 1);
      threads = std::max({threads, step.thread, step.otherThread});
      devices = std::min(devices, step.device);
    };
    for (const Step &step : steps)
      count(step);
    for (const Stream &stream : trace.streams)
      devices = std::min(devices, stream.device);
    // What was found after a call is what was left there by then.
    std::vector<int> streams(trace.streams.size(), -1);
    std::vector<int> events(trace.events.size(), -1);
    std::vector<int> allocations(trace.allocations.size(), -1);
    std::set<std::pair<Handed::Kind, int>> named;
    auto learnOf = [&](Handed::Kind kind, auto &records, std::vector<int> &is,
                       int call) {
      for (size_t i = 0; i != is.size(); ++i) {
        if (records[i].from.call != call)
          continue;
        is[i] = caller.find(kind, records[i].from);
        // What the callee made is called what its caller calls it first.
        if (is[i] >= static_cast<int>(is.size()) &&
            named.insert({kind, is[i]}).second)
          records[is[i]].name = records[i].name;
      }
    };
    auto learn = [&](int call) {
      learnOf(Handed::Kind::Stream, trace.streams, streams, call);
      learnOf(Handed::Kind::Event, trace.events, events, call);
      learnOf(Handed::Kind::Allocation, trace.allocations, allocations, call);
      for (const NumberName &number : trace.numbers)
        if (number.from.call == call)
          if (auto at = caller.numbersLeft.find(number.from);
              at != caller.numbersLeft.end())
            caller.numbers.learn(number.word, at->second);
    };
    auto rename = [](int &at, const std::vector<int> &is) {
      if (at >= 0 && is[at] >= 0)
        at = is[at];
    };
    auto stream = [&](int &at) { rename(at, streams); };
    auto event = [&](int &at) { rename(at, events); };
    auto allocation = [&](int &at) { rename(at, allocations); };
    auto handed = [&](std::vector<Handed> &list) {
      for (Handed &one : list)
        if (one.kind == Handed::Kind::Number)
          one.value = caller.numbers.place(one.value);
        else if (one.kind == Handed::Kind::Stream)
          stream(one.handle);
        else if (one.kind == Handed::Kind::Event)
          event(one.handle);
        else if (one.kind == Handed::Kind::Allocation)
          allocation(one.handle);
    };
    for (Step &step : steps) {
      stream(step.stream);
      event(step.event);
      forEachAllocation(step, allocation);
      if (!caller.numbers.empty())
        caller.numbers.place(step);
      if (step.call >= 0) {
        handed(trace.calls[step.call].arguments);
        for (const Handed &one : trace.calls[step.call].arguments)
          if (one.where.root == Reference::Root::Global)
            caller.globals.set(one, one.handle);
      }
      const int call = step.call;
      const Trace *callee = calleeOf(step, t, trace, depth);
      if (callee && trace.steps.size() + callee->steps.size() > mostSteps) {
        cut(trace, "more than 65,536 steps");
        callee = nullptr;
      }
      if (!callee) {
        trace.steps.push_back(std::move(step));
        if (call >= 0)
          learn(call);
        continue;
      }
      for (Step &inserted :
           Insertion(caller, *callee, step, conditions, threads, devices)
               .run()) {
        count(inserted);
        trace.steps.push_back(std::move(inserted));
      }
      learn(call);
    }
    handed(trace.leaves);
    for (Loop &loop : trace.loops)
      loop.turns = caller.numbers.place(loop.turns);
    for (Allocation &one : trace.allocations)
      one.bytes = caller.numbers.place(one.bytes);
    addLeft(caller);
    Traces[t].trace = std::move(trace);
    Traces[t].state = Entry::State::Linked;
  }

  /// Adds to what a trace leaves what the calls in it left there.
  static void addLeft(Caller &caller) {
    std::vector<Handed> more;
    for (const Handed &one : caller.trace.leaves)
      if (one.kind == Handed::Kind::Object)
        caller.left.inside(one.object, [&](Handed::Kind kind,
                                           const Reference &name, int handle) {
          Handed left{one.where, kind, {}, handle, {}};
          left.where.path += name.path.substr(one.object.path.size());
          more.push_back(std::move(left));
        });
    for (const auto &[key, handle] : caller.globals.all())
      more.push_back({key.second, key.first, {}, handle, {}});
    for (Handed &one : more) {
      auto same = std::find_if(
          caller.trace.leaves.begin(), caller.trace.leaves.end(),
          [&](const Handed &known) {
            return known.kind == one.kind && known.where == one.where;
          });
      if (same == caller.trace.leaves.end())
        caller.trace.leaves.push_back(std::move(one));
      else
        same->handle = one.handle;
    }
  }

  /// The linked trace that `step` calls, or null.
  const Trace *calleeOf(const Step &step, unsigned t, Trace &caller,
                        unsigned depth) {
    if (step.call < 0)
      return nullptr;
    auto at = BySymbol.find(caller.calls[step.call].callee);
    if (at == BySymbol.end())
      return nullptr;
    if (at->second < 0) {
      cut(caller, "two files define '" + step.function + "'");
      return nullptr;
    }
    if (depth >= mostDepth) {
      cut(caller, "calls nested deeper than " + std::to_string(mostDepth));
      return nullptr;
    }
    link(at->second, depth + 1);
    Entry &entry = Traces[at->second];
    if (entry.state != Entry::State::Linked) {
      cut(caller, "recursion in '" + step.function + "'");
      return nullptr;
    }
    Traces[t].callees.push_back(at->second);
    return &entry.trace;
  }

  /// Launches that no trace of the result holds, but those that only wait for
  /// a caller in another file.
  void addLost(Program &result) const {
    std::set<SourcePlace> reached;
    std::set<std::pair<SourcePlace, std::string>> made;
    for (const Trace &trace : result.traces)
      for (const Step &step : trace.steps)
        if (step.kind == Step::Kind::Launch) {
          reached.insert(step.place);
          if (step.kernel >= 0)
            made.insert({step.place, result.kernels[step.kernel].name});
        }
    for (const Program &program : Programs)
      for (const Unread &lost : program.lostLaunches)
        if (reached.insert(lost.place).second)
          result.lostLaunches.push_back(lost);
    for (const Program &program : Programs)
      for (const UntakenLaunch &untaken : program.untakenLaunches)
        if (made.insert({untaken.place, untaken.kernel}).second)
          result.untakenLaunches.push_back(untaken);
  }
};

} // namespace

Program linkPrograms(std::span<const Program> programs) {
  return Linker(programs).run();
}

std::vector<std::vector<unsigned>>
linkedGroups(std::span<const Program> programs) {
  std::map<std::string, std::vector<unsigned>> defined;
  for (unsigned p = 0; p != programs.size(); ++p) {
    for (const Trace &trace : programs[p].traces)
      if (!trace.symbol.empty())
        defined[trace.symbol].push_back(p);
    for (const Kernel &kernel : programs[p].kernels)
      if (kernel.defined)
        defined[kernel.mangled].push_back(p);
  }
  std::vector<unsigned> group(programs.size());
  std::iota(group.begin(), group.end(), 0);
  auto find = [&](unsigned p) {
    while (group[p] != p)
      p = group[p];
    return p;
  };
  auto needs = [&](unsigned p, const std::string &symbol) {
    auto at = defined.find(symbol);
    if (at == defined.end() ||
        std::find(at->second.begin(), at->second.end(), p) != at->second.end())
      return;
    for (unsigned other : at->second) {
      const unsigned one = find(p), two = find(other);
      group[std::max(one, two)] = std::min(one, two);
    }
  };
  for (unsigned p = 0; p != programs.size(); ++p) {
    for (const Trace &trace : programs[p].traces)
      for (const ExternalCall &call : trace.calls)
        needs(p, call.callee);
    for (const Kernel &kernel : programs[p].kernels)
      if (!kernel.defined)
        needs(p, kernel.mangled);
  }
  std::map<unsigned, std::vector<unsigned>> members;
  for (unsigned p = 0; p != programs.size(); ++p)
    members[find(p)].push_back(p);
  std::vector<std::vector<unsigned>> result;
  for (auto &[first, list] : members)
    result.push_back(std::move(list));
  return result;
}

} // namespace coreside
