// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tail-overlap-only: two launches on different streams, nothing orders them,
// and the second starts only when the first has too few blocks left to fill
// the GPU.
//
//   warning: 'edge' can only start in the last wave of 'blur' on h100: ...

#include "Rules.h"
#include "WaitingPairs.h"

using namespace coreside;

std::vector<Finding> coreside::findTailOverlapOnly(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting : waitingPairs(analysis))
    if (waiting.worst == Sharing::TailOnly)
      findings.push_back(describeWaiting(analysis, waiting));
  return findings;
}
