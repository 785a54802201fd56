// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch as rules look at it, and what every finding about one says: which
// kernel, where, in which function.
//
// In:   an analysis.
// Out:  each launch of each trace, with its facts on each target GPU.

#ifndef CORESIDE_RULES_LAUNCHVIEW_H
#define CORESIDE_RULES_LAUNCHVIEW_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <functional>
#include <string>

namespace coreside {

/// Refers to the analysis, which must outlive it.
struct LaunchView {
  const Analysis &analysis;
  const TraceFacts &traceFacts;
  const Trace &trace;
  /// Index into TraceFacts::launches of a GPU.
  unsigned number = 0;
  const Step &step;

  /// Null where it is not known.
  const Kernel *kernel() const {
    return step.kernel >= 0 ? &analysis.program.kernels[step.kernel] : nullptr;
  }
  /// "'solve'", or "a kernel".
  std::string kernelName() const;
  const LaunchFacts &on(unsigned gpu) const {
    return traceFacts.launches[gpu][number];
  }
};

/// Calls `visit` with every launch of the analysis.
void forEachLaunch(const Analysis &analysis,
                   const std::function<void(const LaunchView &)> &visit);

/// A finding at the launch with its facts and no words yet.
Finding findingAt(const LaunchView &view);

/// What becomes of the finding's launches on `gpu`, appended to its facts.
GPUFact &addFact(Finding &finding, const GPU &gpu, Outcome outcome);

} // namespace coreside

#endif
