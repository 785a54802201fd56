// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas makes of __launch_bounds__, __maxnreg__ and -maxrregcount.

#include "LaunchBounds.h"

#include <algorithm>

namespace coreside {

/// -maxrregcount below this is raised to it (ptxas 13.0: "adjusting per thread
/// register count of 18 to lower bound of 24" on sm_90).
static constexpr uint64_t leastRegisterLimit = 24;

MinBlocksFate minBlocksFate(const Architecture &architecture,
                            const LaunchBounds &bounds) {
  if (!bounds.maxThreads || !bounds.minBlocks)
    return MinBlocksFate::Heeded;
  if (bounds.minBlocks > architecture.blocksPerSM)
    return MinBlocksFate::TooManyBlocks;
  const uint64_t warps = bounds.maxThreads / architecture.warpSize +
                         (bounds.maxThreads % architecture.warpSize != 0);
  if (warps > architecture.warpsPerSM / bounds.minBlocks)
    return MinBlocksFate::TooManyThreads;
  return MinBlocksFate::Heeded;
}

unsigned registerLimit(const Architecture &architecture,
                       const LaunchBounds &bounds, uint64_t threads) {
  uint64_t limit = bounds.maxRegisters;
  if (!limit && !bounds.maxThreads)
    limit = bounds.commandLineRegisters;
  unsigned registers = architecture.registersPerThread;
  // ptxas raises what is too low for the hardware to give.
  if (limit)
    registers = std::clamp<uint64_t>(limit, leastRegisterLimit, registers);
  // Blocks per SM that cannot be had are not asked for.
  uint64_t blocks = 1;
  if (bounds.maxThreads &&
      minBlocksFate(architecture, bounds) == MinBlocksFate::Heeded)
    blocks = std::max<uint64_t>(bounds.minBlocks, 1);
  Footprint footprint;
  footprint.threadsPerBlock = std::clamp<uint64_t>(
      std::max(bounds.maxThreads, threads), 1, architecture.threadsPerBlock);
  for (; registers > 1; --registers) {
    footprint.registersPerThread = registers;
    if (occupancy(architecture, footprint).byRegisters >= blocks)
      break;
  }
  return registers;
}

} // namespace coreside
