// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// no-coresidency: two launches on different streams, nothing orders them, and
// the second cannot start before the first is done.
//
//   warning: 'edge' cannot run beside 'blur' on h100: limited by registers

#include "Rules.h"
#include "WaitingPairs.h"

using namespace coreside;

std::vector<Finding> coreside::findNoCoresidency(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting : waitingPairs(analysis))
    if (waiting.worst == Sharing::Never)
      findings.push_back(
          describeWaiting(analysis, waiting, "cannot run beside"));
  return findings;
}
