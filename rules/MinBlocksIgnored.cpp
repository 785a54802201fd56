// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min-blocks-ignored: __launch_bounds__ that ask for more blocks per SM than a
// target has room for. ptxas then ignores the number, and what it was to give.
//
//   note: 'topk' asks for 2 blocks of 1,024 threads per SM, which is ignored on
//   l4
//   note: l4: an SM has 48 warps, 2 x 32 are asked for; ...

#include "BoundsFix.h"
#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"
#include "device/LaunchBounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

} // namespace

std::vector<Finding> coreside::findMinBlocksIgnored(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Kernel &kernel : analysis.program.kernels) {
    LaunchBounds asked;
    Finding finding;
    NotesByText notes;
    std::vector<std::string> heeded;
    uint64_t most = 0;
    for (const GPU &gpu : analysis.gpus) {
      const LaunchBounds bounds = boundsOf(kernel, gpu.architecture.capability);
      if (minBlocksFate(gpu.architecture, bounds) == MinBlocksFate::Heeded) {
        heeded.push_back(gpu.name);
        continue;
      }
      if (finding.gpus.empty()) {
        asked = bounds;
        most = bounds.minBlocks;
      }
      finding.gpus.push_back(gpu.name);
      notes.add(why(gpu.architecture, bounds), gpu.name);
      most = std::min(most, mostHeeded(gpu.architecture, bounds));
    }
    if (finding.gpus.empty())
      continue;
    finding.level = Level::Note;
    finding.place = kernel.place;
    finding.message =
        fmt::format("'{}' asks for {} of {} per SM, which is "
                    "ignored on {}",
                    kernel.name, counted(asked.minBlocks, "block"),
                    counted(asked.maxThreads, "thread"), listed(finding.gpus));
    notes.addTo(finding, kernel.place);
    if (!heeded.empty())
      finding.notes.push_back(
          {kernel.place, fmt::format("{}: heeded", listed(heeded))});
    // Where the number holds for some targets, one for all would take from
    // those.
    else if (isNumber(kernel.text.launchBoundsArguments[1].text))
      finding.fixes.push_back(
          {fmt::format("ask for {} per SM", counted(most, "block")),
           {editOf(kernel.text.launchBoundsArguments[1],
                   std::to_string(most))}});
    findings.push_back(std::move(finding));
  }
  return findings;
}
