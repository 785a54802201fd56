// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units of a run that belong together become one.
//
// In:   main.cu, which calls 'blurOn'; blur.cu, which defines it; other.cu
// Out:  main.cu with blur.cu's steps in place of the call, and other.cu

#ifndef CORESIDE_TOOLS_JOINUNITS_H
#define CORESIDE_TOOLS_JOINUNITS_H

#include "Units.h"
#include "resources/Resources.h"

#include <vector>

namespace coreside {

/// What is analysed as one program.
struct JoinedUnit {
  /// Its units, without their programs.
  std::vector<Unit> units;
  Program program;
  /// Those of its units, each once.
  std::vector<GPU> gpus;
  ResourceTable resources;
};

/// `tables`, one for each unit, may be empty. A unit that needs nothing of
/// another one stays as it is.
std::vector<JoinedUnit> joinUnits(std::vector<Unit> units,
                                  std::vector<ResourceTable> tables);

} // namespace coreside

#endif
