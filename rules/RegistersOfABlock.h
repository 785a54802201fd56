// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the two rules about blocks that take too many registers.
//
// In:   a block of 416 threads with 134 registers each, h100.
// Out:  cause: a block of 416 threads takes more registers than a block can
//       have; limit: 134 registers a thread are 4,352 a warp, rounded up to
//       256; 13 warps, which count as 16, take 69,632, a block has at most
//       65,536; fix: __launch_bounds__(416)

#ifndef CORESIDE_RULES_REGISTERSOFABLOCK_H
#define CORESIDE_RULES_REGISTERSOFABLOCK_H

#include "LaunchFaults.h"

namespace coreside {

/// `analysis` must outlive the words.
FaultWords registersOfABlock(const Analysis &analysis);

} // namespace coreside

#endif
