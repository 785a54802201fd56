// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace coreside;

namespace {

auto key(const Grid &grid) {
  const Footprint &f = grid.footprint;
  return std::tuple(grid.blocks, f.threadsPerBlock, f.registersPerThread,
                    f.staticShared, f.dynamicShared, f.barriers,
                    f.carveoutPercent, f.clusterSize);
}

bool shares(Sharing sharing) {
  return sharing == Sharing::Full || sharing == Sharing::Partly;
}

/// Whether what is on stream `second` may be placed before what is on `first`
/// and waits for room. A stream made without a priority has 0, the lowest;
/// lower numbers go first. Streams from elsewhere and kernels of graphs are
/// taken to have none.
bool mayOvertake(const Trace &trace, int first, int second) {
  auto priority = [&](int stream) {
    return stream < 0
               ? Value::known(0)
               : trace.streams[stream].priority.value_or(Value::known(0));
  };
  return priority(second).low < std::min<int64_t>(priority(first).high, 0);
}

/// Judges pairs of one GPU; loops ask for the same pair many times.
class Judge {
public:
  explicit Judge(const GPU &gpu) : G(gpu) {}

  PairOnGPU judge(const LaunchFacts &first, const LaunchFacts &second,
                  bool mayOvertake) {
    PairOnGPU result;
    if (!first.problems.empty() || !second.problems.empty()) {
      result.state = PairOnGPU::State::Unlaunchable;
      result.why = "one of the two cannot be launched";
      return result;
    }
    for (const LaunchFacts *facts : {&first, &second}) {
      if (facts->footprintKnown || facts->onlyRegistersOpen)
        continue;
      result.why = facts->missing.front();
      return result;
    }
    std::vector<Grid> firsts = possible(first), seconds = possible(second);
    result.state = PairOnGPU::State::Judged;
    result.first = firsts.front();
    result.second = seconds.front();
    result.verdict = verdict(result.first, result.second);
    for (const Grid &a : firsts)
      for (const Grid &b : seconds)
        if (shares(verdict(a, b).sharing) != shares(result.verdict.sharing))
          result.state = PairOnGPU::State::Depends;
    if (result.state == PairOnGPU::State::Depends)
      result.why = (first.missing.empty() ? second : first).missing.front();
    // Blocks that run stay: in a single wave nothing is left to be overtaken.
    if (mayOvertake && !shares(result.verdict.sharing) &&
        result.verdict.firstWaves > 1) {
      result.state = PairOnGPU::State::Overtakes;
      result.why = "the second's stream may have the higher priority";
    }
    return result;
  }

private:
  /// Launches that speak for all still possible, the one with the most blocks
  /// and the fewest registers first. A larger grid only takes more, so the ends
  /// do; what registers do depends on all else, so each number that is given
  /// out is tried.
  std::vector<Grid> possible(const LaunchFacts &facts) const {
    const unsigned step =
        G.architecture.registerAllocationUnit / G.architecture.warpSize;
    const unsigned most = facts.most.footprint.registersPerThread;
    std::vector<Grid> grids;
    for (unsigned registers = facts.least.footprint.registersPerThread;;
         registers = std::min(most, registers + step)) {
      for (uint64_t blocks : {facts.most.blocks, facts.least.blocks}) {
        Grid &grid = grids.emplace_back(facts.most);
        grid.footprint.registersPerThread = registers;
        grid.blocks = blocks;
      }
      if (registers == most)
        return grids;
    }
  }

  const PairVerdict &verdict(const Grid &first, const Grid &second) {
    auto [place, isNew] = Known.try_emplace(std::pair(key(first), key(second)));
    if (isNew)
      place->second = judgePair(G, first, second);
    return place->second;
  }

  const GPU &G;
  std::map<std::pair<decltype(key(Grid())), decltype(key(Grid()))>, PairVerdict>
      Known;
};

} // namespace

const LaunchFacts &TraceFacts::launch(unsigned gpu, unsigned step) const {
  const std::vector<LaunchFacts> &all = launches[gpu];
  return *std::lower_bound(all.begin(), all.end(), step,
                           [](const LaunchFacts &facts, unsigned step) {
                             return facts.step < step;
                           });
}

Analysis coreside::analyze(Program program, ResourceTable resources,
                           std::vector<GPU> gpus,
                           const TimelineOptions &ordering) {
  Analysis analysis{
      std::move(program), std::move(resources), std::move(gpus), {}, ordering};
  const FunctionAttributes attributes(analysis.program);
  std::vector<Judge> judges(analysis.gpus.begin(), analysis.gpus.end());
  for (unsigned t = 0; t != analysis.program.traces.size(); ++t) {
    const Trace &trace = analysis.program.traces[t];
    TraceFacts facts;
    facts.timeline = orderLaunches(analysis.program, t, ordering);
    for (const GPU &gpu : analysis.gpus) {
      std::vector<LaunchFacts> &launches = facts.launches.emplace_back();
      for (unsigned i = 0; i != trace.steps.size(); ++i)
        if (trace.steps[i].kind == Step::Kind::Launch)
          launches.push_back(launchFacts(analysis.program, trace, i, attributes,
                                         analysis.resources, gpu));
    }
    for (unsigned p = 0; p != facts.timeline.pairs.size(); ++p) {
      const LaunchPair &pair = facts.timeline.pairs[p];
      if (pair.relation != LaunchPair::Relation::MayOverlap &&
          !pair.byDefaultStream && !pair.byHostCall)
        continue;
      PairFacts &judged = facts.pairs.emplace_back();
      judged.pair = p;
      bool overtakes = mayOvertake(trace, trace.steps[pair.first].stream,
                                   trace.steps[pair.second].stream);
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        judged.onGPU.push_back(judges[g].judge(facts.launch(g, pair.first),
                                               facts.launch(g, pair.second),
                                               overtakes));
    }
    analysis.traces.push_back(std::move(facts));
  }
  return analysis;
}
