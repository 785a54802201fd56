// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bounds-spill: a kernel that keeps to its bounds, or to -maxrregcount, only by
// spilling registers to memory.
//
//   note: 'topk' spills registers on a100 to keep to __launch_bounds__(1024, 2)
//   note: a100: 32 registers a thread are left; 708 bytes a thread are stored
//
// Spilling without a bound that is near is of the kernel's own making: quiet.

#include "LaunchNotes.h"
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
  return noteKernels(
      analysis, [](const KernelOnGPU &on) -> std::optional<LaunchNote> {
        const KernelResources *resources = on.resources;
        const Architecture &architecture = on.gpu.architecture;
        const unsigned limit = registerLimit(architecture, on.bounds);
        if (!resources || resources->estimated || !resources->registers ||
            !resources->spillStores.value_or(0) ||
            limit == architecture.registersPerThread ||
            *resources->registers + unusedBelowLimit < limit)
          return std::nullopt;
        return LaunchNote{
            fmt::format("'{}' spills registers on", on.kernel.name),
            fmt::format(" to keep to {}", boundWords(on.bounds)),
            fmt::format("{} a thread are left; {} bytes a thread are stored "
                        "and {} loaded again",
                        counted(limit, "register"),
                        grouped(*resources->spillStores),
                        grouped(resources->spillLoads.value_or(0)))};
      });
}
