// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimelineMermaid.h"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace coreside;

namespace {

constexpr unsigned mostDrawn = 100;

/// Text between double quotes.
std::string quoted(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '"' ? "#quot;" : std::string(1, c);
  return result;
}

} // namespace

std::string coreside::toMermaid(const Program &program,
                                const Timeline &timeline) {
  using Relation = LaunchPair::Relation;
  const Trace &trace = program.traces[timeline.trace];
  // Lanes, and the launches on each in their order.
  std::map<int, std::vector<unsigned>> lanes;
  std::set<unsigned> drawn;
  for (unsigned i = 0; i != trace.steps.size() && drawn.size() < mostDrawn; ++i)
    if (trace.steps[i].kind == Step::Kind::Launch) {
      lanes[trace.steps[i].stream].push_back(i);
      drawn.insert(i);
    }

  std::string text = fmt::format("%% {}\nflowchart LR\n", trace.function);
  for (const auto &[stream, launches] : lanes) {
    text += fmt::format(
        "  subgraph lane{}[\"{}\"]\n", stream + 1,
        quoted(stream >= 0 ? trace.streams[stream].name : "graph nodes"));
    for (unsigned i : launches) {
      const Step &step = trace.steps[i];
      text += fmt::format(
          "    k{}[\"{} :{}\"]\n", i,
          quoted(step.kernel >= 0 ? program.kernels[step.kernel].name : "?"),
          step.place.line);
    }
    text += "  end\n";
  }

  std::map<std::pair<unsigned, unsigned>, const LaunchPair *> ordered;
  for (const LaunchPair &pair : timeline.pairs)
    if (pair.relation == Relation::Ordered && drawn.contains(pair.first) &&
        drawn.contains(pair.second))
      ordered[{pair.first, pair.second}] = &pair;
  for (const LaunchPair &pair : timeline.pairs) {
    if (!drawn.contains(pair.first) || !drawn.contains(pair.second))
      continue;
    switch (pair.relation) {
    case Relation::Ordered: {
      bool follows = false;
      for (unsigned middle : drawn)
        follows |= ordered.contains({pair.first, middle}) &&
                   ordered.contains({middle, pair.second});
      if (follows)
        break;
      if (pair.orderedBy < 0)
        text += fmt::format("  k{} --> k{}\n", pair.first, pair.second);
      else
        text += fmt::format("  k{} -- \"{}\" --> k{}\n", pair.first,
                            quoted(pair.why), pair.second);
      break;
    }
    case Relation::MayOverlap:
      text += fmt::format("  k{} -.- k{}\n", pair.first, pair.second);
      break;
    case Relation::Unknown:
      text += fmt::format("  k{} -. \"?\" .- k{}\n", pair.first, pair.second);
      break;
    case Relation::Exclusive:
      break;
    }
  }
  for (const std::string &cut : timeline.cuts)
    text += fmt::format("  %% {}\n", cut);
  return text;
}
