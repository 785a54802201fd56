// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers from whatever a file is.
//
// In:   build.log, -, app, blur.cubin, old.json, in any mixture
// Out:  one list of records, and notes on what could not be read
//
// What a file is, its first bytes say. Several logs are read as one, because
// the linker's lines name no architecture and those of the compiler do.

#ifndef CORESIDE_RESOURCES_READRESOURCES_H
#define CORESIDE_RESOURCES_READRESOURCES_H

#include "PtxasLog.h"
#include "Resources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace coreside {

struct ResourceReading {
  std::vector<KernelResources> records;
  /// One line each, with the name of the file.
  std::vector<std::string> notes;
};

/// The records in the files at `paths`: build output ("-" is standard input),
/// binaries, and what `coreside resources --json` wrote. Error: one of
/// them cannot be read or has nothing.
llvm::Expected<ResourceReading> readResources(llvm::ArrayRef<std::string> paths,
                                              LogOptions options = {});

} // namespace coreside

#endif
