// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host-waits-first: a kernel waits for what the host copies to it, and the
// host waits for the kernel before it makes the copy.
//
//   error: 'serve' hangs: 'cudaDeviceSynchronize' waits for it before
//   'cudaMemcpyAsync' stores what it waits for
//
// Only copies are seen: what host code stores by itself, to managed or
// page-locked memory, is left out.

#include "AwaitedReleases.h"
#include "LaunchView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

bool isLegacyDefault(const Trace &trace, int stream) {
  return stream >= 0 &&
         trace.streams[stream].origin == Stream::Origin::LegacyDefault;
}

/// Whether work on `later`, or a wait for it, comes after all on `stream`.
bool comesAfter(const Trace &trace, int stream, int later) {
  if (stream < 0 || later < 0)
    return false;
  if (stream == later)
    return trace.streams[stream].origin != Stream::Origin::Unknown;
  auto blocks = [&](int one) {
    return trace.streams[one].blocking == Stream::Blocking::Yes;
  };
  return (isLegacyDefault(trace, later) && blocks(stream)) ||
         (isLegacyDefault(trace, stream) && blocks(later));
}

/// Whether the host is certain to wait at `step` for the launch `waiter`.
bool waitsFor(const Trace &trace, const Step &step, const Step &waiter) {
  if (step.device != waiter.device || step.thread != waiter.thread)
    return false;
  // Under the same conditions, or fewer.
  for (const Guard &guard : step.guards)
    if (std::find(waiter.guards.begin(), waiter.guards.end(), guard) ==
        waiter.guards.end())
      return false;
  switch (step.kind) {
  case Step::Kind::DeviceSynchronize:
    return true;
  case Step::Kind::ImplicitSynchronization:
    return step.function == "cudaFree" || step.function == "cudaFreeHost";
  case Step::Kind::StreamSynchronize:
    return step.stream == waiter.stream &&
           comesAfter(trace, waiter.stream, step.stream);
  case Step::Kind::MemoryOperation:
    return step.waits && comesAfter(trace, waiter.stream, step.stream);
  default:
    return false;
  }
}

class Host {
public:
  Host(const Analysis &analysis, unsigned number)
      : A(analysis), T(analysis.program.traces[number]),
        Awaited(awaitedReleases(analysis.program, T)) {}

  void find(std::vector<Finding> &findings) {
    for (unsigned i = 0; i != T.steps.size(); ++i) {
      const Step &step = T.steps[i];
      if (step.kind != Step::Kind::Launch || step.kernel < 0 ||
          step.stream < 0 || step.graph >= 0 || !step.loops.empty())
        continue;
      const std::vector<KernelWait> &waits =
          A.program.kernels[step.kernel].body.waits;
      for (unsigned w = 0; w != waits.size(); ++w)
        if (waits[w].what == KernelWait::For::Others)
          judge(i, w, waits[w], findings);
    }
  }

private:
  const Analysis &A;
  const Trace &T;
  std::vector<AwaitedRelease> Awaited;

  /// Whether `copy` stores to what `wait` of the launch `waiter` is for, and
  /// only copies and kernels do.
  bool stores(const Step &copy, const Step &waiter, const KernelWait &wait) {
    if (copy.kind != Step::Kind::MemoryOperation || copy.target < 0 ||
        copy.function.find("emcpy") == std::string::npos)
      return false;
    const Allocation &target = T.allocations[copy.target];
    if (!target.isOne || (target.kind != Allocation::Kind::Device &&
                          target.kind != Allocation::Kind::Variable))
      return false;
    return std::any_of(
        wait.on.begin(), wait.on.end(), [&](const SharedState &state) {
          if (state.parameter < 0)
            return target.kind == Allocation::Kind::Variable &&
                   target.name == state.variable;
          return allocationsOf(waiter, state) == std::vector<int>{copy.target};
        });
  }

  void judge(unsigned number, unsigned wait, const KernelWait &awaited,
             std::vector<Finding> &findings) {
    // Another kernel may store it.
    if (std::any_of(Awaited.begin(), Awaited.end(),
                    [&](const AwaitedRelease &release) {
                      return release.waiter == number && release.wait == wait;
                    }))
      return;
    const Step &waiter = T.steps[number];
    const Step *first = nullptr;
    for (unsigned i = 0; i != T.steps.size(); ++i) {
      const Step &step = T.steps[i];
      bool isCopy = stores(step, waiter, awaited);
      // It may be there already.
      if (i < number && isCopy)
        return;
      if (i <= number)
        continue;
      if (isCopy) {
        bool itself = !step.waits && comesAfter(T, waiter.stream, step.stream);
        if (!first && (itself || waitsFor(T, step, waiter)))
          first = &step;
        if (first && step.guards == waiter.guards)
          findings.push_back(describe(waiter, awaited, *first, step));
        return;
      }
      // What another thread, or a function of another file, stores is not
      // seen.
      if (step.kind == Step::Kind::Opaque ||
          step.kind == Step::Kind::ThreadStart)
        return;
      if (!first && waitsFor(T, step, waiter))
        first = &step;
    }
  }

  Finding describe(const Step &waiter, const KernelWait &wait, const Step &host,
                   const Step &copy) {
    const std::string &name = A.program.kernels[waiter.kernel].name;
    Finding finding;
    finding.level = Level::Error;
    finding.place = waiter.place;
    finding.message =
        &host == &copy
            ? fmt::format("'{}' hangs: '{}' waits for it before it stores what "
                          "'{}' waits for",
                          name, copy.function, name)
            : fmt::format("'{}' hangs: '{}' waits for it before '{}' stores "
                          "what it waits for",
                          name, host.function, copy.function);
    finding.notes = {
        {wait.place, fmt::format("'{}' waits here until '{}' changes", name,
                                 wait.on.front().name)},
        {host.place, fmt::format("the host, or its stream, waits for '{}' "
                                 "here",
                                 name)},
        {copy.place, "make the copy first, on a stream that does not wait for "
                     "the kernel's"}};
    for (const GPU &gpu : A.gpus) {
      finding.gpus.push_back(gpu.name);
      addFact(finding, gpu, Outcome::Hangs);
    }
    finding.facts.function = T.function;
    finding.facts.launches = {factOf(A.program, T, waiter)};
    return finding;
  }
};

} // namespace

std::vector<Finding> coreside::findHostWaitsFirst(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t)
    Host(analysis, t).find(findings);
  return findings;
}
