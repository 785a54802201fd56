// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every candidate is judged anew, so nothing here knows why a pair does not
// share. What a change does to a verdict is not monotone (fewer registers let
// more blocks of the same kernel in), so values are tried one by one from what
// is there on; the grid's, of which there may be billions, are bisected.

#include "SmallestChange.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

using namespace coreside;

namespace {

/// No kernel of use has fewer; below, a compiler cannot go.
constexpr unsigned fewestRegisters = 16;
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
      if (!Found.empty())
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
    return ofFirst ? judgePair(G, changed, Second)
                   : judgePair(G, First, changed);
  }

  bool keep(ChangeKind kind, bool ofFirst, uint64_t from, uint64_t to,
            const Grid &changed, std::optional<double> cost = std::nullopt) {
    std::optional<PairVerdict> verdict = judge(ofFirst, changed);
    if (!verdict || !isEnough(*verdict))
      return false;
    double relative = std::abs(double(from) - double(to)) / double(from);
    Found.push_back(
        {cost.value_or(relative), {kind, ofFirst, from, to, *verdict}});
    return true;
  }

  void tryRegisters(bool ofFirst) {
    unsigned now = grid(ofFirst).footprint.registersPerThread;
    for (unsigned registers = now; registers-- > fewestRegisters;) {
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

  /// Shared memory of a block by the unit of allocation; what dynamic memory
  /// cannot give comes off the static.
  void trySharedMemory(bool ofFirst) {
    const Grid &original = grid(ofFirst);
    uint64_t now = uint64_t(original.footprint.staticShared) +
                   original.footprint.dynamicShared;
    unsigned unit = std::max(1u, G.architecture.sharedAllocationUnit);
    for (uint64_t bytes = now / unit * unit; bytes + unit > 0 && now;
         bytes -= unit) {
      Grid changed = original;
      changed.footprint.staticShared =
          std::min<uint64_t>(original.footprint.staticShared, bytes);
      changed.footprint.dynamicShared = bytes - changed.footprint.staticShared;
      if (bytes < now &&
          keep(ChangeKind::SharedMemory, ofFirst, now, bytes, changed))
        return;
      if (bytes == 0)
        return;
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
      (isEnough(judgePair(G, changed, Second)) ? low : high) = changed.blocks;
    }
    if (low == 0)
      return;
    changed.blocks = low;
    keep(ChangeKind::GridCap, true, First.blocks, low, changed);
  }

  void tryIssueOrder() {
    PairVerdict verdict = judgePair(G, Second, First);
    if (verdict.secondBlocksAtOnce >= std::min<uint64_t>(Wanted, First.blocks))
      Found.push_back(
          {costOfOrder, {ChangeKind::IssueOrder, false, 0, 0, verdict}});
  }

  const GPU &G;
  const Grid &First;
  const Grid &Second;
  /// Blocks of the second that must start at once.
  uint64_t Wanted = 1;
  std::vector<Rated> Found;
};

} // namespace

std::vector<Change> coreside::smallestChanges(const GPU &gpu, const Grid &first,
                                              const Grid &second) {
  return Search(gpu, first, second).run();
}
