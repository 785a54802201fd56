// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cluster-impossible: clusters that are too large for the GPU, that do not
// divide the grid, or of which not one finds room.
//
//   error: launch of 'scan' fails on h100: its grid is not a multiple of its
//   clusters in x

#include "LaunchFaults.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

bool takes(const FaultyLaunch &fault) {
  switch (fault.problem.fault) {
  case LaunchFault::ClusterSize:
  case LaunchFault::ClusterDoesNotDivideGrid:
  case LaunchFault::ClusterNotResident:
    return true;
  default:
    return false;
  }
}

std::string cause(const FaultyLaunch &fault) {
  static const char *axes[] = {"x", "y", "z"};
  if (fault.problem.fault == LaunchFault::ClusterDoesNotDivideGrid)
    return fmt::format("its grid is not a multiple of its clusters in {}",
                       axes[fault.problem.dimension]);
  return fmt::format("its clusters have {}",
                     counted(fault.problem.asked, "block"));
}

std::string limit(const FaultyLaunch &fault) {
  const LaunchProblem &problem = fault.problem;
  const Architecture &architecture = fault.gpu.architecture;
  switch (problem.fault) {
  case LaunchFault::ClusterDoesNotDivideGrid:
    return fmt::format("{} is not a multiple of {}", grouped(problem.asked),
                       grouped(problem.limit));
  case LaunchFault::ClusterNotResident:
    return fmt::format("no {} of one group have room for them",
                       counted(problem.asked, "SM"));
  default:
    break;
  }
  if (!architecture.clusterPortable)
    return fmt::format("{} has no clusters", smName(architecture.capability));
  if (problem.asked > problem.limit &&
      problem.asked <= architecture.clusterNonPortable)
    return fmt::format("at most {}, or {} with "
                       "cudaFuncAttributeNonPortableClusterSizeAllowed",
                       problem.limit, architecture.clusterNonPortable);
  return fmt::format("{} asked, at most {}", grouped(problem.asked),
                     grouped(problem.limit));
}

} // namespace

std::vector<Finding> coreside::findClusterImpossible(const Analysis &analysis) {
  return launchFaults(analysis, {takes, cause, limit, {}, {}, false});
}
