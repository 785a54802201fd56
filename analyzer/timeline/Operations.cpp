// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

using namespace coreside;

namespace {

/// Operations that graphs add to a trace: launched in loops they could make any
/// number.
constexpr unsigned mostFromGraphs = 20'000;

Guards sorted(Guards guards) {
  std::sort(guards.begin(), guards.end());
  guards.erase(std::unique(guards.begin(), guards.end()), guards.end());
  return guards;
}

class Layout {
public:
  explicit Layout(const Trace &trace)
      : T(trace), Current(1, std::vector<unsigned>(1)) {}

  Operations run() {
    for (unsigned s = 0; s != T.streams.size(); ++s)
      Out.streams.push_back({static_cast<int>(s), false, T.streams[s].device});
    for (unsigned e = 0; e != T.events.size(); ++e)
      Out.events.push_back(e);
    for (const Step &step : T.steps)
      Out.threads =
          std::max({Out.threads, step.thread + 1, step.otherThread + 1});
    Current.assign(Out.threads, std::vector<unsigned>(Out.threads));
    SeenIndex.assign(Out.threads, -1);
    // Guards of loops: that the body runs, and that it runs again.
    for (const Step &step : T.steps)
      for (const Guard &guard : step.guards)
        FirstLoopGuard = std::max(FirstLoopGuard, guard.condition + 1);
    guardSet({});
    Bodies.resize(T.graphs.size());
    Completion.assign(T.graphs.size(), -1);

    for (unsigned i = 0; i != T.steps.size(); ++i)
      place(i);
    // What was captured or built and never launched.
    for (Capture &capture : Captures)
      if (!capture.ended)
        placeUnlaunched(capture.body);
    for (Body &body : Bodies)
      if (!body.launched)
        placeUnlaunched(body);
    return std::move(Out);
  }

private:
  /// What a graph does when launched: operations with streams and events of
  /// the trace that stand for new ones in each launch, and nodes.
  struct Body {
    std::vector<Operation> captured;
    std::vector<unsigned> nodes;
    std::map<unsigned, std::vector<unsigned>> after;
    bool launched = false;
  };
  struct Capture {
    Body body;
    bool ended = false;
  };

  void place(unsigned i) {
    const Step &step = T.steps[i];
    using Kind = Step::Kind;
    switch (step.kind) {
    case Kind::CaptureBegin:
      if (step.stream >= 0) {
        Capturing[step.stream] = Captures.size();
        Captures.emplace_back();
      }
      return;
    case Kind::CaptureEnd: {
      auto at = Capturing.find(step.stream);
      if (at == Capturing.end())
        return;
      unsigned capture = at->second;
      std::erase_if(Capturing,
                    [&](const auto &one) { return one.second == capture; });
      Captures[capture].ended = true;
      // A graph may be captured to more than once, and have nodes already.
      if (step.graph >= 0)
        std::ranges::move(Captures[capture].body.captured,
                          std::back_inserter(Bodies[step.graph].captured));
      else
        placeUnlaunched(Captures[capture].body);
      return;
    }
    case Kind::GraphNode:
      if (step.graph >= 0)
        Bodies[step.graph].nodes.push_back(i);
      return;
    case Kind::GraphDependency:
      if (step.graph >= 0 && step.node >= 0) {
        auto &after = Bodies[step.graph].after[step.node];
        after.insert(after.end(), step.after.begin(), step.after.end());
      }
      return;
    case Kind::GraphLaunch:
      launchGraph(i);
      return;
    case Kind::GraphUpdate:
      // Whether it was done, or with what, is not known.
      if (step.graph >= 0)
        Updated[step.graph] =
            guardsOf(step).empty() && step.children.front() >= 0
                ? step.children.front()
                : NotKnown;
      return;
    case Kind::ThreadStart:
      Current[step.otherThread] = Current[step.thread];
      Current[step.otherThread][step.thread] = Out.list.size();
      SeenIndex[step.otherThread] = -1;
      return hostFollows(i, step.otherThread, step.thread);
    case Kind::ThreadJoin: {
      auto &mine = Current[step.thread];
      const auto &other = Current[step.otherThread];
      for (unsigned t = 0; t != mine.size(); ++t)
        mine[t] = std::max(mine[t], other[t]);
      mine[step.otherThread] = Out.list.size();
      SeenIndex[step.thread] = -1;
      return hostFollows(i, step.thread, step.otherThread);
    }
    case Kind::StreamDestroy:
    case Kind::Setting:
      return;
    default:
      break;
    }
    if (step.kind == Kind::Launch && step.graph >= 0) {
      Bodies[step.graph].nodes.push_back(i);
      return;
    }

    Operation operation = operationOf(i);
    if (int capture = captureOf(operation); capture >= 0)
      Captures[capture].body.captured.push_back(operation);
    else
      add(operation);
  }

  void hostFollows(unsigned i, unsigned thread, unsigned from) {
    Operation operation;
    operation.kind = Operation::Kind::HostFollow;
    operation.step = i;
    operation.thread = thread;
    operation.from = from;
    operation.guards = guardSet(guardsOf(T.steps[i]));
    operation.sees = seen(thread);
    add(operation);
  }

  Operation operationOf(unsigned i) {
    const Step &step = T.steps[i];
    using Kind = Step::Kind;
    Operation operation;
    operation.step = i;
    operation.stream = streamOf(step);
    operation.event = step.event;
    operation.thread = step.thread;
    operation.device = step.device;
    // A stream made here says which device it is of.
    if (step.stream >= 0 &&
        T.streams[step.stream].origin == Stream::Origin::Created)
      operation.device = T.streams[step.stream].device;
    operation.guards = guardSet(guardsOf(step));
    operation.sees = seen(step.thread);
    switch (step.kind) {
    case Kind::Launch:
      operation.kind = Operation::Kind::Launch;
      break;
    case Kind::EventRecord:
      operation.kind = Operation::Kind::Record;
      break;
    case Kind::StreamWait:
      operation.kind = Operation::Kind::Wait;
      break;
    case Kind::StreamSynchronize:
      operation.kind = Operation::Kind::WaitForStream;
      break;
    case Kind::EventSynchronize:
      operation.kind = Operation::Kind::WaitForEvent;
      break;
    case Kind::DeviceSynchronize:
      operation.kind = Operation::Kind::WaitForDevice;
      break;
    case Kind::FunctionAttribute:
      operation.kind = Operation::Kind::Load;
      break;
    case Kind::ImplicitSynchronization:
    case Kind::Allocation:
      operation.kind = Operation::Kind::Call;
      break;
    default:
      operation.kind = Operation::Kind::Work;
      operation.hostWaits = step.waits;
    }
    return operation;
  }

  /// The capture that an operation belongs to, or -1; a wait for an event of a
  /// capture makes its stream a part of that.
  int captureOf(const Operation &operation) {
    if (operation.kind == Operation::Kind::Wait)
      if (auto at = RecordedIn.find(operation.event);
          at != RecordedIn.end() && !Captures[at->second].ended)
        Capturing.emplace(operation.stream, at->second);
    auto at = Capturing.find(operation.stream);
    if (at == Capturing.end()) {
      if (operation.kind == Operation::Kind::Record)
        RecordedIn.erase(operation.event);
      return -1;
    }
    if (operation.kind == Operation::Kind::Record && operation.event >= 0)
      RecordedIn[operation.event] = at->second;
    return at->second;
  }

  /// The graph whose nodes `graph` runs: the one that it was made from, or last
  /// updated with; negative where that is not known.
  int sourceOf(int graph) const {
    for (unsigned steps = 0; graph >= 0 && steps < 16; ++steps) {
      if (auto at = Updated.find(graph); at != Updated.end())
        graph = at->second;
      else if (T.graphs[graph].of >= 0)
        graph = T.graphs[graph].of;
      else
        break;
    }
    return graph;
  }

  void launchGraph(unsigned i) {
    const Step &step = T.steps[i];
    Operation onStream = operationOf(i);
    onStream.kind = Operation::Kind::Work;
    int graph = step.graph;
    int source = sourceOf(graph);
    if (source < 0 || step.stream < 0 || Capturing.contains(step.stream))
      return (void)add(onStream);
    add(onStream);
    Body &body = Bodies[source];
    body.launched = true;
    if (FromGraphs > mostFromGraphs) {
      if (Out.cuts.empty())
        Out.cuts.push_back(
            fmt::format("launches of graphs after the first {}", Instances));
      return;
    }
    FromGraphs += body.captured.size() + body.nodes.size();
    ++Instances;
    // Launches of one executable graph wait for one another.
    int &completion = Completion[graph];
    if (completion < 0)
      completion = newStream(-1);
    instantiate(body, i, onStream, completion);
  }

  void placeUnlaunched(const Body &body) {
    if (body.captured.empty() && body.nodes.empty())
      return;
    unsigned step =
        body.captured.empty() ? body.nodes.front() : body.captured.front().step;
    Operation outside;
    outside.step = step;
    outside.thread = T.steps[step].thread;
    outside.unplaced = true;
    ++Instances;
    instantiate(body, step, outside, -1);
  }

  /// Adds what `body` does when launched by step `by`, between what is on
  /// `outside.stream` before and after, if that is a stream.
  void instantiate(const Body &body, unsigned by, const Operation &outside,
                   int completion, unsigned depth = 0) {
    const Guards around = Out.guardSets[outside.guards];
    std::map<int, int> streams, events;
    auto follow = [&](unsigned step, int stream, int from) {
      Operation operation = outside;
      operation.kind = Operation::Kind::Follow;
      operation.step = step;
      operation.stream = stream;
      operation.from = from;
      operation.instance = Instances;
      operation.hostWaits = false;
      operation.sees = seen(outside.thread);
      add(operation);
    };
    auto begin = [&](int stream) {
      if (outside.stream >= 0)
        follow(by, stream, outside.stream);
      if (completion >= 0)
        follow(by, stream, completion);
    };
    auto place = [&](Operation operation) {
      Guards guards = Out.guardSets[operation.guards];
      guards.insert(guards.end(), around.begin(), around.end());
      operation.guards = guardSet(sorted(std::move(guards)));
      operation.thread = outside.thread;
      operation.sees = seen(outside.thread);
      operation.instance = Instances;
      operation.unplaced = outside.unplaced;
      add(operation);
    };

    for (Operation operation : body.captured) {
      if (operation.stream >= 0) {
        auto [at, isNew] = streams.try_emplace(operation.stream, -1);
        if (isNew) {
          // Whatever was forked off when capturing starts with the graph, too.
          at->second = newStream(operation.stream);
          begin(at->second);
        }
        operation.stream = at->second;
      }
      if (operation.event >= 0) {
        auto [at, isNew] = events.try_emplace(operation.event, -1);
        if (isNew) {
          at->second = Out.events.size();
          Out.events.push_back(operation.event);
        }
        operation.event = at->second;
      }
      place(operation);
    }

    // Each node has a stream of its own. Nodes may be given in any order, so
    // one is placed as soon as those before it are.
    std::map<unsigned, int> streamOfNode;
    std::vector<unsigned> open = body.nodes;
    while (!open.empty()) {
      std::vector<unsigned> later;
      for (unsigned i : open) {
        const Step &step = T.steps[i];
        std::vector<unsigned> after = step.after;
        if (auto at = body.after.find(step.node); at != body.after.end())
          after.insert(after.end(), at->second.begin(), at->second.end());
        if (!std::all_of(after.begin(), after.end(), [&](unsigned node) {
              return streamOfNode.contains(node);
            })) {
          later.push_back(i);
          continue;
        }
        int stream = newStream(-1);
        streamOfNode[step.node] = stream;
        if (after.empty())
          begin(stream);
        for (unsigned node : after)
          follow(i, stream, streamOfNode[node]);
        Operation operation = operationOf(i);
        operation.stream = stream;
        place(operation);
        // What a child graph does stands between what is before the node and
        // what is after it.
        for (int child : step.children)
          if (int source = sourceOf(child); source >= 0 && depth < 8) {
            Operation inside = outside;
            inside.stream = stream;
            Bodies[source].launched = true;
            FromGraphs +=
                Bodies[source].captured.size() + Bodies[source].nodes.size();
            if (FromGraphs <= mostFromGraphs)
              instantiate(Bodies[source], i, inside, -1, depth + 1);
          }
      }
      if (later.size() == open.size())
        break; // A node waits for one that is not known.
      open = std::move(later);
    }

    auto end = [&](int stream) {
      if (outside.stream >= 0)
        follow(by, outside.stream, stream);
      if (completion >= 0)
        follow(by, completion, stream);
    };
    for (auto [_, stream] : streams)
      end(stream);
    for (auto [_, stream] : streamOfNode)
      end(stream);
  }

  /// The stream of a step: default streams are one for each device, and those
  /// of host threads for each of these.
  int streamOf(const Step &step) {
    if (step.stream < 0)
      return -1;
    const Stream::Origin origin = T.streams[step.stream].origin;
    const bool perThread = origin == Stream::Origin::PerThreadDefault;
    if (origin != Stream::Origin::LegacyDefault && !perThread)
      return step.stream;
    auto [at, isNew] = Defaults.try_emplace(
        {step.stream, step.device, perThread ? step.thread : 0}, step.stream);
    if (isNew && FirstDefault.insert(step.stream).second) {
      Out.streams[step.stream].device = step.device;
    } else if (isNew) {
      at->second = Out.streams.size();
      Out.streams.push_back({step.stream, false, step.device});
    }
    return at->second;
  }

  int newStream(int stream) {
    Out.streams.push_back({stream, true, 0});
    return Out.streams.size() - 1;
  }

  void add(const Operation &operation) { Out.list.push_back(operation); }

  Guards guardsOf(const Step &step) const {
    Guards guards = step.guards;
    for (unsigned i = 0; i != step.loops.size(); ++i) {
      const int64_t least = T.loops[step.loops[i]].turns.low;
      const unsigned condition = FirstLoopGuard + 2 * step.loops[i];
      if (least < 1)
        guards.push_back({condition, 0});
      if (least < 2 && step.turns[i] > 0)
        guards.push_back({condition + 1, 0});
    }
    return sorted(std::move(guards));
  }

  unsigned guardSet(Guards guards) {
    auto [at, isNew] = GuardIndex.try_emplace(guards, Out.guardSets.size());
    if (isNew)
      Out.guardSets.push_back(std::move(guards));
    return at->second;
  }

  unsigned seen(unsigned thread) {
    if (SeenIndex[thread] < 0) {
      SeenIndex[thread] = Out.seen.size();
      Out.seen.push_back(Current[thread]);
    }
    return SeenIndex[thread];
  }

  const Trace &T;
  Operations Out;
  std::map<Guards, unsigned> GuardIndex;
  unsigned FirstLoopGuard = 0;
  /// By host thread: what it has seen of each, and where that stands in
  /// Out.seen.
  std::vector<std::vector<unsigned>> Current;
  std::vector<int> SeenIndex;
  std::map<std::tuple<int, int, unsigned>, int> Defaults;
  std::set<int> FirstDefault;
  /// By stream: the capture that it is part of.
  std::map<int, unsigned> Capturing;
  std::map<int, unsigned> RecordedIn;
  std::vector<Capture> Captures;
  /// By graph.
  std::vector<Body> Bodies;
  std::vector<int> Completion;
  /// By executable graph: the graph that it was updated with, or NotKnown.
  static constexpr int NotKnown = -2;
  std::map<int, int> Updated;
  unsigned Instances = 0;
  unsigned FromGraphs = 0;
};

} // namespace

bool coreside::contradict(const Guards &a, const Guards &b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->condition == j->condition && i->arm != j->arm)
      return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

Operations coreside::layOut(const Trace &trace) { return Layout(trace).run(); }
