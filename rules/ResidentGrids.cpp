// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resident-grids: more launches that may all run at once than a GPU keeps
// resident.
//
//   note: 'tick' is the 33rd kernel that may run at once; 32 can be resident on
//   gtx1080
//
// However small they are: the next one starts when one of them ends.

#include "LaunchView.h"
#include "PairView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace coreside;

namespace {

/// Launches of one trace that all may run at once, in their order: each that
/// may overlap all that were taken before it.
std::vector<unsigned> together(const Timeline &timeline) {
  std::map<unsigned, std::set<unsigned>> earlier;
  for (const LaunchPair &pair : timeline.pairs)
    if (pair.relation == LaunchPair::Relation::MayOverlap)
      earlier[pair.second].insert(pair.first);
  std::vector<unsigned> taken;
  for (const auto &[second, firsts] : earlier) {
    if (taken.empty())
      taken.push_back(*firsts.begin());
    if (std::ranges::includes(firsts, taken))
      taken.push_back(second);
  }
  return taken;
}

/// How many launches those in `taken` stand for: of a loop that is not unrolled
/// two turns are there, and where both may run at once, all may.
uint64_t countOf(const Trace &trace, const std::vector<unsigned> &taken) {
  uint64_t count = taken.size();
  for (size_t i = 0; i != taken.size(); ++i)
    for (size_t j = i + 1; j != taken.size(); ++j) {
      const Step &one = trace.steps[taken[i]], &two = trace.steps[taken[j]];
      if (one.place != two.place || one.loops.size() != 1 ||
          one.loops != two.loops || one.turns == two.turns)
        continue;
      const std::optional<int64_t> turns =
          trace.loops[one.loops.front()].turns.number();
      if (turns && *turns > 2)
        count += *turns - 2;
    }
  return count;
}

std::string ordinal(size_t number) {
  const size_t last = number % 10;
  const bool teens = number / 10 % 10 == 1;
  return grouped(number) + (teens       ? "th"
                            : last == 1 ? "st"
                            : last == 2 ? "nd"
                            : last == 3 ? "rd"
                                        : "th");
}

} // namespace

std::vector<Finding> coreside::findResidentGrids(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const Trace &trace = analysis.program.traces[t];
    const std::vector<unsigned> launches =
        together(analysis.traces[t].timeline);
    const uint64_t count = countOf(trace, launches);
    // The first launch that is one too many, by how many a GPU keeps.
    std::map<unsigned, std::vector<unsigned>> byLimit;
    for (unsigned g = 0; g != analysis.gpus.size(); ++g)
      if (unsigned limit = analysis.gpus[g].architecture.residentGrids;
          limit != 0 && count > limit)
        byLimit[limit].push_back(g);
    for (const auto &[limit, gpus] : byLimit) {
      const Step &step =
          trace.steps[launches[std::min<size_t>(limit, launches.size() - 1)]];
      Finding finding;
      finding.level = Level::Note;
      finding.place = step.place;
      finding.facts.function = trace.function;
      finding.facts.launches = {factOf(analysis.program, trace, step)};
      for (unsigned g : gpus) {
        finding.gpus.push_back(analysis.gpus[g].name);
        addFact(finding, analysis.gpus[g], Outcome::Waits).limiter =
            limiterName(Limiter::ResidentGrids);
      }
      finding.message = fmt::format(
          "'{}' is the {} kernel that may run at once; {} can be resident on "
          "{}",
          step.kernel < 0 ? "a kernel"
                          : analysis.program.kernels[step.kernel].name,
          ordinal(limit + 1), limit, listed(finding.gpus));
      finding.notes.push_back(
          {trace.steps[launches.front()].place,
           fmt::format("the first of {} is launched here", grouped(count))});
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}
