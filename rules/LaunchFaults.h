// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that the runtime refuses, for the rules that each tell of one
// reason.
//
// In:   an analysis, and how a reason is put into words.
// Out:  error: launch of 'solve' fails on a100 and h100: <cause>
//       note:  a100 and h100: <limit>; cudaErrorInvalidValue
//       Where only the largest values still possible make it fail:
//       note:  launch of 'solve' fails on h100 once <threshold>
//
// What fails for the same cause on several GPUs is one finding.

#ifndef CORESIDE_RULES_LAUNCHFAULTS_H
#define CORESIDE_RULES_LAUNCHFAULTS_H

#include "LaunchView.h"

#include <functional>

namespace coreside {

/// One reason why one launch fails, or may fail, on one GPU.
struct FaultyLaunch : LaunchView {
  FaultyLaunch(const LaunchView &view, unsigned gpu,
               const LaunchProblem &problem);

  /// As it is on this GPU: with what that answers to the host code.
  Step asked;
  const LaunchFacts &facts;
  const LaunchProblem &problem;
  const GPU &gpu;
};

/// How a rule tells of a reason.
struct FaultWords {
  /// Whether it is this rule's.
  std::function<bool(const FaultyLaunch &)> takes;
  /// What the launch asks for, the same on all GPUs: "its block has 2,048
  /// threads".
  std::function<std::string(const FaultyLaunch &)> cause;
  /// What the GPU gives: "1,024 at most".
  std::function<std::string(const FaultyLaunch &)> limit;
  /// From where on it fails: "its block has more than 1,024 threads"; where it
  /// is missing or empty, nothing is said of launches that only may fail.
  std::function<std::string(const FaultyLaunch &)> threshold;
  /// Adds what concerns the launch on all GPUs of the finding: notes, fixes.
  /// Called with the fault on the first of them.
  std::function<void(const FaultyLaunch &, Finding &)> extend;
  /// Other numbers of registers would take the fault away.
  bool restsOnRegisters = false;
};

std::vector<Finding> launchFaults(const Analysis &analysis,
                                  const FaultWords &words);

/// "512", or "at least 512" where a size is not known but always that large.
std::string amount(uint64_t least, std::span<const Value> values);
std::string amount(uint64_t least, const Value &value);

} // namespace coreside

#endif
