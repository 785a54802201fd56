// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchFaults.h"

#include "NotesByText.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// What is found of one launch for one cause.
struct Group {
  Finding finding;
  NotesByText limits = {};
  std::vector<std::string> estimated = {};
  bool isCertain = true;
};

/// What follows from another fault is not told beside it.
bool isConsequence(const LaunchFacts &launch, const LaunchProblem &problem,
                   const Architecture &architecture) {
  auto also = [&](LaunchFault fault) {
    return std::any_of(
        launch.problems.begin(), launch.problems.end(),
        [&](const LaunchProblem &other) { return other.fault == fault; });
  };
  switch (problem.fault) {
  case LaunchFault::BlockDimension:
    // More threads along one axis than a block can have in all are said once,
    // of the block.
    return problem.asked > architecture.threadsPerBlock;
  case LaunchFault::RegistersPerBlock:
    // What a block that cannot be would take is beside the point, and its
    // footprint is not that of the launch.
    return also(LaunchFault::ThreadsPerBlock);
  case LaunchFault::CooperativeGrid:
    // A block that cannot be launched is not resident anywhere.
    return problem.limit == 0 && (also(LaunchFault::RegistersPerBlock) ||
                                  also(LaunchFault::SharedWithoutOptIn) ||
                                  also(LaunchFault::SharedPerBlock) ||
                                  also(LaunchFault::ThreadsPerBlock));
  default:
    return false;
  }
}

/// What the source says of a size that it leaves open.
std::string openSize(const Value &value) {
  return fmt::format("{} to {}", grouped(std::max<int64_t>(value.low, 0)),
                     grouped(value.high));
}

void noteOpenSizes(const Step &step, Finding &finding) {
  static const char *axes[] = {"x", "y", "z"};
  std::vector<std::string> sizes;
  auto add = [&](const Value &value, std::string what) {
    if (!value.isKnown() && value.high < typesOwnRange)
      sizes.push_back(what + " " + openSize(value));
  };
  for (unsigned i = 0; i != 3; ++i)
    add(step.grid[i], fmt::format("blocks in {}", axes[i]));
  for (unsigned i = 0; i != 3; ++i)
    add(step.block[i], fmt::format("threads in {}", axes[i]));
  add(step.dynamicShared, "bytes of dynamic shared memory");
  if (!sizes.empty())
    finding.notes.push_back(
        {step.place, "the source leaves open: " + listed(sizes)});
}

} // namespace

FaultyLaunch::FaultyLaunch(const LaunchView &view, unsigned gpu,
                           const LaunchProblem &problem)
    : LaunchView(view),
      asked(stepOn(view.analysis.program, view.step, view.analysis.resources,
                   view.analysis.gpus[gpu])),
      facts(view.on(gpu)), problem(problem), gpu(view.analysis.gpus[gpu]) {}

std::string coreside::amount(uint64_t least, std::span<const Value> values) {
  bool known = std::all_of(values.begin(), values.end(),
                           [](const Value &value) { return value.isKnown(); });
  return (known ? "" : "at least ") + grouped(least);
}

std::string coreside::amount(uint64_t least, const Value &value) {
  return amount(least, std::span(&value, 1));
}

std::vector<Finding> coreside::launchFaults(const Analysis &analysis,
                                            const FaultWords &words) {
  std::vector<Finding> findings;
  forEachLaunch(analysis, [&](const LaunchView &view) {
    std::map<std::string, Group> byCause;
    auto take = [&](const FaultyLaunch &fault, bool isCertain) {
      if (!words.takes(fault) ||
          isConsequence(fault.facts, fault.problem, fault.gpu.architecture))
        return;
      std::string why = isCertain         ? words.cause(fault)
                        : words.threshold ? words.threshold(fault)
                                          : std::string();
      if (why.empty())
        return;
      auto [place, isFirst] = byCause.try_emplace(why, findingAt(view));
      Group &group = place->second;
      Finding &finding = group.finding;
      const std::string &gpu = fault.gpu.name;
      if (!finding.gpus.empty() && finding.gpus.back() == gpu)
        return;
      group.isCertain = isCertain;
      finding.gpus.push_back(gpu);
      addFact(finding, fault.gpu, isCertain ? Outcome::Fails : Outcome::Unknown)
          .limiter = launchFaultName(fault.problem.fault);
      if (fault.facts.estimated && words.restsOnRegisters)
        group.estimated.push_back(gpu);
      std::string limit = words.limit(fault);
      if (*fault.problem.error)
        limit += fmt::format("; {}", fault.problem.error);
      group.limits.add(std::move(limit), gpu);
      if (isFirst && words.extend)
        words.extend(fault, finding);
    };
    for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
      for (const LaunchProblem &problem : view.on(g).problems)
        // Where code is missing, what would have set a size may be in it.
        take({view, g, problem}, problem.fault != LaunchFault::ZeroDimension ||
                                     analysis.program.unread.empty());
      for (const LaunchProblem &problem : view.on(g).possibleProblems)
        take({view, g, problem}, false);
    }
    for (auto &[why, group] : byCause) {
      Finding &finding = group.finding;
      finding.level = group.isCertain ? Level::Error : Level::Note;
      finding.message = fmt::format("launch of {} fails on {}{} {}",
                                    view.kernelName(), listed(finding.gpus),
                                    group.isCertain ? ":" : " once", why);
      std::vector<FindingNote> others = std::move(finding.notes);
      finding.notes.clear();
      group.limits.addTo(finding, finding.place);
      if (!group.isCertain)
        noteOpenSizes(view.step, finding);
      for (FindingNote &note : others)
        finding.notes.push_back(std::move(note));
      if (!group.estimated.empty()) {
        finding.notes.push_back(
            {finding.place, registersAreEstimated(group.estimated)});
        if (group.estimated.size() == finding.gpus.size())
          finding.level = Level::Note;
      }
      findings.push_back(std::move(finding));
    }
  });
  return findings;
}
