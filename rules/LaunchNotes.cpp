// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchNotes.h"

#include "NotesByText.h"
#include "Words.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

std::vector<Finding> coreside::noteLaunches(
    const Analysis &analysis,
    const std::function<std::optional<LaunchNote>(const LaunchOnGPU &)>
        &judge) {
  std::vector<Finding> findings;
  const Program &program = analysis.program;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = program.traces[t];
    if (facts.launches.empty())
      continue;
    for (unsigned l = 0; l != facts.launches[0].size(); ++l) {
      const Step &step = trace.steps[facts.launches[0][l].step];
      if (step.kernel < 0)
        continue;
      std::map<std::pair<std::string, std::string>,
               std::pair<Finding, NotesByText>>
          byMessage;
      for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
        const LaunchFacts &launch = facts.launches[g][l];
        const GPU &gpu = analysis.gpus[g];
        if (!launch.problems.empty())
          continue;
        std::optional<LaunchNote> note =
            judge({trace, step, program.kernels[step.kernel], launch, gpu});
        if (!note)
          continue;
        auto &[finding, details] = byMessage[{note->before, note->after}];
        finding.gpus.push_back(gpu.name);
        if (finding.fixes.empty())
          finding.fixes = std::move(note->fixes);
        details.add(std::move(note->detail), gpu.name);
      }
      for (auto &[message, found] : byMessage) {
        auto &[finding, details] = found;
        finding.level = Level::Note;
        finding.place = step.place;
        finding.facts.function = trace.function;
        finding.facts.launches = {factOf(program, trace, step)};
        finding.message =
            message.first + " " + listed(finding.gpus) + message.second;
        details.addTo(finding, step.place);
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}
