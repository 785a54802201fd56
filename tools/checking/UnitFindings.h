// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of a unit after its analysis, for who wants to analyse it again
// with other text.

#ifndef CORESIDE_TOOLS_UNITFINDINGS_H
#define CORESIDE_TOOLS_UNITFINDINGS_H

#include "Units.h"
#include "rules/Finding.h"
#include "timeline/Timeline.h"

#include <string>
#include <vector>

namespace coreside {

struct UnitFindings {
  /// Those that were joined, without their programs; the first gives it its
  /// name.
  std::vector<Unit> units;
  /// Absolute, all that was read.
  std::vector<std::string> files;
  TimelineOptions ordering;
  std::vector<Finding> findings;
  /// clang found errors in it.
  bool hasErrors = false;
};

} // namespace coreside

#endif
