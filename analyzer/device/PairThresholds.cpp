// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With n blocks of the first, every SM holds n / SMs of them or one more; how
// many of the second fit then is all that has to be known.

#include "PairThresholds.h"
#include "Admission.h"

#include <algorithm>
#include <limits>
#include <vector>

using namespace coreside;

/// Clusters see groups of SMs, so the verdict is asked. It is taken to get
/// worse as the first grows.
static uint64_t bisect(const GPU &gpu, Grid first, const Grid &second,
                       Sharing sharing) {
  const uint64_t step = std::max(1u, first.footprint.clusterSize);
  uint64_t good = 0;
  uint64_t bad = uint64_t(gpu.SMs) * gpu.architecture.blocksPerSM / step + 1;
  while (bad - good > 1) {
    const uint64_t middle = good + (bad - good) / 2;
    first.blocks = middle * step;
    (judgePair(gpu, first, second).sharing <= sharing ? good : bad) = middle;
  }
  return good * step + 1;
}

uint64_t coreside::firstBlocksFromWhichWorse(const GPU &gpu, const Grid &first,
                                             const Grid &second,
                                             Sharing sharing) {
  const Architecture &architecture = gpu.architecture;
  const PreparedKernel one = prepareKernel(architecture, first.footprint);
  const PreparedKernel two = prepareKernel(architecture, second.footprint);
  const uint64_t wanted = sharing == Sharing::Full ? second.blocks : 1;
  if (gpu.SMs == 0 || one.blocksHeld == 0 || two.blocksHeld == 0)
    return 1;
  if (first.footprint.clusterSize > 1 || second.footprint.clusterSize > 1)
    return bisect(gpu, first, second, sharing);
  // room[k]: blocks of the second that an SM with k of the first takes.
  std::vector<uint64_t> room;
  SMState state(architecture);
  for (unsigned k = 0;; ++k) {
    room.push_back(state.room(two));
    if (k == one.blocksHeld)
      break;
    state.admit(one);
  }
  // The largest number that still leaves enough; not by bisection, since
  // rounding to sub-partitions makes the room fall and rise.
  const uint64_t SMs = gpu.SMs;
  for (uint64_t n = SMs * one.blocksHeld; n > 0; --n) {
    const uint64_t each = n / SMs, oneMore = n % SMs;
    const uint64_t fits =
        (SMs - oneMore) * room[each] + (oneMore ? oneMore * room[each + 1] : 0);
    if (fits >= wanted)
      return n + 1;
  }
  return 1;
}

uint64_t coreside::secondBlocksFromWhichPartly(const GPU &gpu,
                                               const Grid &first,
                                               const Grid &second) {
  Grid endless = second;
  endless.blocks = std::numeric_limits<uint64_t>::max();
  return judgePair(gpu, first, endless).secondBlocksAtOnce + 1;
}
