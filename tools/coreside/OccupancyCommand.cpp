// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OccupancyCommand.h"

#include "device/GPUFile.h"
#include "device/OccupancySteps.h"
#include "device/Waves.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>
#include <optional>

using namespace coreside;

namespace {

/// All that is said about one GPU.
struct Answer {
  const GPU &gpu;
  Footprint footprint;
  BlockCost cost;
  Occupancy blocks;
  OccupancySteps next;
  uint64_t cooperative;
  std::optional<ClusterOccupancy> clusters;
  std::optional<Waves> grid;
};

Answer answer(const GPU &gpu, const OccupancyOptions &options) {
  Footprint footprint;
  footprint.threadsPerBlock = options.threads;
  footprint.registersPerThread = options.registers;
  footprint.dynamicShared = options.shared;
  footprint.barriers = options.barriers;
  footprint.carveoutPercent = options.carveout;
  footprint.clusterSize = options.cluster;
  Answer result{gpu,
                footprint,
                blockCost(gpu.architecture, footprint),
                occupancy(gpu.architecture, footprint),
                occupancySteps(gpu.architecture, footprint),
                cooperativeLimit(gpu, footprint),
                std::nullopt,
                std::nullopt};
  if (options.cluster > 1)
    result.clusters = clusterOccupancy(gpu, footprint);
  if (options.blocks != 0)
    result.grid = waves(gpu, {footprint, options.blocks});
  return result;
}

/// The first option out of its range, in words.
std::optional<std::string> badOption(const OccupancyOptions &options) {
  const auto check = [](const char *name, int64_t value, int64_t lowest,
                        int64_t highest) -> std::optional<std::string> {
    if (value >= lowest && value <= highest)
      return std::nullopt;
    return fmt::format("--{} is {}, must be {} to {}", name, value, lowest,
                       highest);
  };
  if (auto bad = check("threads", options.threads, 1, 1024))
    return bad;
  if (auto bad = check("registers", options.registers, 1, 255))
    return bad;
  if (auto bad = check("barriers", options.barriers, 0, 16))
    return bad;
  if (auto bad = check("cluster", options.cluster, 1, 16))
    return bad;
  return check("carveout", options.carveout, -1, 100);
}

// Text.

/// 65536 as "65,536".
std::string withCommas(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

/// "1 block", "1,000 blocks".
std::string count(uint64_t value, const char *noun) {
  return withCommas(value) + " " + noun + (value == 1 ? "" : "s");
}

void writeResource(llvm::raw_ostream &out, const char *name, uint64_t needed,
                   uint64_t available, unsigned blocks, bool isLimiter) {
  out << fmt::format("  {:<16}{:>10}{:>13}{:>9}{}\n", name, withCommas(needed),
                     withCommas(available),
                     blocks == Occupancy::unlimited ? "any"
                                                    : withCommas(blocks),
                     isLimiter ? "  <-" : "");
}

void writeResources(llvm::raw_ostream &out, const Answer &answer) {
  const Architecture &a = answer.gpu.architecture;
  const Occupancy &blocks = answer.blocks;
  const auto isLimiter = [&](Limiter limiter) {
    return blocks.limiter == limiter;
  };
  out << fmt::format("\n  {:<16}{:>10}{:>13}{:>9}\n", "resource", "one block",
                     "an SM has", "blocks");
  writeResource(out, "warps", answer.cost.warps, a.warpsPerSM, blocks.byWarps,
                isLimiter(Limiter::Warps));
  writeResource(out, "registers", answer.cost.registers, a.registersPerSM,
                blocks.byRegisters, isLimiter(Limiter::Registers));
  // With a preference an SM has less than all.
  writeResource(
      out, "shared memory", answer.cost.shared,
      preferredShared(a, answer.footprint.carveoutPercent, answer.cost.shared),
      blocks.byShared, isLimiter(Limiter::SharedMemory));
  writeResource(out, "block slots", 1, a.blocksPerSM, blocks.byBlockSlots,
                isLimiter(Limiter::BlockSlots));
  if (a.barriersPerSM != 0)
    writeResource(out, "barriers", answer.cost.barriers, a.barriersPerSM,
                  blocks.byBarriers, isLimiter(Limiter::Barriers));
}

void writeStep(llvm::raw_ostream &out, const char *name,
               const OccupancyStep &step, unsigned blocks, const char *unit) {
  std::string less =
      step.oneMoreAt
          ? fmt::format("{}{} ({} less) for {}", withCommas(*step.oneMoreAt),
                        unit, withCommas(step.now - *step.oneMoreAt),
                        count(step.blocksThere, "block"))
          : "less does not help alone";
  std::string more;
  if (blocks != 0)
    more = step.freeUpTo > step.now
               ? fmt::format("; up to {}{} for free", withCommas(step.freeUpTo),
                             unit)
               : "; none to spare";
  out << fmt::format("  {:<16}{}{}\n", name, less, more);
}

void writeGrid(llvm::raw_ostream &out, const Answer &answer) {
  const Waves &grid = *answer.grid;
  const uint64_t blocks = grid.fullWaves * grid.blocksPerWave + grid.tailBlocks;
  if (grid.blocksPerWave == 0)
    return;
  out << fmt::format("  {:<16}{}, {} a wave: {}", "grid",
                     count(blocks, "block"), withCommas(grid.blocksPerWave),
                     count(grid.fullWaves, "full wave"));
  if (grid.tailBlocks != 0)
    out << fmt::format(" and a tail of {} ({:.0f} % of a wave)",
                       count(grid.tailBlocks, "block"),
                       100.0 * double(grid.tailBlocks) /
                           double(grid.blocksPerWave));
  out << fmt::format("; {:.0f} % of the slots used\n", 100 * grid.efficiency);
}

void writeText(llvm::raw_ostream &out, const Answer &answer) {
  const GPU &gpu = answer.gpu;
  const Architecture &a = gpu.architecture;
  const unsigned blocks = answer.blocks.blocksPerSM;
  out << fmt::format("{} ({}, {}, {} SMs)\n", gpu.name, gpu.product,
                     smName(a.capability), gpu.SMs);
  if (blocks == 0) {
    out << fmt::format("  does not run: too much for one SM, limited by {}\n",
                       limiterName(answer.blocks.limiter));
  } else {
    const uint64_t warps = uint64_t(blocks) * answer.cost.warps;
    out << fmt::format(
        "  {} per SM, limited by {}; {} of {} warps ({:.0f} %)\n",
        count(blocks, "block"), limiterName(answer.blocks.limiter), warps,
        a.warpsPerSM, 100.0 * double(warps) / a.warpsPerSM);
  }
  writeResources(out, answer);

  out << "\n  what comes next\n";
  writeStep(out, "registers", answer.next.registers, blocks, "");
  writeStep(out, "shared memory", answer.next.shared, blocks, " B");
  writeStep(out, "threads", answer.next.threads, blocks, "");

  if (blocks == 0)
    return;
  out << '\n';
  if (answer.grid)
    writeGrid(out, answer);
  if (answer.clusters && a.clusterPortable == 0)
    out << fmt::format("  {:<16}none on {}\n", "clusters",
                       smName(a.capability));
  else if (answer.clusters)
    out << fmt::format("  {:<16}{}{} of {} blocks at once\n", "clusters",
                       answer.clusters->isExact ? "" : "at most ",
                       withCommas(answer.clusters->clusters),
                       answer.footprint.clusterSize);
  out << fmt::format("  {:<16}up to {}\n", "cooperative",
                     count(answer.cooperative, "block"));
}

// JSON.

llvm::json::Value orNull(unsigned blocks) {
  return blocks == Occupancy::unlimited ? llvm::json::Value(nullptr)
                                        : llvm::json::Value(blocks);
}

llvm::json::Object object(const OccupancyStep &step) {
  llvm::json::Object result{{"now", step.now}, {"freeUpTo", step.freeUpTo}};
  if (step.oneMoreAt) {
    result["oneMoreAt"] = *step.oneMoreAt;
    result["blocksThere"] = step.blocksThere;
  }
  return result;
}

llvm::json::Object object(const Answer &answer) {
  const Occupancy &blocks = answer.blocks;
  llvm::json::Object result{
      {"gpu", answer.gpu.name},
      {"SMs", answer.gpu.SMs},
      {"blocksPerSM", blocks.blocksPerSM},
      {"limiter", limiterName(blocks.limiter)},
      {"blocksBy",
       llvm::json::Object{{"warps", orNull(blocks.byWarps)},
                          {"registers", orNull(blocks.byRegisters)},
                          {"sharedMemory", orNull(blocks.byShared)},
                          {"blockSlots", orNull(blocks.byBlockSlots)},
                          {"barriers", orNull(blocks.byBarriers)}}},
      {"oneBlock", llvm::json::Object{{"warps", answer.cost.warps},
                                      {"registers", answer.cost.registers},
                                      {"sharedBytes", answer.cost.shared},
                                      {"barriers", answer.cost.barriers}}},
      {"next", llvm::json::Object{{"registers", object(answer.next.registers)},
                                  {"sharedBytes", object(answer.next.shared)},
                                  {"threads", object(answer.next.threads)}}},
      {"cooperativeBlocks", answer.cooperative}};
  if (answer.clusters)
    result["clusters"] =
        llvm::json::Object{{"atOnce", answer.clusters->clusters},
                           {"isExact", answer.clusters->isExact}};
  if (answer.grid)
    result["grid"] =
        llvm::json::Object{{"blocksPerWave", answer.grid->blocksPerWave},
                           {"fullWaves", answer.grid->fullWaves},
                           {"tailBlocks", answer.grid->tailBlocks},
                           {"efficiency", answer.grid->efficiency}};
  return result;
}

} // namespace

int coreside::runOccupancy(const OccupancyOptions &options,
                           llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  const auto fail = [&](const std::string &text) {
    errors << "coreside: error: " << text << '\n';
    return 2;
  };
  if (auto bad = badOption(options))
    return fail(*bad);
  llvm::Expected<std::vector<GPU>> gpus =
      resolveGPUs(options.gpus, options.SMs);
  if (!gpus)
    return fail(llvm::toString(gpus.takeError()));

  if (options.json) {
    llvm::json::Array list;
    for (const GPU &gpu : *gpus)
      list.push_back(object(answer(gpu, options)));
    out << llvm::formatv("{0:2}", llvm::json::Value(std::move(list))) << '\n';
    return 0;
  }
  bool isFirst = true;
  for (const GPU &gpu : *gpus) {
    if (!isFirst)
      out << '\n';
    isFirst = false;
    writeText(out, answer(gpu, options));
  }
  return 0;
}
