// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partial-warp: a block whose threads are not a multiple of 32. The last warp
// takes the room of a whole one.
//
//   note: blocks of 100 threads of 'blur' leave 28 of 128 lanes idle on h100
//
// Blocks of less than a warp are often meant so; they are told of where there
// are enough to fill the GPU.

#include "LaunchNotes.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<Finding> coreside::findPartialWarp(const Analysis &analysis) {
  return noteLaunches(
      analysis, [](const LaunchOnGPU &launch) -> std::optional<LaunchNote> {
        const unsigned warpSize = launch.gpu.architecture.warpSize;
        const uint64_t threads = launch.facts.most.footprint.threadsPerBlock;
        if (threads != launch.facts.least.footprint.threadsPerBlock)
          return std::nullopt;
        const uint64_t lanes = (threads + warpSize - 1) / warpSize * warpSize;
        if (threads == lanes || (threads < warpSize &&
                                 (!launch.facts.gridKnown ||
                                  launch.facts.least.blocks < launch.gpu.SMs)))
          return std::nullopt;
        return LaunchNote{
            fmt::format("blocks of {} of '{}' leave {} of {} lanes idle on",
                        counted(threads, "thread"), launch.kernel.name,
                        lanes - threads, lanes),
            "",
            fmt::format("threads run in warps of {}; {} take {}", warpSize,
                        threads, counted(lanes / warpSize, "warp"))};
      });
}
