// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative-too-large: a cooperative grid of which a GPU cannot hold all
// blocks at once. It depends on the product: its number of SMs counts.
//
//   error: launch of 'relax' fails on t4: its cooperative grid of 164 blocks
//   must be resident at once

#include "LaunchFaults.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

bool takes(const FaultyLaunch &fault) {
  return fault.problem.fault == LaunchFault::CooperativeGrid;
}

std::string cause(const FaultyLaunch &fault) {
  return fmt::format("its cooperative grid of {} block{} must be resident at "
                     "once",
                     amount(fault.problem.asked, fault.asked.grid),
                     fault.problem.asked == 1 ? "" : "s");
}

std::string threshold(const FaultyLaunch &fault) {
  return fmt::format("its cooperative grid has more than {}",
                     counted(fault.problem.limit, "block"));
}

std::string limit(const FaultyLaunch &fault) {
  const uint64_t perSM = fault.problem.limit / fault.gpu.SMs;
  std::string needs =
      perSM ? fmt::format(
                  "; it takes {}",
                  counted((fault.problem.asked + perSM - 1) / perSM, "SM"))
            : "";
  return fmt::format("{} hold {}, {} were asked for{}",
                     counted(fault.gpu.SMs, "SM"),
                     counted(fault.problem.limit, "block"),
                     grouped(fault.problem.asked), needs);
}

} // namespace

std::vector<Finding>
coreside::findCooperativeTooLarge(const Analysis &analysis) {
  return launchFaults(analysis, {takes, cause, limit, threshold, {}, true});
}
