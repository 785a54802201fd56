// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether nvcc would say something else of the kernels of a file.
//
// In:   the units of a file, the open documents
// Out:  a word that is another one when device code may be another
//
// It is made of all that nvcc reads: the commands and targets, the kernels that
// the host code makes of templates, and the tokens of the open documents
// without comments; of files that are not open size and time. Left out are
// only the bodies of host functions that device code cannot see
// (HostBodies.h). Where the file has errors nothing is left out. When in doubt
// it is another word, and nvcc runs.
//
// What __LINE__ says in a kernel changes numbers in its code, not how many
// registers it takes: lines are not looked at.

#ifndef CORESIDE_EDITOR_DEVICETEXT_H
#define CORESIDE_EDITOR_DEVICETEXT_H

#include "OpenDocuments.h"
#include "checking/Units.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace coreside {

std::string deviceKey(llvm::ArrayRef<Unit> units,
                      const OpenDocuments &documents);

} // namespace coreside

#endif
