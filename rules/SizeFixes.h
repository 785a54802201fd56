// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other grids and blocks for a launch, as edits of the source. Only where the
// kernel's loops do all the work whatever the grid (GridStride.h), so that the
// program stays the same.
//
// In:   blur<<<(n + 255) / 256, 256, 0, s>>>, at most 396 blocks.
// Out:  "min(int((n + 255) / 256), 396)" in place of the grid.

#ifndef CORESIDE_RULES_SIZEFIXES_H
#define CORESIDE_RULES_SIZEFIXES_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <optional>

namespace coreside {

/// At most `blocks` for the launch `step`.
std::optional<Fix> capGrid(const Analysis &analysis, const Step &step,
                           uint64_t blocks);

/// Blocks of `threads` for the launch `step`.
std::optional<Fix> resizeBlock(const Analysis &analysis, const Step &step,
                               uint64_t threads);

} // namespace coreside

#endif
