// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of a unit after its analysis, for who wants to analyse it again
// with other text.

#ifndef CORESIDE_TOOLS_UNITFINDINGS_H
#define CORESIDE_TOOLS_UNITFINDINGS_H

#include "Units.h"
#include "rules/Finding.h"
#include "timeline/Timeline.h"

#include <map>
#include <string>
#include <utility>
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
  /// With --diff. Of `findings`, by fingerprint, what was there before the
  /// change: less bad, or in other words.
  std::map<std::string, Finding> before;
  /// What was there before and is not any more, as it was.
  std::vector<Finding> gone;
  /// What is there still and on some GPU less bad than it was, with that.
  std::vector<std::pair<Finding, Finding>> milder;
  /// clang found errors in it.
  bool hasErrors = false;
};

} // namespace coreside

#endif
