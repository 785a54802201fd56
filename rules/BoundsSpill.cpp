// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bounds-spill: a kernel that keeps to its bounds, or to -maxrregcount, only by
// spilling registers to memory.
//
//   note: 'topk' spills registers on a100 to keep to __launch_bounds__(1024, 2)
//   note: a100: 32 registers a thread are left; 708 bytes a thread are stored
//
// Spilling without a bound that is near is of the kernel's own making: quiet.

#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"
#include "device/LaunchBounds.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// ptxas may leave the last registers below a limit unused.
constexpr unsigned unusedBelowLimit = 2;

std::string boundWords(const LaunchBounds &bounds) {
  if (bounds.maxRegisters)
    return fmt::format("__maxnreg__({})", bounds.maxRegisters);
  if (bounds.maxThreads && bounds.minBlocks)
    return fmt::format("__launch_bounds__({}, {})", bounds.maxThreads,
                       bounds.minBlocks);
  if (bounds.maxThreads)
    return fmt::format("__launch_bounds__({})", bounds.maxThreads);
  return fmt::format("-maxrregcount={}", bounds.commandLineRegisters);
}

} // namespace

std::vector<Finding> coreside::findBoundsSpill(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Kernel &kernel : analysis.program.kernels) {
    LaunchBounds kept;
    Finding finding;
    NotesByText notes;
    for (const GPU &gpu : analysis.gpus) {
      const KernelResources *resources = analysis.resources.find(
          kernel.mangled, gpu.architecture.capability, nullptr, kernel.unit);
      const LaunchBounds bounds = boundsOf(kernel, gpu.architecture.capability);
      const unsigned limit = registerLimit(gpu.architecture, bounds);
      if (!resources || resources->estimated || !resources->registers ||
          !resources->spillStores.value_or(0) ||
          limit == gpu.architecture.registersPerThread ||
          *resources->registers + unusedBelowLimit < limit)
        continue;
      if (finding.gpus.empty())
        kept = bounds;
      finding.gpus.push_back(gpu.name);
      notes.add(fmt::format("{} a thread are left; {} bytes a thread are "
                            "stored and {} loaded again",
                            counted(limit, "register"),
                            grouped(*resources->spillStores),
                            grouped(resources->spillLoads.value_or(0))),
                gpu.name);
    }
    if (finding.gpus.empty())
      continue;
    finding.level = Level::Note;
    finding.place = kernel.place;
    finding.message =
        fmt::format("'{}' spills registers on {} to keep to {}", kernel.name,
                    listed(finding.gpus), boundWords(kept));
    notes.addTo(finding, kernel.place);
    findings.push_back(std::move(finding));
  }
  return findings;
}
