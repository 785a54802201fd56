// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// launch-size: a grid or block that no launch can have: a dimension that is
// zero, or over the limits of CUDA.
//
//   error: launch of 'blur' fails on h100: its block has 2,048 threads

#include "LaunchFaults.h"
#include "Rules.h"
#include "SizeFixes.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

const char *axis(unsigned dimension) {
  static const char *names[] = {"x", "y", "z"};
  return names[dimension < 3 ? dimension : 2];
}

bool takes(const FaultyLaunch &fault) {
  switch (fault.problem.fault) {
  case LaunchFault::ZeroDimension:
  case LaunchFault::BlockDimension:
  case LaunchFault::ThreadsPerBlock:
  case LaunchFault::GridDimension:
    return true;
  default:
    return false;
  }
}

std::string cause(const FaultyLaunch &fault) {
  const LaunchProblem &problem = fault.problem;
  switch (problem.fault) {
  case LaunchFault::BlockDimension:
    return fmt::format(
        "its block has {} threads in {}",
        amount(problem.asked, fault.asked.block[problem.dimension]),
        axis(problem.dimension));
  case LaunchFault::ThreadsPerBlock:
    return fmt::format("its block has {} threads",
                       amount(problem.asked, fault.asked.block));
  case LaunchFault::GridDimension:
    return fmt::format(
        "its grid has {} blocks in {}",
        amount(problem.asked, fault.asked.grid[problem.dimension]),
        axis(problem.dimension));
  default:
    return "a dimension of its grid or block is 0";
  }
}

std::string limit(const FaultyLaunch &fault) {
  if (fault.problem.fault == LaunchFault::ZeroDimension)
    return "each must be at least 1";
  return fmt::format("{} asked, at most {}", grouped(fault.problem.asked),
                     grouped(fault.problem.limit));
}

std::string threshold(const FaultyLaunch &fault) {
  const LaunchProblem &problem = fault.problem;
  std::string limit = grouped(problem.limit);
  switch (problem.fault) {
  case LaunchFault::BlockDimension:
    return fmt::format("its block has more than {} threads in {}", limit,
                       axis(problem.dimension));
  case LaunchFault::ThreadsPerBlock:
    return fmt::format("its block has more than {} threads", limit);
  case LaunchFault::GridDimension:
    return fmt::format("its grid has more than {} blocks in {}", limit,
                       axis(problem.dimension));
  default:
    return "";
  }
}

} // namespace

std::vector<Finding> coreside::findLaunchSize(const Analysis &analysis) {
  auto extend = [&](const FaultyLaunch &fault, Finding &finding) {
    if (fault.problem.fault == LaunchFault::ThreadsPerBlock)
      if (std::optional<Fix> fix =
              resizeBlock(analysis, fault.step, fault.problem.limit))
        finding.fixes.push_back(std::move(*fix));
  };
  return launchFaults(analysis,
                      {takes, cause, limit, threshold, extend, false});
}
