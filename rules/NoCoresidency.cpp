// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// no-coresidency: two launches on different streams, nothing orders them, and
// the second cannot start before the first is done.
//
//   warning: 'edge' cannot run beside 'blur' on h100: limited by registers
//
// Where the grid of the first is left open by the source, a note says from how
// many blocks on it is so.

#include "GrowingGrids.h"
#include "Rules.h"
#include "WaitingPairs.h"

using namespace coreside;

std::vector<Finding> coreside::findNoCoresidency(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const WaitingPair &waiting : waitingPairs(analysis))
    if (waiting.worst == Sharing::Never)
      findings.push_back(describeWaiting(analysis, waiting));
  for (Finding &finding : growingGrids(analysis))
    findings.push_back(std::move(finding));
  return findings;
}
