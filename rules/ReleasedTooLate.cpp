// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// released-too-late: a kernel waits for what another kernel stores, and that
// one cannot start while the first is on the GPU.
//
//   error: 'consumer' hangs on l4: it waits for what 'producer' stores, and no
//   block of 'producer' fits beside it
//
// Where one launch that can run in time stores to the same memory, there is
// nothing to say.

#include "AwaitedReleases.h"
#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"
#include "device/GroupVerdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace coreside;

namespace {

/// Why a releaser does not come in time, the surest first.
enum class Cause {
  /// It starts when the waiter is done.
  After,
  /// It finds no room beside the waiter.
  NoRoom,
  /// Each waits for the other and not all blocks of both are there at once.
  Mutual,
  /// It stands behind another launch that starts when the waiter is done.
  Queue,
  /// Its code is loaded for its first launch, which waits for the waiter.
  Lazy,
  /// It prints or allocates, for which its first launch waits
  /// (device_runtime.csv).
  SetUp,
  /// It does, or that is not known.
  None,
};

/// The awaited releases of one trace and what is known of its pairs.
class Judge {
public:
  Judge(const Analysis &analysis, unsigned number)
      : A(analysis), Facts(analysis.traces[number]),
        T(analysis.program.traces[number]),
        Awaited(awaitedReleases(analysis.program, T)) {
    for (unsigned p = 0; p != Facts.timeline.pairs.size(); ++p) {
      const LaunchPair &pair = Facts.timeline.pairs[p];
      Pairs[{pair.first, pair.second}] = p;
    }
    for (unsigned j = 0; j != Facts.pairs.size(); ++j)
      Judged[Facts.pairs[j].pair] = j;
  }

  std::vector<Finding> findings() {
    std::vector<Finding> result;
    for (auto begin = Awaited.begin(); begin != Awaited.end();) {
      auto end =
          std::find_if(begin, Awaited.end(), [&](const AwaitedRelease &other) {
            return other.waiter != begin->waiter || other.wait != begin->wait;
          });
      if (std::optional<Finding> finding = judge({begin, end}))
        result.push_back(std::move(*finding));
      begin = end;
    }
    return result;
  }

private:
  struct Verdict {
    Cause cause = Cause::None;
    const LaunchPair *pair = nullptr;
    std::vector<std::string> gpus;
    std::vector<std::string> estimated;
    std::vector<GPUFact> onGPU;
    NotesByText notes;
  };

  const Analysis &A;
  const TraceFacts &Facts;
  const Trace &T;
  std::vector<AwaitedRelease> Awaited;
  std::map<std::pair<unsigned, unsigned>, unsigned> Pairs;
  std::map<unsigned, unsigned> Judged;
  /// Launches in host order and GPUs that a finding was made for.
  std::set<std::tuple<unsigned, unsigned, unsigned>> Told;

  const Kernel &kernel(unsigned step) const {
    return A.program.kernels[T.steps[step].kernel];
  }
  const std::string &name(unsigned step) const { return kernel(step).name; }

  /// The releases that may end one wait: the worst, unless one is in time.
  std::optional<Finding> judge(std::span<const AwaitedRelease> releases) {
    Verdict worst;
    const AwaitedRelease *of = nullptr;
    for (const AwaitedRelease &release : releases) {
      Verdict verdict = judge(release);
      if (verdict.cause == Cause::None)
        return std::nullopt;
      if (verdict.cause < worst.cause) {
        worst = std::move(verdict);
        of = &release;
      }
    }
    if (!of)
      return std::nullopt;
    for (unsigned g = 0; g != A.gpus.size(); ++g)
      if (std::find(worst.gpus.begin(), worst.gpus.end(), A.gpus[g].name) !=
          worst.gpus.end())
        Told.insert({worst.pair->first, worst.pair->second, g});
    return describe(*of, worst);
  }

  Verdict judge(const AwaitedRelease &release) {
    Verdict verdict;
    auto before = Pairs.find({release.waiter, release.releaser});
    auto after = Pairs.find({release.releaser, release.waiter});
    bool waiterFirst = before != Pairs.end();
    if (!waiterFirst && after == Pairs.end())
      return verdict;
    unsigned number = waiterFirst ? before->second : after->second;
    const LaunchPair &pair = Facts.timeline.pairs[number];
    verdict.pair = &pair;
    if (pair.relation == LaunchPair::Relation::Ordered) {
      // In a loop, the turn before may have stored it already.
      if (waiterFirst && T.steps[release.waiter].loops.empty() &&
          !mayBeSet(release)) {
        verdict.cause = Cause::After;
        for (const GPU &gpu : A.gpus)
          hangs(verdict, gpu, "");
      }
      return verdict;
    }
    if (pair.relation != LaunchPair::Relation::MayOverlap)
      return verdict;
    auto judged = Judged.find(number);
    if (judged == Judged.end())
      return verdict;
    if (waiterFirst)
      findRoom(release, Facts.pairs[judged->second], verdict);
    if (verdict.cause == Cause::None && isMutual(release))
      findTogether(pair, verdict);
    if (verdict.cause != Cause::None || !waiterFirst)
      return verdict;
    if (pair.queuedBehind >= 0)
      verdict.cause = Cause::Queue;
    else if (pair.firstUse)
      verdict.cause = Cause::Lazy;
    else if (needsSetUp(release.releaser))
      verdict.cause = Cause::SetUp;
    if (verdict.cause != Cause::None)
      for (const GPU &gpu : A.gpus)
        hangs(verdict, gpu, "");
    return verdict;
  }

  void hangs(Verdict &verdict, const GPU &gpu, std::string limiter) {
    verdict.gpus.push_back(gpu.name);
    verdict.onGPU.push_back({gpu.name,
                             smName(gpu.architecture.capability),
                             Outcome::Hangs,
                             std::move(limiter),
                             std::nullopt,
                             {}});
  }

  bool needsSetUp(unsigned releaser) const {
    const KernelBody &body = kernel(releaser).body;
    if (!body.prints && !body.heap)
      return false;
    for (unsigned i = 0; i != releaser; ++i)
      if (T.steps[i].kind == Step::Kind::Launch &&
          T.steps[i].kernel == T.steps[releaser].kernel)
        return false;
    return true;
  }

  /// Whether what is waited for was made elsewhere and may be set already.
  bool isFromElsewhere(const AwaitedRelease &release) const {
    const Step &waiter = T.steps[release.waiter];
    for (const SharedState &state :
         kernel(release.waiter).body.waits[release.wait].on)
      for (int allocation : allocationsOf(waiter, state))
        if (T.allocations[allocation].kind == Allocation::Kind::External)
          return true;
    return false;
  }

  /// Whether a copy before the launch may have stored what is waited for. A
  /// set, mostly to 0, is how such memory begins.
  bool mayBeSet(const AwaitedRelease &release) const {
    const Step &waiter = T.steps[release.waiter];
    const KernelWait &wait = kernel(release.waiter).body.waits[release.wait];
    for (unsigned i = 0; i != release.waiter; ++i) {
      const Step &step = T.steps[i];
      if (step.kind != Step::Kind::MemoryOperation ||
          step.function.find("emset") != std::string::npos || step.target < 0)
        continue;
      const Allocation &target = T.allocations[step.target];
      for (const SharedState &state : wait.on) {
        std::vector<int> own = allocationsOf(waiter, state);
        if (std::find(own.begin(), own.end(), step.target) != own.end() ||
            (state.parameter < 0 && target.name == state.variable))
          return true;
      }
    }
    return false;
  }

  /// The waiter is there; does a block of the releaser start beside it?
  void findRoom(const AwaitedRelease &release, const PairFacts &judged,
                Verdict &verdict) {
    const KernelWait &wait = kernel(release.waiter).body.waits[release.wait];
    for (unsigned g = 0; g != A.gpus.size(); ++g) {
      const PairOnGPU &onGPU = judged.onGPU[g];
      const LaunchFacts &waiter = Facts.launch(g, release.waiter);
      if (onGPU.state != PairOnGPU::State::Judged ||
          (!wait.inEveryBlock && waiter.most.blocks > 1) ||
          (onGPU.verdict.sharing != Sharing::Never &&
           onGPU.verdict.sharing != Sharing::TailOnly))
        continue;
      verdict.cause = Cause::NoRoom;
      hangs(verdict, A.gpus[g], limiterName(onGPU.verdict.limiter));
      if (waiter.estimated || Facts.launch(g, release.releaser).estimated)
        verdict.estimated.push_back(A.gpus[g].name);
      verdict.notes.add(
          fmt::format("the waiting blocks of '{}' stay; no block of '{}' "
                      "starts beside them: limited by {}",
                      name(release.waiter), name(release.releaser),
                      limiterName(onGPU.verdict.limiter)),
          A.gpus[g].name);
    }
  }

  bool isMutual(const AwaitedRelease &release) const {
    return std::any_of(Awaited.begin(), Awaited.end(),
                       [&](const AwaitedRelease &other) {
                         return other.waiter == release.releaser &&
                                other.releaser == release.waiter;
                       });
  }

  /// What is on the stream of `step` before it may keep it back, so that the
  /// other launch is placed first.
  bool mayStartLater(unsigned step) const {
    int stream = T.steps[step].stream;
    if (stream < 0)
      return true;
    for (unsigned i = 0; i != step; ++i)
      if (T.steps[i].stream == stream &&
          (T.steps[i].kind == Step::Kind::StreamWait ||
           T.steps[i].kind == Step::Kind::Launch ||
           T.steps[i].kind == Step::Kind::MemoryOperation))
        return true;
    return false;
  }

  void findTogether(const LaunchPair &pair, Verdict &verdict) {
    for (unsigned g = 0; g != A.gpus.size(); ++g) {
      // Said already, of the other one's wait.
      if (Told.contains({pair.first, pair.second, g}))
        continue;
      const LaunchFacts &first = Facts.launch(g, pair.first);
      const LaunchFacts &second = Facts.launch(g, pair.second);
      if (!first.footprintKnown || !second.footprintKnown || !first.gridKnown ||
          !second.gridKnown || !first.problems.empty() ||
          !second.problems.empty())
        continue;
      const GPU &gpu = A.gpus[g];
      for (bool swapped : {false, true}) {
        if (swapped && !mayStartLater(pair.first))
          break;
        Grid grids[] = {swapped ? second.most : first.most,
                        swapped ? first.most : second.most};
        GroupVerdict group = judgeGroup(gpu, grids);
        if (group.allTogether)
          continue;
        verdict.cause = Cause::Mutual;
        const GroupMember &out =
            group.members[0].blocksAtOnce < group.members[0].blocks
                ? group.members[0]
                : group.members[1];
        unsigned placedFirst = swapped ? pair.second : pair.first;
        unsigned left = &out == &group.members[0] ? placedFirst
                        : swapped                 ? pair.first
                                                  : pair.second;
        hangs(verdict, gpu, limiterName(out.limiter));
        if (first.estimated || second.estimated)
          verdict.estimated.push_back(gpu.name);
        verdict.notes.add(
            fmt::format("with '{}' placed first, {} of {} of '{}' run beside "
                        "it: limited by {}",
                        name(placedFirst), grouped(out.blocksAtOnce),
                        counted(out.blocks, "block"), name(left),
                        limiterName(out.limiter)),
            gpu.name);
        break;
      }
    }
  }

  Finding describe(const AwaitedRelease &release, Verdict &verdict) {
    const Step &waiter = T.steps[release.waiter];
    const Step &releaser = T.steps[release.releaser];
    const KernelWait &wait = kernel(release.waiter).body.waits[release.wait];
    const KernelRelease &store =
        kernel(release.releaser).body.releases[release.release];
    const std::string &who = name(release.waiter);
    const std::string &whom = name(release.releaser);
    Finding finding;
    finding.level = !verdict.estimated.empty() &&
                            verdict.estimated.size() == verdict.gpus.size()
                        ? Level::Note
                        : Level::Error;
    finding.place = waiter.place;
    finding.gpus = verdict.gpus;
    std::string awaits =
        fmt::format("it waits for what '{}' stores, and", whom);
    switch (verdict.cause) {
    case Cause::After:
      if (isFromElsewhere(release))
        finding.level = Level::Warning;
      finding.message =
          fmt::format("'{}' {}: {} '{}' starts only when it is done", who,
                      finding.level == Level::Error
                          ? "hangs"
                          : "hangs unless its wait is over from the start",
                      awaits, whom);
      break;
    case Cause::NoRoom:
      finding.message =
          fmt::format("'{}' hangs on {}: {} no block of '{}' fits beside it",
                      who, listed(verdict.gpus), awaits, whom);
      break;
    case Cause::Mutual:
      finding.message =
          fmt::format("'{}' and '{}' can hang on {}: they wait for each other "
                      "and not all of their blocks run at once",
                      who, whom, listed(verdict.gpus));
      break;
    case Cause::Queue:
      finding.message = fmt::format(
          "'{}' can hang: {} '{}' stands behind '{}' in a hardware queue, "
          "which comes after '{}'",
          who, awaits, whom, name(verdict.pair->queuedBehind), who);
      break;
    case Cause::Lazy:
      finding.message =
          fmt::format("'{}' can hang: {} loading '{}' for its first launch "
                      "waits for '{}'",
                      who, awaits, whom, who);
      break;
    case Cause::SetUp:
      finding.message = fmt::format(
          "'{}' can hang: {} the first launch of '{}', which prints or "
          "allocates, waits for '{}'",
          who, awaits, whom, who);
      break;
    case Cause::None:
      break;
    }
    finding.notes.push_back(
        {wait.place, fmt::format("'{}' waits here until '{}' changes", who,
                                 wait.on.front().name)});
    finding.notes.push_back(
        {store.place, fmt::format("'{}' stores to it here", whom)});
    std::string why;
    if (verdict.cause == Cause::After && !verdict.pair->why.empty())
      why = ": " + verdict.pair->why;
    finding.notes.push_back(
        {releaser.place, fmt::format("'{}' is launched here{}", whom, why)});
    verdict.notes.addTo(finding, waiter.place);
    if (!verdict.estimated.empty())
      finding.notes.push_back(
          {waiter.place, registersAreEstimated(verdict.estimated)});
    if (verdict.cause == Cause::Lazy)
      finding.notes.push_back(
          {releaser.place,
           fmt::format("a launch of '{}' before, cudaFuncGetAttributes, or "
                       "CUDA_MODULE_LOADING=EAGER loads it in time",
                       whom)});
    else
      finding.notes.push_back(
          {waiter.place, "two roles in one cooperative launch are sure to run "
                         "together, two launches are not"});
    finding.facts.function = T.function;
    finding.facts.launches = {factOf(A.program, T, waiter),
                              factOf(A.program, T, releaser)};
    finding.facts.onGPU = std::move(verdict.onGPU);
    finding.facts.assumptions = verdict.pair->assumptions;
    return finding;
  }
};

} // namespace

std::vector<Finding> coreside::findReleasedTooLate(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t)
    for (Finding &finding : Judge(analysis, t).findings())
      findings.push_back(std::move(finding));
  return findings;
}
