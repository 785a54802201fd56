// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shared-memory-too-large: static and dynamic shared memory of a block are more
// than the GPU gives one, with or without opting in.
//
//   error: launch of 'sort' fails on t4: it takes 98,304 bytes of shared memory
//   a block

#include "LaunchFaults.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

bool takes(const FaultyLaunch &fault) {
  return fault.problem.fault == LaunchFault::SharedPerBlock;
}

std::string cause(const FaultyLaunch &fault) {
  return fmt::format("it takes {} bytes of shared memory a block",
                     amount(fault.problem.asked, fault.asked.dynamicShared));
}

std::string threshold(const FaultyLaunch &fault) {
  return fmt::format("it takes more than {} bytes of shared memory a block",
                     grouped(fault.problem.limit));
}

std::string limit(const FaultyLaunch &fault) {
  const uint64_t fixed = fault.facts.least.footprint.staticShared;
  std::string parts =
      fixed ? fmt::format(" ({} of them static)", grouped(fixed)) : "";
  return fmt::format("{} asked{}, at most {}", grouped(fault.problem.asked),
                     parts, grouped(fault.problem.limit));
}

} // namespace

std::vector<Finding>
coreside::findSharedMemoryTooLarge(const Analysis &analysis) {
  return launchFaults(analysis, {takes, cause, limit, threshold, {}, false});
}
