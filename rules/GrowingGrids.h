// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs whose verdict turns with the size of the first grid, which the source
// leaves open.
//
// In:   blur<<<(n + 255) / 256, 256, 0, s>>> and edge on t, h100.
// Out:  note: 'edge' has to wait for 'blur' once that has 528 blocks on h100

#ifndef CORESIDE_RULES_GROWINGGRIDS_H
#define CORESIDE_RULES_GROWINGGRIDS_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <vector>

namespace coreside {

/// A note for each such pair: it holds for some of the values still possible,
/// so it is no warning.
std::vector<Finding> growingGrids(const Analysis &analysis);

} // namespace coreside

#endif
