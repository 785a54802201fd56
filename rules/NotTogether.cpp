// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// not-together: the code says that kernels have to be on the GPU at the same
// time, and on a target they cannot be.
//
//   // coreside: together(front, back)
//   error: 'front' and 'back' are not together on l4: 0 of 58 blocks of 'back'
//   fit
//
// Every function that launches all of them is checked.

#include "LaunchView.h"
#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"
#include "device/GroupVerdict.h"
#include "program/Durations.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// A contract in one trace: which launches it is about.
class Check {
public:
  Check(const Analysis &analysis, unsigned trace, const Together &contract)
      : A(analysis), Facts(analysis.traces[trace]),
        T(analysis.program.traces[trace]), C(contract) {}

  void find(std::vector<Finding> &findings) {
    if (!choose())
      return;
    Finding finding;
    finding.place = C.place;
    finding.level = Level::Error;
    std::vector<std::string> names;
    for (unsigned step : Launches) {
      names.push_back(fmt::format("'{}'", kernel(step).name));
      finding.facts.launches.push_back(factOf(A.program, T, T.steps[step]));
    }
    finding.facts.function = T.function;
    std::string all = listed(names);
    if (const LaunchPair *pair = ordered()) {
      finding.message =
          fmt::format("{} are not together: '{}' starts only when '{}' is done",
                      all, kernel(pair->second).name, kernel(pair->first).name);
      finding.notes.push_back({T.steps[pair->second].place, pair->why});
      for (const GPU &gpu : A.gpus)
        finding.gpus.push_back(gpu.name);
      findings.push_back(std::move(finding));
      return;
    }
    NotesByText missing;
    for (unsigned g = 0; g != A.gpus.size(); ++g)
      judge(g, finding, missing);
    if (finding.gpus.empty()) {
      if (Open.empty())
        return;
      finding.level = Level::Note;
      finding.gpus = Open;
      finding.message = fmt::format(
          "whether {} are together on {} is not known", all, listed(Open));
    } else {
      finding.message =
          fmt::format("{} are not together on {}", all, listed(finding.gpus));
    }
    missing.addTo(finding, C.place);
    for (unsigned step : Launches)
      finding.notes.push_back(
          {T.steps[step].place,
           fmt::format("'{}' is launched here", kernel(step).name)});
    findings.push_back(std::move(finding));
  }

private:
  const Analysis &A;
  const TraceFacts &Facts;
  const Trace &T;
  const Together &C;
  /// The first launch of each, in host order.
  std::vector<unsigned> Launches;
  std::vector<std::string> Open;

  const Kernel &kernel(unsigned step) const {
    return A.program.kernels[T.steps[step].kernel];
  }

  bool choose() {
    for (const std::string &name : C.kernels) {
      bool found = false;
      for (unsigned i = 0; i != T.steps.size() && !found; ++i)
        if (T.steps[i].kind == Step::Kind::Launch && T.steps[i].kernel >= 0 &&
            isCalled(kernel(i), name) &&
            std::find(Launches.begin(), Launches.end(), i) == Launches.end()) {
          Launches.push_back(i);
          found = true;
        }
      if (!found)
        return false;
    }
    std::sort(Launches.begin(), Launches.end());
    return true;
  }

  bool isChosen(unsigned step) const {
    return std::binary_search(Launches.begin(), Launches.end(), step);
  }

  const LaunchPair *ordered() const {
    for (const LaunchPair &pair : Facts.timeline.pairs)
      if (pair.relation == LaunchPair::Relation::Ordered &&
          isChosen(pair.first) && isChosen(pair.second))
        return &pair;
    return nullptr;
  }

  void judge(unsigned g, Finding &finding, NotesByText &missing) {
    const GPU &gpu = A.gpus[g];
    std::vector<Grid> least, most;
    bool known = true;
    for (unsigned step : Launches) {
      const LaunchFacts &launch = Facts.launch(g, step);
      if (!launch.problems.empty())
        return;
      known &= launch.footprintKnown && launch.gridKnown;
      least.push_back(launch.least);
      most.push_back(launch.most);
      if (!launch.missing.empty())
        missing.add(fmt::format("of '{}' it is not known: {}",
                                kernel(step).name, launch.missing.front()),
                    gpu.name);
    }
    // The smallest that is possible: where that does not fit, nothing does.
    GroupVerdict group = judgeGroup(gpu, least);
    if (group.allTogether) {
      if (!known)
        Open.push_back(gpu.name);
      return;
    }
    finding.gpus.push_back(gpu.name);
    GPUFact &fact = addFact(finding, gpu, Outcome::Waits);
    for (unsigned i = 0; i != group.members.size(); ++i) {
      const GroupMember &member = group.members[i];
      if (member.blocksAtOnce == member.blocks)
        continue;
      if (fact.limiter.empty())
        fact.limiter = limiterName(member.limiter);
      missing.add(fmt::format("{} of {} of '{}' run together with the others: "
                              "limited by {}",
                              grouped(member.blocksAtOnce),
                              counted(member.blocks, "block"),
                              kernel(Launches[i]).name,
                              limiterName(member.limiter)),
                  gpu.name);
    }
  }
};

} // namespace

std::vector<Finding> coreside::findNotTogether(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Together &contract : analysis.program.contracts) {
    for (const std::string &name : contract.kernels)
      if (std::none_of(
              analysis.program.kernels.begin(), analysis.program.kernels.end(),
              [&](const Kernel &kernel) { return isCalled(kernel, name); })) {
        Finding &finding = findings.emplace_back();
        finding.level = Level::Warning;
        finding.place = contract.place;
        finding.message =
            fmt::format("no kernel of this file is called '{}'", name);
        for (const GPU &gpu : analysis.gpus)
          finding.gpus.push_back(gpu.name);
      }
    for (unsigned t = 0; t != analysis.traces.size(); ++t)
      Check(analysis, t, contract).find(findings);
  }
  return findings;
}
