// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair needs no event queue: SMs that hold equally many blocks of both are
// one class, so the first wave is a handful of classes whatever the grids are.

#include "PairVerdict.h"
#include "Admission.h"

#include <algorithm>
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
  verdict.needed = useOf(filled(architecture, two, 1));
  verdict.sharing = Sharing::Never;
  verdict.secondStart = 1;
  if (one.alone.blocksPerSM == 0 || two.alone.blocksPerSM == 0 ||
      gpu.SMs == 0) {
    verdict.limiter =
        one.alone.blocksPerSM == 0 ? one.alone.limiter : two.alone.limiter;
    return verdict;
  }

  const uint64_t wave = uint64_t(one.blocksHeld) * gpu.SMs;
  const uint64_t resident = std::min(first.blocks, wave);
  const unsigned each = static_cast<unsigned>(resident / gpu.SMs);
  const unsigned oneMore = static_cast<unsigned>(resident % gpu.SMs);
  // In the order of their SMs, which decides where as much room is left.
  std::vector<SMClass> classes;
  if (oneMore != 0)
    classes.push_back({filled(architecture, one, each + 1), oneMore, each + 1});
  classes.push_back({filled(architecture, one, each), gpu.SMs - oneMore, each});
  const SMState roomiest = classes.back().state;
  verdict.held = useOf(roomiest);
  verdict.firstBlocksPerSM = each + (oneMore != 0);
  verdict.firstWaves = first.blocks / wave + (first.blocks % wave != 0);

  // Leftover dispatch: while blocks of the first still wait for room, none of
  // the second is placed, whether it would fit or not.
  const bool firstWaits = first.blocks > wave;
  if (!firstWaits) {
    verdict.secondBlocksAtOnce = placeSecond(classes, two, second.blocks);
    for (const SMClass &group : classes)
      if (group.firstBlocks != 0 && group.secondBlocks != 0)
        verdict.SMsShared += group.SMs;
  }
  if (verdict.secondBlocksAtOnce != 0) {
    verdict.secondStart = 0;
    verdict.sharing = Sharing::Full;
    if (verdict.secondBlocksAtOnce < second.blocks) {
      verdict.sharing = Sharing::Partly;
      verdict.limiter = emptiest(classes).state.refusal(two);
    }
    return verdict;
  }

  verdict.limiter = roomiest.refusal(two);
  if (verdict.limiter == Limiter::None)
    verdict.limiter = Limiter::DispatchOrder;
  // The last wave leaves slots free. Blocks that should end together leave SM
  // by SM at least in part, so that enough of those slots are found on one SM
  // as soon as there are enough of them at all (all 1,310 rows of pairs*.csv in
  // which the second is not in the first wave).
  const unsigned toLeave = blocksToLeave(architecture, one, two);
  const uint64_t lastWave = first.blocks - (verdict.firstWaves - 1) * wave;
  if (verdict.firstWaves > 1 && wave - lastWave >= toLeave) {
    verdict.sharing = Sharing::TailOnly;
    verdict.secondStart =
        double(verdict.firstWaves - 1) / double(verdict.firstWaves);
    return verdict;
  }
  // With blocks of unequal length the early ones would make room.
  verdict.dependsOnDurations = first.blocks > 1;
  return verdict;
}
