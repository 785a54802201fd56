// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LostLaunches.h"

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// What findings say of launches, by function and place: outcomes by GPU.
class Losses {
public:
  explicit Losses(std::span<const Finding> findings) {
    for (const Finding &finding : findings)
      if (finding.level == Level::Error)
        for (const LaunchFact &launch : finding.facts.launches)
          ByPlace[{finding.facts.function, launch.place}].push_back(
              {&launch, &finding.facts.onGPU});
  }

  bool any() const { return !ByPlace.empty(); }

  /// Whether the launch at `step` fails or hangs on `gpu`.
  bool has(const Trace &trace, unsigned step, const std::string &gpu) const {
    const Step &launch = trace.steps[step];
    auto known = ByPlace.find({trace.function, launch.place});
    return known != ByPlace.end() &&
           std::ranges::any_of(known->second, [&](const Loss &loss) {
             return std::ranges::equal(loss.launch->path, launch.path, {},
                                       &CallSite::place, &CallSite::place) &&
                    std::ranges::any_of(*loss.onGPU, [&](const GPUFact &fact) {
                      return fact.gpu == gpu &&
                             (fact.outcome == Outcome::Fails ||
                              fact.outcome == Outcome::Hangs);
                    });
           });
  }

private:
  struct Loss {
    const LaunchFact *launch;
    const std::vector<GPUFact> *onGPU;
  };
  std::map<std::pair<std::string, SourcePlace>, std::vector<Loss>> ByPlace;
};

} // namespace

std::vector<LostPair> coreside::lostPairs(const Analysis &analysis,
                                          std::span<const Finding> findings) {
  std::vector<LostPair> result;
  const Losses losses(findings);
  if (!losses.any())
    return result;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    for (unsigned p = 0; p != facts.pairs.size(); ++p) {
      const LaunchPair &pair = facts.timeline.pairs[facts.pairs[p].pair];
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        if (losses.has(trace, pair.first, analysis.gpus[g].name) ||
            losses.has(trace, pair.second, analysis.gpus[g].name))
          result.push_back({t, p, g});
    }
  }
  return result;
}

void coreside::takeOut(Analysis &analysis, std::span<const LostPair> pairs) {
  for (const LostPair &lost : pairs)
    analysis.traces[lost.trace].pairs[lost.pair].onGPU[lost.gpu].state =
        PairOnGPU::State::Unlaunchable;
}
