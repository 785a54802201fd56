// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of launches that someone put on two streams and that do not run side
// by side, with the words the rules about them use.
//
// In:   an analysis, and which limiters are asked for.
// Out:  for each launch that has to wait, the last launch before it that it
//       waits for; Never or TailOnly on at least one GPU.
//
// Left out: turns of one launch in a loop, and a launch that comes on its
// stream only after another one that the second waits for: what it waits for is
// that one.

#ifndef CORESIDE_RULES_WAITINGPAIRS_H
#define CORESIDE_RULES_WAITINGPAIRS_H

#include "PairView.h"

namespace coreside {

struct WaitingPair {
  unsigned trace = 0;
  /// Index into TraceFacts::pairs.
  unsigned pair = 0;
  /// The worst on any target GPU: TailOnly or Never.
  Sharing worst = Sharing::TailOnly;
  /// The first comes after a launch that the second runs beside, so that the
  /// second may be there before it.
  bool mayBeLate = false;
};

/// Why the second waits: the shared-memory configuration of an SM, or that
/// there is too little of something.
enum class WaitsFor { Room, Configuration };

std::vector<WaitingPair> waitingPairs(const Analysis &analysis,
                                      WaitsFor what = WaitsFor::Room);

/// A finding about `waiting`: which kernel waits for which on which GPUs, for
/// its end or its last wave, and the limiters. The notes show the first launch,
/// the arithmetic for each GPU and the smallest changes.
Finding describeWaiting(const Analysis &analysis, const WaitingPair &waiting,
                        WaitsFor what = WaitsFor::Room);

} // namespace coreside

#endif
