// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finding.h"

using namespace coreside;

const char *coreside::outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Unknown:
    return "unknown";
  case Outcome::Shares:
    return "shares";
  case Outcome::SharesPartly:
    return "shares partly";
  case Outcome::TailOnly:
    return "tail only";
  case Outcome::Waits:
    return "waits";
  case Outcome::Fails:
    return "fails";
  case Outcome::Hangs:
    return "hangs";
  }
  return "";
}

std::vector<std::string> FindingFacts::gpusThat(Outcome outcome) const {
  std::vector<std::string> names;
  for (const GPUFact &fact : onGPU)
    if (fact.outcome == outcome)
      names.push_back(fact.gpu);
  return names;
}

LaunchFact coreside::factOf(const Program &program, const Trace &trace,
                            const Step &step) {
  LaunchFact fact;
  if (step.kernel >= 0)
    fact.kernel = program.kernels[step.kernel].name;
  fact.place = step.place;
  if (step.stream >= 0)
    fact.stream = trace.streams[step.stream].name;
  else if (step.graph >= 0)
    fact.stream = trace.graphs[step.graph].name;
  fact.path = step.path;
  return fact;
}
