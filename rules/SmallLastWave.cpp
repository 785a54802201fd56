// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// small-last-wave: a grid of a few waves, the last of which leaves most of the
// GPU idle.
//
//   note: the last of 2 waves of 'blur' on h100 has 1 block
//   note: h100: 132 blocks run at once, 1 on each of 132 SMs; 133 were asked
//
// After many full waves the last one costs little: quiet.

#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"
#include "device/Waves.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// A last wave with less than a fifth of its room used ...
constexpr uint64_t smallPart = 5;
/// ... after so many full ones at most: it takes a fifth of the time or more.
constexpr uint64_t mostFullWaves = 4;

} // namespace

std::vector<Finding> coreside::findSmallLastWave(const Analysis &analysis) {
  return noteLaunches(
      analysis, [](const LaunchOnGPU &launch) -> std::optional<LaunchNote> {
        const LaunchFacts &facts = launch.facts;
        if (!facts.footprintKnown || !facts.gridKnown || facts.estimated)
          return std::nullopt;
        const Waves result = waves(launch.gpu, facts.most);
        if (!result.fullWaves || result.fullWaves > mostFullWaves ||
            !result.tailBlocks ||
            result.tailBlocks * smallPart >= result.blocksPerWave)
          return std::nullopt;
        return LaunchNote{
            fmt::format("the last of {} waves of '{}' on", result.waves,
                        launch.kernel.name),
            fmt::format(" has {}", counted(result.tailBlocks, "block")),
            fmt::format("{} run at once on {}; {} were asked for",
                        counted(result.blocksPerWave, "block"),
                        counted(launch.gpu.SMs, "SM"),
                        grouped(facts.most.blocks))};
      });
}
