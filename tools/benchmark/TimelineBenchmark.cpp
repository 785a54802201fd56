// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ordering costs: traces of many stream operations, in the shapes that
// could make it slow. Asked for is less than a second for 10,000 operations.

#include "timeline/Timeline.h"

#include <benchmark/benchmark.h>

using namespace coreside;

namespace {

/// Writes a trace step by step.
class Host {
public:
  explicit Host(unsigned streams,
                Stream::Blocking blocking = Stream::Blocking::No) {
    for (unsigned i = 0; i != streams; ++i) {
      Stream stream;
      stream.name = "streams[" + std::to_string(i) + "]";
      stream.origin = Stream::Origin::Created;
      stream.blocking = blocking;
      stream.number = i;
      T.streams.push_back(stream);
      T.events.push_back({"e", true, {}});
    }
  }
  Step &add(Step::Kind kind, int stream, int event = -1) {
    Step &step = T.steps.emplace_back();
    step.kind = kind;
    step.stream = stream;
    step.event = event;
    step.kernel = T.steps.size() % 16;
    return step;
  }
  int64_t stepCount() const { return T.steps.size(); }
  unsigned streams() const { return T.streams.size(); }

  Trace T;
};

void order(benchmark::State &state, const Trace &trace) {
  size_t pairs = 0;
  for (auto _ : state)
    pairs = orderLaunches(trace, 0).pairs.size();
  state.counters["pairs"] = pairs;
  state.counters["steps"] = trace.steps.size();
}

/// Launches and events in turn on a few or many streams.
void ringOfEvents(benchmark::State &state) {
  Host host(state.range(1));
  for (unsigned i = 0; host.stepCount() < state.range(0); ++i) {
    const int on = i % host.streams(), next = (i + 1) % host.streams();
    host.add(Step::Kind::Launch, on);
    host.add(Step::Kind::EventRecord, on, on);
    host.add(Step::Kind::StreamWait, next, on);
  }
  order(state, host.T);
}
BENCHMARK(ringOfEvents)
    ->Args({10000, 4})
    ->Args({10000, 1000})
    ->Unit(benchmark::kMillisecond);

/// Nothing but launches, and nothing that orders them.
void launchesOnly(benchmark::State &state) {
  Host host(state.range(1));
  for (unsigned i = 0; host.stepCount() < state.range(0); ++i)
    host.add(Step::Kind::Launch, i % host.streams());
  order(state, host.T);
}
BENCHMARK(launchesOnly)
    ->Args({512, 8})
    ->Args({10000, 4})
    ->Args({10000, 10000})
    ->Args({65536, 8})
    ->Unit(benchmark::kMillisecond);

/// One stream after the other, so that the next stream's launch is far away.
void depthFirst(benchmark::State &state) {
  Host host(32);
  for (unsigned i = 0; host.stepCount() < state.range(0); ++i)
    host.add(Step::Kind::Launch, i * 32 / state.range(0) % 32);
  order(state, host.T);
}
BENCHMARK(depthFirst)->Arg(10000)->Unit(benchmark::kMillisecond);

/// Every third launch on the legacy default stream.
void defaultStreamBetween(benchmark::State &state) {
  Host host(64, Stream::Blocking::Yes);
  host.T.streams[0].origin = Stream::Origin::LegacyDefault;
  for (unsigned i = 0; host.stepCount() < state.range(0); ++i)
    host.add(Step::Kind::Launch, i % 3 ? i % host.streams() : 0);
  order(state, host.T);
}
BENCHMARK(defaultStreamBetween)->Arg(10000)->Unit(benchmark::kMillisecond);

/// Every launch and every wait under a condition of its own.
void conditions(benchmark::State &state) {
  Host host(4);
  for (unsigned i = 0; host.stepCount() < state.range(0); ++i) {
    host.add(Step::Kind::Launch, i % 4).guards = {{2 * i, 0}};
    host.add(Step::Kind::StreamSynchronize, (i + 1) % 4).guards = {{i / 2, 0}};
  }
  order(state, host.T);
}
BENCHMARK(conditions)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

/// A graph of many nodes, launched many times.
void graphs(benchmark::State &state) {
  Host host(2);
  host.T.graphs = {{"graph", {}, -1}, {"executable", {}, 0}};
  for (int i = 0; i != 200; ++i) {
    Step &node = host.add(Step::Kind::Launch, -1);
    node.graph = 0;
    node.node = i;
    if (i)
      node.after = {static_cast<unsigned>(i - 1) / 2};
  }
  while (host.stepCount() < state.range(0))
    host.add(Step::Kind::GraphLaunch, host.T.steps.size() % 2).graph = 1;
  order(state, host.T);
}
BENCHMARK(graphs)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
