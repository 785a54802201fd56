// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AwaitedReleases.h"

#include <algorithm>

using namespace coreside;

std::vector<int> coreside::allocationsOf(const Step &step,
                                         const SharedState &state) {
  std::vector<int> result;
  if (state.parameter < 0)
    return result;
  for (const KernelArgument &argument : step.arguments) {
    if (argument.parameter != state.parameter)
      continue;
    if (argument.allocation < 0)
      return {};
    result.push_back(argument.allocation);
  }
  return result;
}

namespace {

/// Only the device stores to it, as far as can be seen.
bool isOfDevice(const Allocation &allocation) {
  return allocation.isOne && allocation.kind != Allocation::Kind::Pinned &&
         allocation.kind != Allocation::Kind::Host;
}

bool overlap(const std::string &a, const std::string &b) {
  return a.starts_with(b) || b.starts_with(a);
}

bool isSame(const Trace &trace, const Step &waiter, const SharedState &awaited,
            const Step &releaser, const SharedState &released) {
  if (!overlap(awaited.members, released.members))
    return false;
  if (awaited.parameter < 0 || released.parameter < 0)
    return awaited.parameter < 0 && released.parameter < 0 &&
           awaited.variable == released.variable;
  std::vector<int> first = allocationsOf(waiter, awaited);
  std::vector<int> second = allocationsOf(releaser, released);
  if (first.empty() || second.empty())
    return false;
  // Of a structure's pointers it is not known which is which, but one and the
  // same structure has the same ones.
  if (first == second && first.size() > 1)
    return awaited.pointer == released.pointer &&
           std::all_of(first.begin(), first.end(), [&](int allocation) {
             return isOfDevice(trace.allocations[allocation]);
           });
  return first.size() == 1 && first == second &&
         isOfDevice(trace.allocations[first.front()]);
}

} // namespace

std::vector<AwaitedRelease> coreside::awaitedReleases(const Program &program,
                                                      const Trace &trace) {
  std::vector<AwaitedRelease> result;
  std::vector<unsigned> waiters, releasers;
  for (unsigned i = 0; i != trace.steps.size(); ++i) {
    const Step &step = trace.steps[i];
    if (step.kind != Step::Kind::Launch || step.kernel < 0)
      continue;
    const KernelBody &body = program.kernels[step.kernel].body;
    if (std::any_of(body.waits.begin(), body.waits.end(),
                    [](const KernelWait &wait) {
                      return wait.what == KernelWait::For::Others;
                    }))
      waiters.push_back(i);
    if (!body.releases.empty())
      releasers.push_back(i);
  }
  for (unsigned w : waiters) {
    const Step &waiter = trace.steps[w];
    const std::vector<KernelWait> &waits =
        program.kernels[waiter.kernel].body.waits;
    for (unsigned n = 0; n != waits.size(); ++n) {
      if (waits[n].what != KernelWait::For::Others)
        continue;
      for (unsigned r : releasers) {
        const Step &releaser = trace.steps[r];
        if (releaser.kernel == waiter.kernel)
          continue;
        const std::vector<KernelRelease> &releases =
            program.kernels[releaser.kernel].body.releases;
        for (unsigned m = 0; m != releases.size(); ++m)
          if (std::any_of(waits[n].on.begin(), waits[n].on.end(),
                          [&](const SharedState &awaited) {
                            return isSame(trace, waiter, awaited, releaser,
                                          releases[m].state);
                          })) {
            result.push_back({w, r, n, m});
            break;
          }
      }
    }
  }
  return result;
}
