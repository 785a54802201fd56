// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchView.h"

#include <fmt/format.h>

using namespace coreside;

std::string LaunchView::kernelName() const {
  return kernel() ? fmt::format("'{}'", kernel()->name) : "a kernel";
}

void coreside::forEachLaunch(
    const Analysis &analysis,
    const std::function<void(const LaunchView &)> &visit) {
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    if (facts.launches.empty())
      continue;
    for (unsigned l = 0; l != facts.launches.front().size(); ++l)
      visit({analysis, facts, trace, l,
             trace.steps[facts.launches.front()[l].step]});
  }
}

Finding coreside::findingAt(const LaunchView &view) {
  Finding finding;
  finding.place = view.step.place;
  finding.facts.function = view.trace.function;
  finding.facts.launches = {
      factOf(view.analysis.program, view.trace, view.step)};
  return finding;
}

GPUFact &coreside::addFact(Finding &finding, const GPU &gpu, Outcome outcome) {
  GPUFact &fact = finding.facts.onGPU.emplace_back();
  fact.gpu = gpu.name;
  fact.architecture = smName(gpu.architecture.capability);
  fact.outcome = outcome;
  return fact;
}
