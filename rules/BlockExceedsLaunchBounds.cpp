// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// block-exceeds-launch-bounds: a block with more threads, over all three
// dimensions, than the kernel's __launch_bounds__ say it will have.
//
//   error: launch of 'tune<256>' fails on h100: its block has 512 threads, more
//   than the 256 of its __launch_bounds__

#include "BoundsFix.h"
#include "LaunchFaults.h"
#include "Rules.h"
#include "SizeFixes.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

bool takes(const FaultyLaunch &fault) {
  return fault.problem.fault == LaunchFault::LaunchBounds;
}

std::string cause(const FaultyLaunch &fault) {
  return fmt::format(
      "its block has {} threads, more than the {} of its __launch_bounds__",
      amount(fault.problem.asked, fault.asked.block),
      grouped(fault.problem.limit));
}

std::string limit(const FaultyLaunch &fault) {
  return fmt::format("launch at most {} threads, or raise the bound",
                     grouped(fault.problem.limit));
}

std::string threshold(const FaultyLaunch &fault) {
  return fmt::format(
      "its block has more than the {} threads of its __launch_bounds__",
      grouped(fault.problem.limit));
}

} // namespace

std::vector<Finding>
coreside::findBlockExceedsLaunchBounds(const Analysis &analysis) {
  auto extend = [&](const FaultyLaunch &fault, Finding &finding) {
    const Kernel &kernel = *fault.kernel();
    finding.notes.push_back(
        {kernel.place, fmt::format("'{}' is bounded here", kernel.name)});
    if (std::optional<Fix> fix = raisedBound(analysis, fault.step.kernel))
      finding.fixes.push_back(std::move(*fix));
    if (std::optional<Fix> fix =
            resizeBlock(analysis, fault.step, fault.problem.limit))
      finding.fixes.push_back(std::move(*fix));
  };
  return launchFaults(analysis,
                      {takes, cause, limit, threshold, extend, false});
}
