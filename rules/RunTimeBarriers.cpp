// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run-time-barriers: a kernel that reserves all 16 barriers of a block, which
// ptxas does where the number of a barrier is known only at run time, and that
// has fewer blocks per SM for it.
//
//   note: 'rowscan' takes all 16 barriers of a block: 4 blocks per SM on a100,
//   not 5
//
// Debug builds (-G) do not inline what says the number: quiet.

#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

constexpr unsigned barriersPerBlock = 16;

} // namespace

std::vector<Finding> coreside::findRunTimeBarriers(const Analysis &analysis) {
  if (analysis.program.deviceDebug)
    return {};
  return noteLaunches(
      analysis, [](const LaunchOnGPU &launch) -> std::optional<LaunchNote> {
        const LaunchFacts &facts = launch.facts;
        if (!facts.footprintKnown ||
            facts.most.footprint.barriers < barriersPerBlock)
          return std::nullopt;
        Footprint few = facts.most.footprint;
        few.barriers = 1;
        const Architecture &architecture = launch.gpu.architecture;
        const unsigned with = facts.alone.blocksPerSM;
        const unsigned without = occupancy(architecture, few).blocksPerSM;
        if (with >= without)
          return std::nullopt;
        LaunchNote note{
            fmt::format("'{}' takes all {} barriers of a block: {} per SM on",
                        launch.kernel.name, barriersPerBlock,
                        counted(with, "block")),
            fmt::format(", not {}", without),
            fmt::format("an SM has {} barriers; ptxas reserves all {} of a "
                        "block where the number of one is known only at run "
                        "time",
                        architecture.barriersPerSM, barriersPerBlock)};
        if (const auto &place = launch.kernel.body.runTimeBarrier)
          note.notes.push_back(
              {*place, "the number of this barrier is computed"});
        return note;
      });
}
