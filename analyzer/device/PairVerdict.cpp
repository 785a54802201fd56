// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair needs no event queue: SMs that hold equally many blocks of both are
// one class, so the first wave is a handful of classes whatever the grids are.

#include "PairVerdict.h"
#include "Placement.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace coreside;

const char *coreside::sharingName(Sharing sharing) {
  switch (sharing) {
  case Sharing::Full:
    return "full";
  case Sharing::Partly:
    return "partly";
  case Sharing::TailOnly:
    return "tail only";
  case Sharing::Never:
    return "never";
  }
  return "";
}

namespace {

/// SMs in the same state.
struct SMClass {
  SMState state;
  unsigned SMs;
  unsigned firstBlocks;
  unsigned secondBlocks = 0;
  /// More blocks of the second that each would take.
  unsigned room = 0;
};

/// One SM with `blocks` blocks of `kernel`, of which the first `left` have
/// ended.
SMState filled(const Architecture &architecture, const PreparedKernel &kernel,
               unsigned blocks, unsigned left = 0) {
  SMState state(architecture);
  std::vector<unsigned> partitions;
  for (unsigned i = 0; i < blocks && state.canAdmit(kernel); ++i)
    partitions.push_back(state.admit(kernel));
  for (unsigned i = 0; i < left && i < partitions.size(); ++i)
    state.release(kernel, partitions[i]);
  return state;
}

SMUse useOf(const SMState &state) {
  return {state.residentBlocks(), state.residentWarps(),
          state.residentRegisters(), state.residentShared(),
          state.residentBarriers()};
}

/// Places blocks of the second on the SM that would take most of them, one by
/// one, until `blocks` are placed or none fits; returns how many were placed.
/// Classes are split where only some of their SMs get a block.
uint64_t placeSecond(std::vector<SMClass> &classes,
                     const PreparedKernel &second, uint64_t blocks) {
  for (SMClass &group : classes)
    group.room = group.state.room(second);
  uint64_t placed = 0;
  while (placed < blocks) {
    SMClass &roomiest = *std::ranges::max_element(classes, {}, &SMClass::room);
    if (roomiest.room == 0)
      break;
    const uint64_t wanted = blocks - placed;
    SMClass rest = roomiest;
    rest.SMs = wanted < rest.SMs ? rest.SMs - unsigned(wanted) : 0;
    roomiest.SMs -= rest.SMs;
    roomiest.state.admit(second);
    --roomiest.room;
    ++roomiest.secondBlocks;
    placed += roomiest.SMs;
    if (rest.SMs != 0)
      classes.push_back(rest);
  }
  return placed;
}

/// The class that the next block would go to if resources did not matter.
const SMClass &emptiest(const std::vector<SMClass> &classes) {
  return *std::ranges::min_element(classes, {}, [](const SMClass &one) {
    return one.state.residentWarps();
  });
}

/// How many blocks of the first must have left a full SM before the second
/// gets in; all of them at the latest.
unsigned blocksToLeave(const Architecture &architecture,
                       const PreparedKernel &first,
                       const PreparedKernel &second) {
  unsigned left = 0;
  while (left < first.blocksHeld &&
         !filled(architecture, first, first.blocksHeld, left).canAdmit(second))
    ++left;
  return left;
}

/// What of both is on the GPU when blocks of the first and then of the second
/// were placed for as long as they found room.
struct FirstWave {
  /// Blocks of the first in one wave.
  uint64_t wave = 0;
  unsigned firstBlocksPerSM = 0;
  uint64_t secondBlocksAtOnce = 0;
  unsigned SMsShared = 0;
  /// The emptiest SM, before blocks of the second came and after.
  SMState before;
  SMState after;
};

FirstWave firstWaveOfBlocks(const GPU &gpu, const PreparedKernel &one,
                            uint64_t firstBlocks, const PreparedKernel &two,
                            uint64_t secondBlocks) {
  const Architecture &architecture = gpu.architecture;
  FirstWave result{.before = SMState(architecture),
                   .after = SMState(architecture)};
  result.wave = uint64_t(one.blocksHeld) * gpu.SMs;
  const uint64_t resident = std::min(firstBlocks, result.wave);
  const unsigned each = static_cast<unsigned>(resident / gpu.SMs);
  const unsigned oneMore = static_cast<unsigned>(resident % gpu.SMs);
  // In the order of their SMs, which decides where as much room is left.
  std::vector<SMClass> classes;
  if (oneMore != 0)
    classes.push_back({filled(architecture, one, each + 1), oneMore, each + 1});
  classes.push_back({filled(architecture, one, each), gpu.SMs - oneMore, each});
  result.firstBlocksPerSM = each + (oneMore != 0);
  result.before = result.after = classes.back().state;
  // Leftover dispatch: while blocks of the first still wait for room, none of
  // the second is placed, whether it would fit or not.
  if (firstBlocks > result.wave)
    return result;
  result.secondBlocksAtOnce = placeSecond(classes, two, secondBlocks);
  for (const SMClass &group : classes)
    if (group.firstBlocks != 0 && group.secondBlocks != 0)
      result.SMsShared += group.SMs;
  result.after = emptiest(classes).state;
  return result;
}

/// Places blocks of `kernel`, as many as fit and at most `blocks`, and counts
/// them by SM.
std::vector<unsigned> fill(Placement &SMs, unsigned number,
                           const PreparedKernel &kernel, uint64_t blocks) {
  std::vector<unsigned> counts(SMs.SMs());
  for (uint64_t placed = 0; placed < blocks;) {
    const std::span<const unsigned> chosen = SMs.next(number, kernel);
    if (chosen.empty())
      break;
    for (unsigned SM : chosen) {
      SMs.admit(SM, kernel);
      ++counts[SM];
    }
    placed += chosen.size();
  }
  return counts;
}

const SMState &emptiest(const Placement &SMs) {
  unsigned best = 0;
  for (unsigned SM = 1; SM < SMs.SMs(); ++SM)
    if (SMs.state(SM).residentWarps() < SMs.state(best).residentWarps())
      best = SM;
  return SMs.state(best);
}

/// The same where one of them comes in clusters: those see groups of SMs, so
/// each is placed.
FirstWave firstWaveOfClusters(const GPU &gpu, const PreparedKernel &one,
                              uint64_t firstBlocks, const PreparedKernel &two,
                              uint64_t secondBlocks) {
  FirstWave result{.before = SMState(gpu.architecture),
                   .after = SMState(gpu.architecture)};
  const auto sum = [](const std::vector<unsigned> &counts) {
    return std::accumulate(counts.begin(), counts.end(), uint64_t(0));
  };
  Placement whole(gpu);
  result.wave = sum(fill(whole, 0, one, ~uint64_t(0)));
  Placement SMs(gpu);
  const std::vector<unsigned> ofFirst = fill(SMs, 0, one, firstBlocks);
  result.firstBlocksPerSM = *std::ranges::max_element(ofFirst);
  result.before = result.after = emptiest(SMs);
  if (firstBlocks > result.wave)
    return result;
  const std::vector<unsigned> ofSecond = fill(SMs, 1, two, secondBlocks);
  for (unsigned SM = 0; SM < gpu.SMs; ++SM)
    result.SMsShared += ofFirst[SM] != 0 && ofSecond[SM] != 0;
  result.after = emptiest(SMs);
  // A grid that is no multiple of the cluster cannot be launched; it is not
  // taken for more than it has.
  result.secondBlocksAtOnce = std::min(sum(ofSecond), secondBlocks);
  return result;
}

} // namespace

PairVerdict coreside::judgePair(const GPU &gpu, const Grid &first,
                                const Grid &second) {
  const Architecture &architecture = gpu.architecture;
  const PreparedKernel one = prepareKernel(architecture, first.footprint);
  const PreparedKernel two = prepareKernel(architecture, second.footprint);

  PairVerdict verdict;
  verdict.secondBlocks = second.blocks;
  verdict.configurationKiB = one.target / 1024;
  verdict.neededConfigurationKiB = two.need / 1024;
  if (second.footprint.carveoutPercent >= 0)
    verdict.largestConfigurationKiB = two.ceiling / 1024;
  verdict.needed = useOf(filled(architecture, two, 1));
  verdict.sharing = Sharing::Never;
  verdict.secondStart = 1;
  if (one.alone.blocksPerSM == 0 || two.alone.blocksPerSM == 0 ||
      gpu.SMs == 0) {
    verdict.limiter =
        one.alone.blocksPerSM == 0 ? one.alone.limiter : two.alone.limiter;
    return verdict;
  }

  const bool clusters =
      first.footprint.clusterSize > 1 || second.footprint.clusterSize > 1;
  const FirstWave wave =
      clusters ? firstWaveOfClusters(gpu, one, first.blocks, two, second.blocks)
               : firstWaveOfBlocks(gpu, one, first.blocks, two, second.blocks);
  if (wave.wave == 0) {
    verdict.limiter = Limiter::Clusters;
    return verdict;
  }
  verdict.held = useOf(wave.before);
  verdict.apartByConfiguration =
      filled(architecture, one, 1).refusal(two) == Limiter::SharedConfiguration;
  verdict.firstBlocksPerSM = wave.firstBlocksPerSM;
  verdict.firstWaves =
      first.blocks / wave.wave + (first.blocks % wave.wave != 0);
  verdict.secondBlocksAtOnce = wave.secondBlocksAtOnce;
  verdict.SMsShared = wave.SMsShared;
  // Where an SM would take a block, earlier blocks go first, or too few SMs of
  // one group would for a cluster.
  const auto limiter = [&](const SMState &state) {
    const Limiter found = state.refusal(two);
    return found != Limiter::None   ? found
           : verdict.firstWaves > 1 ? Limiter::DispatchOrder
                                    : Limiter::Clusters;
  };
  if (verdict.secondBlocksAtOnce != 0) {
    verdict.secondStart = 0;
    verdict.sharing = Sharing::Full;
    if (verdict.secondBlocksAtOnce < second.blocks) {
      verdict.sharing = Sharing::Partly;
      verdict.limiter = limiter(wave.after);
    }
    return verdict;
  }

  verdict.limiter = limiter(wave.before);
  // The last wave leaves slots free. Blocks that should end together leave SM
  // by SM at least in part, so that enough of those slots are found on one SM
  // as soon as there are enough of them at all (all 1,310 rows of pairs*.csv in
  // which the second is not in the first wave).
  const unsigned toLeave = blocksToLeave(architecture, one, two) *
                           std::max(1u, second.footprint.clusterSize);
  const uint64_t lastWave = first.blocks - (verdict.firstWaves - 1) * wave.wave;
  if (verdict.firstWaves > 1 && wave.wave - lastWave >= toLeave) {
    verdict.sharing = Sharing::TailOnly;
    verdict.secondStart =
        double(verdict.firstWaves - 1) / double(verdict.firstWaves);
    return verdict;
  }
  // With blocks of unequal length the early ones would make room.
  verdict.dependsOnDurations = first.blocks > 1;
  return verdict;
}
