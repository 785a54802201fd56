// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every candidate is judged anew, so nothing here knows why a pair does not
// share. What a change does to a verdict is not monotone (fewer registers let
// more blocks of the same kernel in), so values are tried one by one from what
// is there on: those of registers that the hardware tells apart, shared memory
// by the KiB and then by the unit. The grid's, of which there may be billions,
// are bisected.

#include "SmallestChange.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

using namespace coreside;

namespace {

/// No kernel of use has fewer; below, a compiler cannot go.
constexpr unsigned fewestRegisters = 16;
/// Bytes of shared memory that are tried at a time, before the exact number.
constexpr uint64_t sharedStep = 1024;
/// The same where one of the kernels has clusters.
constexpr uint64_t sharedStepOfClusters = 4096;
/// Values of the carveout preference that people write.
constexpr int carveouts[] = {0, 25, 50, 75, 100};
/// What the other order of two launches counts for beside a relative change:
/// it costs no work, but it must be allowed.
constexpr double costOfOrder = 0.1;
constexpr double costOfPreference = 0.15;

class Search {
public:
  Search(const GPU &gpu, const Grid &first, const Grid &second)
      : G(gpu), First(first), Second(second) {}

  std::vector<Change> run() {
    if (judgePair(G, First, Second).secondBlocksAtOnce != 0)
      return {};
    // A single block beside thousands is no sharing worth a change: a block on
    // every SM is asked for, or whatever there is if nothing gives that.
    for (uint64_t wanted :
         {std::min<uint64_t>(Second.blocks, G.SMs), uint64_t(1)}) {
      Wanted = wanted;
      for (bool ofFirst : {false, true}) {
        tryRegisters(ofFirst);
        tryBlockSize(ofFirst);
        trySharedMemory(ofFirst);
        tryCarveout(ofFirst);
      }
      tryGridCap();
      tryIssueOrder();
      if (!Found.empty() || !AnyAtAll)
        break;
    }
    std::sort(Found.begin(), Found.end(), [](const Rated &a, const Rated &b) {
      return std::tie(a.cost, a.change.kind, a.change.ofFirst) <
             std::tie(b.cost, b.change.kind, b.change.ofFirst);
    });
    std::vector<Change> changes;
    for (Rated &rated : Found)
      changes.push_back(std::move(rated.change));
    return changes;
  }

private:
  struct Rated {
    double cost;
    Change change;
  };

  bool isEnough(const PairVerdict &verdict) const {
    return verdict.secondBlocksAtOnce >= Wanted;
  }

  const Grid &grid(bool ofFirst) const { return ofFirst ? First : Second; }

  /// The verdict with `changed` in place of one of the two; empty where it
  /// could not be launched.
  std::optional<PairVerdict> judge(bool ofFirst, const Grid &changed) const {
    if (occupancy(G.architecture, changed.footprint).blocksPerSM == 0)
      return std::nullopt;
    return ofFirst ? judge(changed, Second) : judge(First, changed);
  }

  /// A verdict that takes clusters to be what they are only where that can
  /// matter: it takes a hundred times as long, and blocks of the second that do
  /// not fit one by one do not fit in clusters.
  PairVerdict judge(const Grid &first, const Grid &second) const {
    if (first.footprint.clusterSize <= 1 && second.footprint.clusterSize > 1) {
      Grid oneByOne = second;
      oneByOne.footprint.clusterSize = 1;
      PairVerdict atMost = judgePair(G, first, oneByOne);
      if (!isEnough(atMost))
        return atMost;
    }
    return judgePair(G, first, second);
  }

  bool keep(ChangeKind kind, bool ofFirst, uint64_t from, uint64_t to,
            const Grid &changed, std::optional<double> cost = std::nullopt) {
    std::optional<PairVerdict> verdict = judge(ofFirst, changed);
    AnyAtAll |= verdict && verdict->secondBlocksAtOnce != 0;
    if (!verdict || !isEnough(*verdict))
      return false;
    double relative = std::abs(double(from) - double(to)) / double(from);
    Found.push_back(
        {cost.value_or(relative), {kind, ofFirst, from, to, *verdict}});
    return true;
  }

  void tryRegisters(bool ofFirst) {
    const unsigned now = grid(ofFirst).footprint.registersPerThread;
    // Numbers between two multiples take what the upper one takes.
    const unsigned unit = std::max(1u, G.architecture.registerAllocationUnit /
                                           G.architecture.warpSize);
    for (unsigned registers = (now - 1) / unit * unit;
         registers >= fewestRegisters; registers -= unit) {
      Grid changed = grid(ofFirst);
      changed.footprint.registersPerThread = registers;
      if (keep(ChangeKind::Registers, ofFirst, now, registers, changed))
        return;
    }
  }

  /// Larger blocks are tried too: they leave block slots.
  void tryBlockSize(bool ofFirst) {
    const Grid &original = grid(ofFirst);
    unsigned now = original.footprint.threadsPerBlock;
    unsigned warp = G.architecture.warpSize;
    std::vector<unsigned> sizes;
    for (unsigned size = warp; size <= G.architecture.threadsPerBlock;
         size += warp)
      if (size != now)
        sizes.push_back(size);
    // From the nearest on, by ratio: 64 is as far from 128 as 256 is.
    auto distance = [&](unsigned size) {
      return std::abs(std::log(double(size) / now));
    };
    std::sort(sizes.begin(), sizes.end(), [&](unsigned a, unsigned b) {
      return std::pair(distance(a), a) < std::pair(distance(b), b);
    });
    for (unsigned size : sizes) {
      Grid changed = original;
      changed.footprint.threadsPerBlock = size;
      changed.blocks = scaled(original.blocks, now, size);
      if (keep(ChangeKind::BlockSize, ofFirst, now, size, changed,
               1 - double(std::min(size, now)) / std::max(size, now)))
        return;
    }
  }

  /// As many threads in blocks of another size; saturates.
  static uint64_t scaled(uint64_t blocks, unsigned from, unsigned to) {
    unsigned __int128 product = static_cast<unsigned __int128>(blocks) * from;
    unsigned __int128 result = (product + to - 1) / to;
    return result > ~0ull ? ~0ull : static_cast<uint64_t>(result);
  }

  /// Less shared memory in a block; what dynamic memory cannot give comes off
  /// the static. First by large steps, then by the unit of allocation within
  /// the step that was enough.
  void trySharedMemory(bool ofFirst) {
    const Grid &original = grid(ofFirst);
    const uint64_t now = uint64_t(original.footprint.staticShared) +
                         original.footprint.dynamicShared;
    const auto withBytes = [&](uint64_t bytes) {
      Grid changed = original;
      changed.footprint.staticShared =
          unsigned(std::min<uint64_t>(original.footprint.staticShared, bytes));
      changed.footprint.dynamicShared =
          unsigned(bytes - changed.footprint.staticShared);
      return changed;
    };
    const uint64_t unit = std::max(1u, G.architecture.sharedAllocationUnit);
    const bool hasClusters =
        First.footprint.clusterSize > 1 || Second.footprint.clusterSize > 1;
    const uint64_t step = hasClusters ? sharedStepOfClusters : sharedStep;
    uint64_t before = now;
    while (before != 0) {
      const uint64_t bytes = (before - 1) / step * step;
      const std::optional<PairVerdict> verdict =
          judge(ofFirst, withBytes(bytes));
      AnyAtAll |= verdict && verdict->secondBlocksAtOnce != 0;
      if (verdict && isEnough(*verdict)) {
        for (uint64_t finer = (before - 1) / unit * unit; finer > bytes;
             finer -= unit)
          if (keep(ChangeKind::SharedMemory, ofFirst, now, finer,
                   withBytes(finer)))
            return;
        keep(ChangeKind::SharedMemory, ofFirst, now, bytes, withBytes(bytes));
        return;
      }
      before = bytes;
    }
  }

  void tryCarveout(bool ofFirst) {
    const Grid &original = grid(ofFirst);
    if (G.architecture.sharedConfigurations.empty())
      return;
    for (int percent : carveouts) {
      Grid changed = original;
      changed.footprint.carveoutPercent = percent;
      if (percent != original.footprint.carveoutPercent &&
          keep(ChangeKind::CarveoutPreference, ofFirst,
               std::max(0, original.footprint.carveoutPercent), percent,
               changed, costOfPreference))
        return;
    }
  }

  void tryGridCap() {
    // A smaller first grid never takes more room.
    Grid changed = First;
    uint64_t low = 0, high = First.blocks;
    while (high - low > 1) {
      changed.blocks = low + (high - low) / 2;
      (isEnough(judge(changed, Second)) ? low : high) = changed.blocks;
    }
    // With one block of the first, most of the second get in.
    changed.blocks = std::max<uint64_t>(low, 1);
    keep(ChangeKind::GridCap, true, First.blocks, low, changed);
  }

  void tryIssueOrder() {
    PairVerdict verdict = judgePair(G, Second, First);
    AnyAtAll |= verdict.secondBlocksAtOnce != 0;
    if (verdict.secondBlocksAtOnce >= std::min<uint64_t>(Wanted, First.blocks))
      Found.push_back(
          {costOfOrder, {ChangeKind::IssueOrder, false, 0, 0, verdict}});
  }

  const GPU &G;
  const Grid &First;
  const Grid &Second;
  /// Blocks of the second that must start at once.
  uint64_t Wanted = 1;
  /// Some change tried lets at least one block in.
  bool AnyAtAll = false;
  std::vector<Rated> Found;
};

} // namespace

std::vector<Change> coreside::smallestChanges(const GPU &gpu, const Grid &first,
                                              const Grid &second) {
  return Search(gpu, first, second).run();
}

std::optional<unsigned> coreside::commonCarveout(const GPU &gpu,
                                                 const Grid &first,
                                                 const Grid &second) {
  std::vector<int> candidates = {first.footprint.carveoutPercent,
                                 second.footprint.carveoutPercent};
  candidates.insert(candidates.end(), std::begin(carveouts),
                    std::end(carveouts));
  for (int percent : candidates) {
    if (percent < 0)
      continue;
    Grid one = first, two = second;
    one.footprint.carveoutPercent = two.footprint.carveoutPercent = percent;
    // One block of the first, so that nothing but the configuration matters.
    one.blocks = 1;
    const PairVerdict verdict = judgePair(gpu, one, two);
    if (verdict.secondBlocksAtOnce != 0 && !verdict.apartByConfiguration)
      return static_cast<unsigned>(percent);
  }
  return std::nullopt;
}
