// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PairArithmetic.h"

#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// How many of the smallest changes a note names.
constexpr size_t mostChanges = 3;

std::string registerCost(const Architecture &architecture,
                         const Footprint &footprint) {
  BlockCost cost = blockCost(architecture, footprint);
  return fmt::format(
      "{} x {} registers ({} a thread, rounded up to {} a warp)",
      counted(cost.warps, "warp"), grouped(cost.registersPerWarp),
      footprint.registersPerThread, architecture.registerAllocationUnit);
}

} // namespace

std::string coreside::arithmetic(const PairOnOneGPU &view) {
  const PairVerdict &verdict = view.verdict;
  const Architecture &architecture = view.gpu.architecture;
  BlockCost first = blockCost(architecture, view.first.footprint);
  BlockCost second = blockCost(architecture, view.second.footprint);
  // "1 block of 'blur' holds", "4 blocks of 'blur' hold"
  std::string blocks = fmt::format(
      "{} of '{}'", counted(verdict.held.blocks, "block"), view.firstName);
  std::string hold =
      fmt::format("{} hold{}", blocks, verdict.held.blocks == 1 ? "s" : "");
  std::string needs = fmt::format("a block of '{}' needs", view.secondName);
  switch (verdict.limiter) {
  case Limiter::Registers:
  case Limiter::SubPartition: {
    std::string text = fmt::format(
        "a block of '{}' takes {} = {}; {} {} of {} registers of an SM; {} {} "
        "= "
        "{}",
        view.firstName, registerCost(architecture, view.first.footprint),
        grouped(first.registers), hold, grouped(verdict.held.registers),
        grouped(architecture.registersPerSM), needs,
        registerCost(architecture, view.second.footprint),
        grouped(second.registers));
    if (verdict.limiter == Limiter::SubPartition)
      text += fmt::format(
          ", spread over {} sub-partitions of {}, none of which "
          "may overflow",
          architecture.subPartitions,
          grouped(architecture.registersPerSM / architecture.subPartitions));
    return text;
  }
  case Limiter::Warps:
    return fmt::format("{} {} of {} warps of an SM; {} {}", hold,
                       verdict.held.warps, architecture.warpsPerSM, needs,
                       second.warps);
  case Limiter::BlockSlots:
    return fmt::format("{} {} of {} block slots of an SM", hold,
                       verdict.held.blocks, architecture.blocksPerSM);
  case Limiter::SharedMemory:
    return fmt::format(
        "{} {} of {} of shared memory of an SM; {} {}{}", hold,
        bytesInWords(verdict.held.shared),
        bytesInWords(architecture.sharedPerSM), needs,
        bytesInWords(second.shared),
        architecture.sharedReservedPerBlock
            ? fmt::format(", the system's {} for each block included",
                          bytesInWords(architecture.sharedReservedPerBlock))
            : "");
  case Limiter::SharedConfiguration:
    if (verdict.largestConfigurationKiB &&
        verdict.configurationKiB > verdict.largestConfigurationKiB)
      return fmt::format("'{}' sets an SM to {} KiB of shared memory, with its "
                         "carveout preference '{}' joins SMs with at most {} "
                         "KiB; an SM is set anew only when it is empty",
                         view.firstName, verdict.configurationKiB,
                         view.secondName, verdict.largestConfigurationKiB);
    return fmt::format("'{}' sets an SM to {} KiB of shared memory and the "
                       "rest to L1, '{}' needs {} KiB; an SM is set anew only "
                       "when it is empty",
                       view.firstName, verdict.configurationKiB,
                       view.secondName, verdict.neededConfigurationKiB);
  case Limiter::Barriers:
    return fmt::format("{} {} of {} barriers of an SM; {} {}", hold,
                       verdict.held.barriers, architecture.barriersPerSM, needs,
                       second.barriers);
  case Limiter::DispatchOrder:
    return fmt::format("a block of '{}' would fit beside {}, but the blocks of "
                       "'{}' that still wait for room go first",
                       view.secondName, blocks, view.firstName);
  case Limiter::None:
  case Limiter::Clusters:
  case Limiter::ResidentGrids:
    break;
  }
  return fmt::format("{} on an SM", blocks);
}

const char *coreside::fitWord(uint64_t blocks) {
  return blocks == 1 ? "fits" : "fit";
}

std::string coreside::fit(const PairOnOneGPU &view) {
  uint64_t atOnce = view.verdict.secondBlocksAtOnce;
  if (view.secondGridKnown)
    return fmt::format("{} of {} of '{}' {} beside '{}'", grouped(atOnce),
                       counted(view.verdict.secondBlocks, "block"),
                       view.secondName, fitWord(view.verdict.secondBlocks),
                       view.firstName);
  if (!atOnce)
    return fmt::format("no block of '{}' fits beside '{}'", view.secondName,
                       view.firstName);
  return fmt::format("at most {} of '{}' {} beside '{}'",
                     counted(atOnce, "block"), view.secondName, fitWord(atOnce),
                     view.firstName);
}

std::string coreside::waves(const PairOnOneGPU &view) {
  return fmt::format("{} on the {} of {}",
                     counted(view.verdict.firstWaves, "wave"),
                     counted(view.gpu.SMs, "SM"), view.gpu.name);
}

std::string coreside::describe(const Change &change, const PairOnOneGPU &view) {
  const std::string &name = change.ofFirst ? view.firstName : view.secondName;
  switch (change.kind) {
  case ChangeKind::Registers:
    return fmt::format("'{}' uses at most {} registers a thread, not {}", name,
                       change.to, change.from);
  case ChangeKind::BlockSize:
    return fmt::format("'{}' has blocks of {} threads, not {}", name, change.to,
                       change.from);
  case ChangeKind::SharedMemory:
    return fmt::format("'{}' uses at most {} of shared memory a block, not {}",
                       name, bytesInWords(change.to),
                       bytesInWords(change.from));
  case ChangeKind::GridCap:
    return fmt::format("'{}' has at most {}, not {}", name,
                       counted(change.to, "block"), grouped(change.from));
  case ChangeKind::IssueOrder:
    return fmt::format("'{}' is launched first", view.secondName);
  case ChangeKind::CarveoutPreference:
    return fmt::format("'{}' prefers a shared-memory carveout of {} per cent",
                       name, change.to);
  }
  return "";
}

std::vector<std::string>
coreside::changesInWords(const PairOnOneGPU &view,
                         std::span<const Change> changes) {
  std::vector<std::string> ways;
  for (const Change &change : changes) {
    if (ways.size() == mostChanges)
      break;
    const std::string &other = change.kind == ChangeKind::IssueOrder
                                   ? view.firstName
                                   : view.secondName;
    bool atMost =
        change.kind != ChangeKind::IssueOrder && !view.secondGridKnown;
    ways.push_back(
        fmt::format("{} ({}{} of '{}' then {})", describe(change, view),
                    atMost ? "at most " : "",
                    counted(change.result.secondBlocksAtOnce, "block"), other,
                    fitWord(change.result.secondBlocksAtOnce)));
  }
  return ways;
}
