// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AnalysisJSON.h"

#include "timeline/TimelineJSON.h"

using namespace coreside;
namespace json = llvm::json;

namespace {

json::Object launchOnGPU(const LaunchFacts &facts, const GPU &gpu) {
  json::Object out{{"gpu", gpu.name}};
  const Footprint &footprint = facts.most.footprint;
  if (facts.footprintKnown)
    out["footprint"] = json::Object{
        {"threads", footprint.threadsPerBlock},
        {"registers", footprint.registersPerThread},
        {"staticShared", footprint.staticShared},
        {"dynamicShared", footprint.dynamicShared},
        {"barriers", footprint.barriers},
    };
  else
    out["registers"] = json::Array{facts.least.footprint.registersPerThread,
                                   facts.most.footprint.registersPerThread};
  if (facts.estimated)
    out["estimated"] = true;
  if (facts.gridKnown)
    out["blocks"] = facts.most.blocks;
  else
    out["blocks"] = json::Array{facts.least.blocks, facts.most.blocks};
  if (facts.footprintKnown && facts.problems.empty()) {
    out["blocksPerSM"] = facts.alone.blocksPerSM;
    out["limiter"] = limiterName(facts.alone.limiter);
  }
  if (facts.resources)
    out["source"] = facts.resources->source;
  if (!facts.missing.empty())
    out["missing"] = json::Array(facts.missing);
  json::Array problems;
  for (const LaunchProblem &problem : facts.problems)
    problems.push_back(json::Object{{"error", problem.error},
                                    {"asked", problem.asked},
                                    {"limit", problem.limit}});
  if (!problems.empty())
    out["problems"] = std::move(problems);
  return out;
}

json::Object pairOnGPU(const PairOnGPU &pair, const GPU &gpu) {
  json::Object out{{"gpu", gpu.name}, {"state", stateName(pair.state)}};
  if (!pair.why.empty())
    out["why"] = pair.why;
  if (pair.state != PairOnGPU::State::Judged &&
      pair.state != PairOnGPU::State::Depends)
    return out;
  const PairVerdict &verdict = pair.verdict;
  out["sharing"] = sharingName(verdict.sharing);
  out["limiter"] = limiterName(verdict.limiter);
  out["secondBlocksAtOnce"] = verdict.secondBlocksAtOnce;
  out["secondBlocks"] = verdict.secondBlocks;
  out["SMsShared"] = verdict.SMsShared;
  out["firstBlocksPerSM"] = verdict.firstBlocksPerSM;
  out["firstWaves"] = verdict.firstWaves;
  out["secondStart"] = verdict.secondStart;
  out["dependsOnDurations"] = verdict.dependsOnDurations;
  return out;
}

} // namespace

const char *coreside::stateName(PairOnGPU::State state) {
  switch (state) {
  case PairOnGPU::State::Judged:
    return "judged";
  case PairOnGPU::State::Depends:
    return "depends";
  case PairOnGPU::State::Overtakes:
    return "overtakes";
  case PairOnGPU::State::Unknown:
    return "unknown";
  case PairOnGPU::State::Unlaunchable:
    return "unlaunchable";
  }
  return "";
}

json::Value coreside::verdictsToJSON(const Analysis &analysis) {
  json::Array gpus;
  for (const GPU &gpu : analysis.gpus)
    gpus.push_back(gpu.name);
  json::Array traces;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    json::Array launches;
    for (unsigned l = 0;
         !analysis.gpus.empty() && l != facts.launches[0].size(); ++l) {
      json::Object launch =
          launchToJSON(analysis.program, trace, facts.launches[0][l].step);
      json::Array on;
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        on.push_back(launchOnGPU(facts.launches[g][l], analysis.gpus[g]));
      launch["on"] = std::move(on);
      launches.push_back(std::move(launch));
    }
    json::Array pairs;
    for (const PairFacts &judged : facts.pairs) {
      const LaunchPair &pair = facts.timeline.pairs[judged.pair];
      json::Array on;
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        on.push_back(pairOnGPU(judged.onGPU[g], analysis.gpus[g]));
      pairs.push_back(json::Object{
          {"first", launchToJSON(analysis.program, trace, pair.first)},
          {"second", launchToJSON(analysis.program, trace, pair.second)},
          {"on", std::move(on)},
      });
    }
    traces.push_back(json::Object{{"function", trace.function},
                                  {"launches", std::move(launches)},
                                  {"pairs", std::move(pairs)}});
  }
  return json::Object{{"gpus", std::move(gpus)}, {"traces", std::move(traces)}};
}
