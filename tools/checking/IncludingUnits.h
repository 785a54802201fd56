// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that are to be analysed for a change of some headers.
//
// In:   src/a.cu, include/tile.cuh; a compile database
// Out:  src/a.cu, and src/b.cu, which includes <tile.cuh> by way of another
//
// Nothing is compiled for this, and nothing that a build left behind is
// believed: of each file the #include lines are looked at, as they stand. One
// in a part that a condition leaves out counts as well; such a unit is analysed
// in vain. One whose name is a macro does not.

#ifndef CORESIDE_TOOLS_INCLUDINGUNITS_H
#define CORESIDE_TOOLS_INCLUDINGUNITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// Where to look for units, and what counts as the user's.
struct IncludingUnitsOptions {
  /// As UnitOptions has them.
  std::optional<std::vector<std::string>> flags;
  std::string buildDirectory;
  /// Folders whose files may be changed; others' headers are not opened.
  std::vector<std::string> folders;
  /// Units that are in no database.
  std::vector<std::string> others;
};

/// Those of `changed` that are units, and the units that include one of the
/// rest: of the database or, where there is none, of `others`. Sorted, each
/// once, named as in `changed` or absolute. Error: a database that was named
/// cannot be read.
llvm::Expected<std::vector<std::string>>
unitsOfChange(llvm::ArrayRef<std::string> changed,
              const IncludingUnitsOptions &options);

/// Whether a file is compiled as CUDA or HIP by its name.
bool isUnitName(llvm::StringRef file);

} // namespace coreside

#endif
