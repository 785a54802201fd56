// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Targets.h"

#include <fmt/format.h>

using namespace coreside;

Targets
coreside::defaultTargets(const std::vector<ComputeCapability> &capabilities) {
  Targets targets;
  for (ComputeCapability capability : capabilities) {
    const GPU *gpu = representativeGPU(capability);
    if (!gpu) {
      targets.notes.push_back(fmt::format(
          "no known GPU has {}; --gpu names one", smName(capability)));
      continue;
    }
    targets.notes.push_back(
        fmt::format("{} ({}) stands for {}; --gpu names another", gpu->name,
                    gpu->product, smName(capability)));
    targets.gpus.push_back(*gpu);
  }
  if (targets.gpus.empty()) {
    for (const char *name : {"a100", "h100", "rtx4090"})
      targets.gpus.push_back(*findGPU(name));
    targets.notes.push_back(
        "checked for a100, h100 and rtx4090; --gpu names others");
  }
  return targets;
}
