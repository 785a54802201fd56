// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside gpus: the GPUs that can be named.
//
//   NAME             SMS  CAPABILITY  L2         MEMORY    PRODUCT
//   h100             132  9.0         50 MiB     80 GiB    NVIDIA H100 80GB
//   HBM3

#ifndef CORESIDE_TOOLS_GPUSCOMMAND_H
#define CORESIDE_TOOLS_GPUSCOMMAND_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace coreside {

struct GPUsOptions {
  /// GPUs to list, as --gpu takes them; empty: all products.
  std::string gpus;
  unsigned SMs = 0;
  /// A JSON array; each of its objects is also a valid GPU file.
  bool json = false;
};

/// Prints the list to `out`; 0, or 2 and a line on `errors`.
int runGPUs(const GPUsOptions &options, llvm::raw_ostream &out,
            llvm::raw_ostream &errors);

} // namespace coreside

#endif
