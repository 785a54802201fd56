// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// planned-grid-too-large: a grid of some blocks for each SM, of which an SM
// holds fewer: the rest starts when others end.
//
//   note: the grid of 'drain' has 4 blocks for each SM on h100, where 2 fit
//   note: h100: 528 blocks on 132 SMs, limited by registers; 264 of them start
//   when others end
//
// Many blocks for each SM are also a way to write a large grid. The number is
// taken for a plan where the occupancy call gave it, or where as many would fit
// if threads were all that counts.

#include "BoundsFix.h"
#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"
#include "program/Formula.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// Blocks of the launch on a GPU with so many SMs, at most.
uint64_t blocksWith(const LaunchView &view, GPU gpu, unsigned SMs) {
  gpu.SMs = SMs;
  const Step step =
      stepOn(view.analysis.program, view.step, view.analysis.resources, gpu);
  uint64_t blocks = 1;
  for (const Value &size : step.grid) {
    if (size.high < 1 || size.high >= typesOwnRange)
      return 0;
    blocks *= size.high;
  }
  return blocks;
}

/// Blocks for each SM, where the grid is made so; else 0.
uint64_t perSM(const LaunchView &view, const GPU &gpu) {
  if (std::ranges::none_of(view.step.grid, [](const Value &size) {
        return asksGPU(size.formula);
      }))
    return 0;
  const uint64_t blocks = blocksWith(view, gpu, gpu.SMs);
  if (!blocks || blocks % gpu.SMs != 0 ||
      blocksWith(view, gpu, 2 * gpu.SMs) != 2 * blocks)
    return 0;
  return blocks / gpu.SMs;
}

/// Whether the number of blocks per SM is what the occupancy call answered.
bool isAskedFor(const Step &step) {
  return std::ranges::any_of(step.grid, [](const Value &size) {
    return size.formula.find("@activeBlocks") != std::string::npos ||
           size.formula.find("@potentialGrid") != std::string::npos;
  });
}

/// Blocks on an SM if only their threads took room.
unsigned byThreads(const Architecture &architecture, Footprint footprint) {
  footprint.registersPerThread = 1;
  footprint.staticShared = footprint.dynamicShared = 0;
  footprint.barriers = 1;
  return occupancy(architecture, footprint).blocksPerSM;
}

} // namespace

std::vector<Finding>
coreside::findPlannedGridTooLarge(const Analysis &analysis) {
  return noteLaunches(
      analysis, [&](const LaunchOnGPU &on) -> std::optional<LaunchNote> {
        const LaunchFacts &facts = on.facts;
        const Architecture &architecture = on.gpu.architecture;
        // A cooperative grid that is too large fails.
        if (!facts.footprintKnown || facts.estimated || on.step.cooperative)
          return std::nullopt;
        const uint64_t planned = perSM(on.launch, on.gpu);
        const unsigned fit = facts.alone.blocksPerSM;
        if (planned <= fit ||
            (!isAskedFor(on.step) &&
             planned > byThreads(architecture, facts.most.footprint)))
          return std::nullopt;
        LaunchNote note{
            fmt::format("the grid of '{}' has {} for each SM on",
                        on.kernel.name, counted(planned, "block")),
            fmt::format(", where {} {}", fit, fit == 1 ? "fits" : "fit"),
            fmt::format("{}{} on {}, limited by {}; {} of them start when "
                        "others end",
                        facts.gridKnown ? "" : "up to ",
                        counted(planned * on.gpu.SMs, "block"),
                        counted(on.gpu.SMs, "SM"),
                        limiterName(facts.alone.limiter),
                        grouped((planned - fit) * on.gpu.SMs))};
        if (facts.alone.limiter == Limiter::Registers)
          if (std::optional<Fix> fix =
                  addedBound(analysis, on.step.kernel, planned))
            note.fixes.push_back(std::move(*fix));
        return note;
      });
}
