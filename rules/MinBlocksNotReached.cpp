// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min-blocks-not-reached: __launch_bounds__ hold a kernel's registers down for
// more blocks per SM than a launch of it can have, for want of something else.
//
//   note: an SM of h100 holds 2 blocks of 'fold', not the 4 that its
//   __launch_bounds__ ask for: limited by shared memory

#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<Finding>
coreside::findMinBlocksNotReached(const Analysis &analysis) {
  return noteLaunches(
      analysis, [](const LaunchOnGPU &launch) -> std::optional<LaunchNote> {
        const LaunchFacts &facts = launch.facts;
        const LaunchBounds &bounds = facts.bounds;
        const Architecture &architecture = launch.gpu.architecture;
        if (!facts.footprintKnown || facts.estimated ||
            facts.alone.blocksPerSM >= bounds.minBlocks ||
            minBlocksFate(architecture, bounds) != MinBlocksFate::Heeded)
          return std::nullopt;
        return LaunchNote{
            "an SM of",
            fmt::format(" holds {} of '{}', not the {} that its "
                        "__launch_bounds__ ask for: limited by {}",
                        counted(facts.alone.blocksPerSM, "block"),
                        launch.kernel.name, bounds.minBlocks,
                        limiterName(facts.alone.limiter)),
            fmt::format(
                "for {} a thread may take {}, for {} it may take {}",
                counted(bounds.minBlocks, "block"),
                counted(registerLimit(architecture, bounds), "register"),
                facts.alone.blocksPerSM,
                registerLimit(architecture,
                              {bounds.maxThreads, facts.alone.blocksPerSM}))};
      });
}
