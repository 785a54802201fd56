// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two launches are about the same memory, as far as their arguments
// tell.
//
// In:   blur(image, left) and edge(image, right)
// Out:  Shares: both get 'image'
//
// Launches that share memory may need their order; of those that do not, nobody
// wants them one after the other.

#ifndef CORESIDE_RULES_DEPENDENCE_H
#define CORESIDE_RULES_DEPENDENCE_H

#include "program/Program.h"

namespace coreside {

enum class Dependence {
  /// No memory in common. Pointers that come from a caller under two names are
  /// taken to lead to different memory.
  None,
  /// Some memory in common, to read or to write.
  Shares,
  /// One of them has a pointer of which it is not known where it leads.
  Unknown,
};

Dependence dependenceOf(const Step &first, const Step &second);

} // namespace coreside

#endif
