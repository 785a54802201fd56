// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a PTX file, to compile some without the others.
//
// In:   .visible .entry _Z4blurPf(...) {...}  .visible .entry _Z4edgev() {...}
// Out:  entries _Z4blurPf and _Z4edgev; the file without one of them, its
//       other lines where they were
//
// ptxas gives up a whole file for one instruction that it does not know. What
// it said of which line tells whose instruction that is.

#ifndef CORESIDE_RESOURCES_PTXENTRIES_H
#define CORESIDE_RESOURCES_PTXENTRIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace coreside {

/// A kernel's definition in a PTX file, offsets in bytes.
struct PTXEntry {
  llvm::StringRef name;
  /// Where its line begins, or the entry before it ends.
  size_t begin = 0;
  /// Behind its last brace.
  size_t end = 0;
};

/// The kernels that `ptx` defines, in its order; names point into it.
std::vector<PTXEntry> ptxEntries(llvm::StringRef ptx);

/// `ptx` with blank lines in place of the entries named in `dropped`.
std::string withoutEntries(llvm::StringRef ptx,
                           const llvm::StringSet<> &dropped);

/// The entries that the errors in ptxas's `output` are about: those it names,
/// and those that hold the lines it names.
llvm::StringSet<> entriesWithErrors(llvm::StringRef ptx,
                                    llvm::StringRef output);

/// `ptx` without what ptxas's numbers cannot depend on: comments, and which
/// line of the source an instruction is from, and the hash of the file in
/// names of internal linkage. Equal for two files that differ in their host
/// code only, and for two runs of nvcc: it puts its process id into such a
/// hash.
std::string ptxWithoutPlaces(llvm::StringRef ptx);

} // namespace coreside

#endif
