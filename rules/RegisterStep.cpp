// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// register-step: a kernel that a register or two less would give one more block
// per SM.
//
//   note: 'blur' takes 65 registers a thread on h100, with 64 an SM would hold
//   4 blocks, not 3
//
// Only of grids that have more blocks than the GPU holds at once.

#include "BoundsFix.h"
#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"
#include "device/OccupancySteps.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// So many less ptxas mostly finds a way to do with.
constexpr uint64_t mostRegistersLess = 2;

} // namespace

std::vector<Finding> coreside::findRegisterStep(const Analysis &analysis) {
  return noteLaunches(
      analysis, [&](const LaunchOnGPU &launch) -> std::optional<LaunchNote> {
        const LaunchFacts &facts = launch.facts;
        if (!facts.footprintKnown || facts.estimated || !facts.gridKnown ||
            facts.most.blocks <=
                uint64_t(facts.alone.blocksPerSM) * launch.gpu.SMs)
          return std::nullopt;
        const OccupancyStep step =
            occupancySteps(launch.gpu.architecture, facts.most.footprint)
                .registers;
        if (!step.oneMoreAt || step.now - *step.oneMoreAt > mostRegistersLess)
          return std::nullopt;
        LaunchNote note{
            fmt::format("'{}' takes {} a thread on", launch.kernel.name,
                        counted(step.now, "register")),
            fmt::format(", with {} an SM would hold {}, not {}",
                        *step.oneMoreAt, counted(step.blocksThere, "block"),
                        facts.alone.blocksPerSM),
            fmt::format("{} x {} threads run on an SM, it could be {} x {}",
                        facts.alone.blocksPerSM,
                        facts.most.footprint.threadsPerBlock, step.blocksThere,
                        facts.most.footprint.threadsPerBlock)};
        if (std::optional<Fix> fix =
                addedBound(analysis, launch.step.kernel, step.blocksThere))
          note.fixes.push_back(std::move(*fix));
        return note;
      });
}
