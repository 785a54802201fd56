// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of launches that someone put on two streams and that do not run side
// by side, with the words both rules about them use.
//
// In:   an analysis.
// Out:  for each launch that has to wait, the last launch before it that it
//       waits for; Never or TailOnly on at least one GPU.
//
// Left out: turns of one launch in a loop. Work cut into chunks over streams
// is not meant to run chunk beside chunk, it is meant to keep the GPU full.

#ifndef CORESIDE_RULES_WAITINGPAIRS_H
#define CORESIDE_RULES_WAITINGPAIRS_H

#include "Finding.h"
#include "analysis/Analysis.h"

namespace coreside {

struct WaitingPair {
  unsigned trace = 0;
  /// Index into TraceFacts::pairs.
  unsigned pair = 0;
  /// The worst on any target GPU: TailOnly or Never.
  Sharing worst = Sharing::TailOnly;
};

std::vector<WaitingPair> waitingPairs(const Analysis &analysis);

/// A finding about `waiting`: which kernel waits for which on which GPUs, for
/// its end or its last wave, and the limiters. The notes show the first launch,
/// the arithmetic for each GPU and the smallest changes.
Finding describeWaiting(const Analysis &analysis, const WaitingPair &waiting);

} // namespace coreside

#endif
