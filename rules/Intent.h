// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two launches were put on two streams for.
//
// In:   a pair of launches.
// Out:  Together for blur on s and edges on t; Copies where s and t carry a
//       chunk of data each to the device, through a kernel and back; Chunks
//       where both run the same kernels over parts of the work.
//
// Only for the first does it matter that the two share the GPU: the others want
// the GPU or the bus kept busy, and it is.

#ifndef CORESIDE_RULES_INTENT_H
#define CORESIDE_RULES_INTENT_H

#include "PairView.h"

namespace coreside {

enum class Intent {
  /// To run at the same time.
  Together,
  /// To overlap copies with kernels.
  Copies,
  /// To work on parts of one job, each of which fills the GPU.
  Chunks,
};

Intent intentOf(const PairView &view);

/// The note that says so; empty for Together.
std::string intentInWords(Intent intent);

/// Warning for Together, else Note.
Level levelFor(Intent intent);

} // namespace coreside

#endif
