// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The known name that was probably meant.
//
// In:   "targts", {"targets", "rules"}
// Out:  ", did you mean 'targets'?"

#ifndef CORESIDE_CONTROL_NEARESTNAME_H
#define CORESIDE_CONTROL_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

/// The end of an error about the unknown `name`: the nearest of `known` as a
/// question; empty where none is near (more than a third of the letters off).
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> known);

} // namespace coreside

#endif
