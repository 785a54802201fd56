// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of each unit of a run take.
//
// In:   units with their programs; saved build output, or a toolkit
// Out:  one table for each unit, and on --explain where its numbers are from
//
// Without saved output the best source that there is: what the unit's own
// compile command has written if it is up to date, else nvcc, else clang and
// ptxas.

#ifndef CORESIDE_TOOLS_UNITRESOURCES_H
#define CORESIDE_TOOLS_UNITRESOURCES_H

#include "Remarks.h"
#include "Units.h"
#include "resources/CompilerRun.h"
#include "resources/Resources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct UnitResourceOptions {
  /// Saved build output, binaries, or JSON of `coreside resources` to take
  /// ptxas's numbers from; no compiler is run then.
  std::vector<std::string> given;
  /// Ask what is kept of earlier runs of nvcc before running it.
  bool useCache = true;
  /// See CompileOptions.
  bool inOneStep = false;
  CompilerStop *stop = nullptr;
  std::function<void(size_t done, size_t all, llvm::StringRef what)> progress =
      nullptr;
};

/// One table for each of `units`. The error is about what was given; a unit
/// whose numbers cannot be had has an empty table and a warning.
llvm::Expected<std::vector<ResourceTable>>
findResources(llvm::ArrayRef<Unit> units, const UnitOptions &options,
              const UnitResourceOptions &resources, Remarks &remarks);

/// What is kept for the kernels of `unit`, which was read with other text in
/// its own file and nowhere else, if its device code is known.
std::optional<ResourceTable>
keptDeviceResources(const Unit &unit, const UnitOptions &options,
                    const UnitResourceOptions &resources);

} // namespace coreside

#endif
