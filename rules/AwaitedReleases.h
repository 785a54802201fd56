// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a trace change what another waits for.
//
// In:   waiter<<<1, 32, 0, s>>>(flag); poke<<<1, 32, 0, t>>>(flag);
// Out:  waiter's wait for 'flag' is ended by poke's store.
//
// Memory is the same where both launches are given the same allocation, or
// both kernels name the same variable. What host code may store to is left out:
// it is not known when.

#ifndef CORESIDE_RULES_AWAITEDRELEASES_H
#define CORESIDE_RULES_AWAITEDRELEASES_H

#include "analysis/Analysis.h"

#include <vector>

namespace coreside {

struct AwaitedRelease {
  /// Indices into Trace::steps.
  unsigned waiter = 0;
  unsigned releaser = 0;
  /// Index into KernelBody::waits of the waiter's kernel.
  unsigned wait = 0;
  /// Index into KernelBody::releases of the releaser's.
  unsigned release = 0;
};

/// All of a trace, by waiter.
std::vector<AwaitedRelease> awaitedReleases(const Program &program,
                                            const Trace &trace);

/// The allocations of the trace that `state` of the launch `step` may be;
/// empty where it cannot be told, or where `state` is a variable.
std::vector<int> allocationsOf(const Step &step, const SharedState &state);

} // namespace coreside

#endif
