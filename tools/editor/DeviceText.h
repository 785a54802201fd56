// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether nvcc would say something else of the kernels of a file.
//
// In:   the units of a file, the open documents
// Out:  a word that is another one when device code may be another
//
// It is made of all that nvcc reads: the commands and targets, the kernels that
// the host code makes of templates, and the tokens of the user's files without
// comments; of the system's headers size and time. Left out are only the bodies
// of host functions that device code cannot see (HostBodies.h). Where the file
// has errors nothing is left out. When in doubt it is another word, and nvcc
// runs.
//
// What __LINE__ says in a kernel changes numbers in its code, not how many
// registers it takes: lines are not looked at.

#ifndef CORESIDE_EDITOR_DEVICETEXT_H
#define CORESIDE_EDITOR_DEVICETEXT_H

#include "OpenDocuments.h"
#include "checking/Units.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>

namespace coreside {

/// Whether the change from `before`, a file whose unit was read without errors,
/// to `now` is in a body that is left out: so it seems before `now` is read.
bool changesHostBody(llvm::StringRef before, llvm::StringRef now,
                     llvm::ArrayRef<HostBody> bodies);

/// Remembers the files that are not open; of one thread.
class DeviceTexts {
public:
  std::string key(llvm::ArrayRef<Unit> units, const OpenDocuments &documents);

private:
  std::string ofFile(const std::string &file);

  struct OnDisk {
    uint64_t size = 0;
    int64_t time = 0;
    std::string word;
  };
  std::map<std::string, OnDisk> Known;
};

} // namespace coreside

#endif
