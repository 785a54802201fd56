// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of a trace on one GPU: what a block of it takes, as far as that
// is known, and whether the runtime would accept it.
//
// In:   blur<<<(n + 255) / 256, 256, 0, s>>>, 64 registers on sm_90, h100.
// Out:  footprint 256 x 64 exact, 1 to 8,388,608 blocks, no problems.

#ifndef CORESIDE_ANALYSIS_LAUNCHFACTS_H
#define CORESIDE_ANALYSIS_LAUNCHFACTS_H

#include "FunctionAttributes.h"
#include "device/LaunchBounds.h"
#include "device/LaunchCheck.h"
#include "device/Occupancy.h"
#include "program/Program.h"
#include "resources/Resources.h"

#include <string>
#include <vector>

namespace coreside {

/// A range that ends below this is said by the source; above, it may be what is
/// left of a type's own, as in (n + 1023) / 1024.
constexpr int64_t typesOwnRange = 1 << 20;

struct LaunchFacts {
  /// Index into Trace::steps.
  unsigned step = 0;
  /// What ptxas said of the kernel on this GPU; null when nothing is known.
  const KernelResources *resources = nullptr;
  /// The launch that takes least and the one that takes most of all that are
  /// still possible; the same when everything is known.
  Grid least;
  Grid most;
  /// Threads, registers, shared memory and preferences are known.
  bool footprintKnown = false;
  /// All of the footprint is known but the registers, of which `least` and
  /// `most` have the ends.
  bool onlyRegistersOpen = false;
  bool gridKnown = false;
  /// The registers are not nvcc's but an estimate: what follows from them is
  /// likely, not certain.
  bool estimated = false;
  /// Blocks in the source's words when they are a formula.
  std::string gridFormula;
  /// What is not known, with the reason: "block size: parameter 'threads'".
  std::vector<std::string> missing;
  /// Bytes of dynamic shared memory last opted in for, where that is known.
  std::optional<uint64_t> optedIn;
  /// The step of the trace that did, or -1.
  int optInStep = -1;
  /// What is known of the kernel's bounds.
  LaunchBounds bounds;
  /// Why the runtime refuses the launch. Such a launch takes no part in pairs.
  std::vector<LaunchProblem> problems;
  /// Why it refuses the largest that the source leaves possible, where that is
  /// not so of all that are.
  std::vector<LaunchProblem> possibleProblems;
  /// Blocks per SM alone, when the footprint is known.
  Occupancy alone;
};

/// The bounds of `kernel`, as far as they are known.
LaunchBounds boundsOf(const Kernel &kernel, ComputeCapability capability);

/// `step` with what `gpu` answers to questions of the host code filled in.
Step stepOn(const Program &program, Step step, const ResourceTable &resources,
            const GPU &gpu);

/// The facts of step `step` of `trace` on `gpu`. `attributes` are those of
/// `program`, which gives the kernels.
LaunchFacts launchFacts(const Program &program, const Trace &trace,
                        unsigned step, const FunctionAttributes &attributes,
                        const ResourceTable &resources, const GPU &gpu);

} // namespace coreside

#endif
