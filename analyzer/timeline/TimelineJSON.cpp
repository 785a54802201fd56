// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimelineJSON.h"

#include <fmt/format.h>

using namespace coreside;
namespace json = llvm::json;

namespace {

std::string placeText(const SourcePlace &place) {
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

} // namespace

const char *coreside::relationName(LaunchPair::Relation relation) {
  switch (relation) {
  case LaunchPair::Relation::MayOverlap:
    return "may overlap";
  case LaunchPair::Relation::Ordered:
    return "ordered";
  case LaunchPair::Relation::Exclusive:
    return "exclusive";
  case LaunchPair::Relation::Unknown:
    return "unknown";
  }
  return "";
}

json::Object coreside::launchToJSON(const Program &program, const Trace &trace,
                                    unsigned index) {
  const Step &step = trace.steps[index];
  json::Object launch{{"step", index}, {"place", placeText(step.place)}};
  launch["kernel"] = step.kernel >= 0
                         ? json::Value(program.kernels[step.kernel].name)
                         : json::Value(nullptr);
  launch["stream"] = step.stream >= 0
                         ? json::Value(trace.streams[step.stream].name)
                         : json::Value(nullptr);
  if (!step.path.empty()) {
    json::Array path;
    for (const CallSite &site : step.path)
      path.push_back(site.callee + " from " + placeText(site.place));
    launch["path"] = std::move(path);
  }
  return launch;
}

json::Value coreside::toJSON(const Program &program, const Timeline &timeline) {
  const Trace &trace = program.traces[timeline.trace];
  json::Array pairs;
  for (const LaunchPair &pair : timeline.pairs) {
    json::Object out{
        {"first", launchToJSON(program, trace, pair.first)},
        {"second", launchToJSON(program, trace, pair.second)},
        {"relation", relationName(pair.relation)},
        {"why", pair.why},
    };
    if (pair.orderedBy >= 0)
      out["orderedBy"] = placeText(trace.steps[pair.orderedBy].place);
    if (pair.byDefaultStream)
      out["byDefaultStream"] = true;
    if (pair.byHostCall)
      out["byHostCall"] = true;
    if (!pair.hostCalls.empty()) {
      json::Array calls;
      for (unsigned step : pair.hostCalls)
        calls.push_back(trace.steps[step].function + " at " +
                        placeText(trace.steps[step].place));
      out["hostCalls"] = std::move(calls);
    }
    if (!pair.assumptions.empty())
      out["assumptions"] = json::Array(pair.assumptions);
    if (pair.relation == LaunchPair::Relation::MayOverlap)
      out["overlap"] = pair.intended ? "intended" : "incidental";
    if (pair.programmatic)
      out["programmatic"] = true;
    if (pair.firstUse)
      out["firstUse"] = true;
    if (pair.sharesQueue)
      out["sharesQueue"] = true;
    if (pair.queuedBehind >= 0)
      out["queuedBehind"] = placeText(trace.steps[pair.queuedBehind].place);
    if (pair.otherwiseOrderedBy >= 0)
      out["otherwiseOrderedBy"] =
          placeText(trace.steps[pair.otherwiseOrderedBy].place);
    pairs.push_back(std::move(out));
  }
  json::Array cuts(trace.cuts);
  for (const std::string &cut : timeline.cuts)
    cuts.push_back(cut);
  return json::Object{{"function", trace.function},
                      {"pairs", std::move(pairs)},
                      {"cuts", std::move(cuts)}};
}
