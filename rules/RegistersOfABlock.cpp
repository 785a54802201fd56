// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegistersOfABlock.h"

#include "BoundsFix.h"
#include "SizeFixes.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

bool takes(const FaultyLaunch &fault) {
  return fault.problem.fault == LaunchFault::RegistersPerBlock;
}

uint64_t threadsOf(const FaultyLaunch &fault) {
  return fault.facts.least.footprint.threadsPerBlock;
}

std::string cause(const FaultyLaunch &fault) {
  return fmt::format(
      "a block of {} threads takes more registers than a block can have",
      amount(threadsOf(fault), fault.asked.block));
}

/// The most threads with which a block of the kernel can be launched.
uint64_t launchableThreads(const FaultyLaunch &fault) {
  const Architecture &architecture = fault.gpu.architecture;
  Footprint footprint = fault.facts.least.footprint;
  const unsigned perWarp = blockCost(architecture, footprint).registersPerWarp;
  const unsigned unit = architecture.warpAllocationUnit;
  if (!perWarp)
    return architecture.threadsPerBlock;
  return uint64_t(architecture.registersPerBlock / perWarp / unit * unit) *
         architecture.warpSize;
}

/// The same on every target that the launch fails on for its registers.
uint64_t launchableOnAll(const FaultyLaunch &fault) {
  uint64_t threads = launchableThreads(fault);
  for (unsigned g = 0; g != fault.analysis.gpus.size(); ++g)
    for (const LaunchProblem &problem : fault.on(g).problems)
      if (problem.fault == LaunchFault::RegistersPerBlock)
        threads = std::min(threads,
                           launchableThreads(FaultyLaunch(fault, g, problem)));
  return threads;
}

std::string threshold(const FaultyLaunch &fault) {
  return fmt::format("its block has more than {} threads",
                     grouped(launchableThreads(fault)));
}

/// The warps that a block's registers are counted for: "13 warps, which count
/// as 16,".
std::string warps(uint64_t count, const Architecture &architecture) {
  const unsigned unit = architecture.warpAllocationUnit;
  const uint64_t counts = (count + unit - 1) / unit * unit;
  std::string text = counted(count, "warp");
  return counts == count ? text
                         : fmt::format("{}, which count as {},", text, counts);
}

std::string limit(const FaultyLaunch &fault) {
  const Architecture &architecture = fault.gpu.architecture;
  const unsigned perWarp =
      blockCost(architecture, fault.facts.least.footprint).registersPerWarp;
  const bool known =
      std::all_of(fault.asked.block.begin(), fault.asked.block.end(),
                  [](const Value &size) { return size.isKnown(); });
  // Where sizes are open, of the block that fails.
  const uint64_t count = known
                             ? (threadsOf(fault) + architecture.warpSize - 1) /
                                   architecture.warpSize
                             : fault.problem.asked / perWarp;
  return fmt::format("{} registers a thread are {} a warp, rounded up to {}; "
                     "{} take {}, a block has at most {}",
                     fault.facts.least.footprint.registersPerThread,
                     grouped(perWarp), architecture.registerAllocationUnit,
                     warps(count, architecture), grouped(fault.problem.asked),
                     grouped(fault.problem.limit));
}

} // namespace

FaultWords coreside::registersOfABlock(const Analysis &analysis) {
  auto extend = [&analysis](const FaultyLaunch &fault, Finding &finding) {
    if (std::optional<Fix> fix = addedBound(analysis, fault.step.kernel))
      finding.fixes.push_back(std::move(*fix));
    if (std::optional<Fix> fix =
            resizeBlock(analysis, fault.step, launchableOnAll(fault)))
      finding.fixes.push_back(std::move(*fix));
  };
  return {takes, cause, limit, threshold, extend, true};
}
