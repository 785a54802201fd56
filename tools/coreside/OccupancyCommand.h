// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside occupancy: how many blocks of a kernel an SM holds, what stops one
// more, and what would help.
//
//   h200 (NVIDIA H200, sm_90, 132 SMs)
//     4 blocks per SM, limited by registers; 32 of 64 warps (50 %)
//
//     resource         one block    an SM has   blocks
//     warps                    8           64        8
//     registers           16,384       65,536        4  <-
//     ...

#ifndef CORESIDE_TOOLS_OCCUPANCYCOMMAND_H
#define CORESIDE_TOOLS_OCCUPANCYCOMMAND_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace coreside {

struct OccupancyOptions {
  /// As --gpu takes them; must not be empty.
  std::string gpus;
  unsigned SMs = 0;
  /// Per block, 1 to 1,024.
  unsigned threads = 0;
  /// Per thread, 1 to 255.
  unsigned registers = 0;
  /// Bytes of shared memory per block, static and dynamic together.
  unsigned shared = 0;
  /// Named barriers, 0 to 16.
  unsigned barriers = 1;
  /// Blocks per cluster, 1 for none.
  unsigned cluster = 1;
  /// Per cent, or -1 for no preference.
  int carveout = -1;
  /// Blocks of the grid; 0: not told, no waves are printed.
  uint64_t blocks = 0;
  bool json = false;
};

/// Prints the table (or a JSON array, an object per GPU) to `out`; 0, or 2 and
/// a line on `errors`.
int runOccupancy(const OccupancyOptions &options, llvm::raw_ostream &out,
                 llvm::raw_ostream &errors);

} // namespace coreside

#endif
