// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min-blocks-ignored: __launch_bounds__ that ask for more blocks per SM than a
// target has room for. ptxas then ignores the number, and what it was to give.
//
//   note: 'topk' asks for 2 blocks of 1,024 threads per SM, which is ignored on
//   l4
//   note: l4: an SM has 48 warps, 2 x 32 are asked for; ...

#include "BoundsFix.h"
#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"
#include "device/LaunchBounds.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// The most blocks of `bounds` that an SM is held to.
uint64_t mostHeeded(const Architecture &architecture, LaunchBounds bounds) {
  while (bounds.minBlocks > 1 &&
         minBlocksFate(architecture, bounds) != MinBlocksFate::Heeded)
    --bounds.minBlocks;
  return bounds.minBlocks;
}

std::string why(const Architecture &architecture, const LaunchBounds &bounds) {
  std::string effect = fmt::format(
      "the kernel is compiled as if none were asked for, {} at most",
      counted(registerLimit(architecture, {.maxThreads = bounds.maxThreads}),
              "register"));
  if (minBlocksFate(architecture, bounds) == MinBlocksFate::TooManyBlocks)
    return fmt::format("an SM has {} block slots; {}", architecture.blocksPerSM,
                       effect);
  uint64_t warps =
      (bounds.maxThreads + architecture.warpSize - 1) / architecture.warpSize;
  return fmt::format("an SM has {} warps, {} x {} are asked for; {}",
                     architecture.warpsPerSM, bounds.minBlocks, warps, effect);
}

/// Where no target heeds the number: the most that all of them would.
std::optional<uint64_t> mostOnAll(const Analysis &analysis,
                                  const Kernel &kernel) {
  uint64_t most = ~0ull;
  for (const GPU &gpu : analysis.gpus) {
    const LaunchBounds bounds = boundsOf(kernel, gpu.architecture.capability);
    if (minBlocksFate(gpu.architecture, bounds) == MinBlocksFate::Heeded)
      return std::nullopt;
    most = std::min(most, mostHeeded(gpu.architecture, bounds));
  }
  return most;
}

} // namespace

std::vector<Finding> coreside::findMinBlocksIgnored(const Analysis &analysis) {
  return noteKernels(
      analysis,
      [](const KernelOnGPU &on) -> std::optional<LaunchNote> {
        const Architecture &architecture = on.gpu.architecture;
        if (minBlocksFate(architecture, on.bounds) == MinBlocksFate::Heeded)
          return std::nullopt;
        return LaunchNote{fmt::format("'{}' asks for {} of {} per SM, which is "
                                      "ignored on",
                                      on.kernel.name,
                                      counted(on.bounds.minBlocks, "block"),
                                      counted(on.bounds.maxThreads, "thread")),
                          "", why(architecture, on.bounds)};
      },
      [&](const Kernel &kernel, Finding &finding) {
        std::vector<std::string> heeded;
        for (const GPU &gpu : analysis.gpus)
          if (std::ranges::find(finding.gpus, gpu.name) == finding.gpus.end() &&
              minBlocksFate(gpu.architecture,
                            boundsOf(kernel, gpu.architecture.capability)) ==
                  MinBlocksFate::Heeded)
            heeded.push_back(gpu.name);
        if (!heeded.empty())
          finding.notes.push_back(
              {kernel.place, fmt::format("{}: heeded", listed(heeded))});
        // Where the number holds for some targets, one for all would take from
        // those.
        const SourceSpan &written = kernel.text.launchBoundsArguments[1];
        if (std::optional<uint64_t> most = mostOnAll(analysis, kernel);
            most && isNumber(written.text))
          finding.fixes.push_back(
              {fmt::format("ask for {} per SM", counted(*most, "block")),
               {editOf(written, std::to_string(*most))}});
      });
}
