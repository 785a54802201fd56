// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WaitingPairs.h"

#include "AwaitedReleases.h"
#include "BoundsFix.h"
#include "Intent.h"
#include "NotesByText.h"
#include "PairArithmetic.h"
#include "PairFixes.h"
#include "SizeFixes.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace coreside;

namespace {

bool waits(const PairOnGPU &pair, WaitsFor what) {
  return pair.state == PairOnGPU::State::Judged &&
         (pair.verdict.sharing == Sharing::TailOnly ||
          pair.verdict.sharing == Sharing::Never) &&
         (pair.verdict.limiter == Limiter::SharedConfiguration) ==
             (what == WaitsFor::Configuration);
}

bool waitsAnyhow(const PairOnGPU &pair) {
  return waits(pair, WaitsFor::Room) || waits(pair, WaitsFor::Configuration);
}

/// The pairs of one trace that wait, by their steps.
class TraceOfPairs {
public:
  TraceOfPairs(const Analysis &analysis, unsigned trace, WaitsFor what)
      : A(analysis), Facts(analysis.traces[trace]), T(trace), What(what) {
    for (unsigned p = 0; p != Facts.timeline.pairs.size(); ++p) {
      const LaunchPair &pair = Facts.timeline.pairs[p];
      if (pair.relation == LaunchPair::Relation::Ordered)
        Before[pair.second].push_back(pair.first);
    }
    for (unsigned p = 0; p != Facts.pairs.size(); ++p) {
      const LaunchPair &pair = Facts.timeline.pairs[Facts.pairs[p].pair];
      if (pair.relation == LaunchPair::Relation::MayOverlap)
        Overlapping[{pair.first, pair.second}] = p;
    }
    for (const AwaitedRelease &release :
         awaitedReleases(analysis.program, analysis.program.traces[trace]))
      Awaited.insert(std::minmax(release.waiter, release.releaser));
  }

  std::vector<WaitingPair> nearest() const {
    std::map<unsigned, WaitingPair> found;
    std::map<unsigned, unsigned> firsts;
    for (const auto &[steps, p] : Overlapping) {
      auto [first, second] = steps;
      auto known = firsts.find(second);
      if (known != firsts.end() && known->second > first)
        continue;
      std::optional<WaitingPair> waiting = waitingAt(p, first, second);
      if (!waiting)
        continue;
      firsts[second] = first;
      found[second] = *waiting;
    }
    std::vector<WaitingPair> result;
    // In a loop each of two launches waits for the other one of the turn
    // before; that the second waits for the first says it.
    std::set<std::pair<SourcePlace, SourcePlace>> told;
    for (const auto &[second, waiting] : found) {
      const PairView view(A, T, waiting.pair);
      if (told.count({view.secondPlace, view.firstPlace}))
        continue;
      told.emplace(view.firstPlace, view.secondPlace);
      result.push_back(waiting);
    }
    return result;
  }

private:
  std::optional<WaitingPair> waitingAt(unsigned p, unsigned first,
                                       unsigned second) const {
    WaitingPair waiting{T, p};
    bool any = false;
    for (const PairOnGPU &onGPU : Facts.pairs[p].onGPU) {
      if (!waits(onGPU, What))
        continue;
      any = true;
      if (onGPU.verdict.sharing == Sharing::Never)
        waiting.worst = Sharing::Never;
    }
    // That one waits for the other in its code is for released-too-late.
    if (!any || PairView(A, T, p).isOneLaunch() ||
        Awaited.contains(std::minmax(first, second)))
      return std::nullopt;
    // What is before the first, and does not keep the second from starting,
    // leaves the second time to be there first.
    if (auto before = Before.find(first); before != Before.end())
      for (unsigned earlier : before->second) {
        auto other = Overlapping.find({earlier, second});
        if (other == Overlapping.end())
          continue;
        if (std::ranges::any_of(Facts.pairs[other->second].onGPU, waitsAnyhow))
          return std::nullopt;
        waiting.mayBeLate |= !waitsInEitherOrder(p);
      }
    return waiting;
  }

  bool waitsInEitherOrder(unsigned p) const {
    for (unsigned g = 0; g != A.gpus.size(); ++g)
      if (const PairOnGPU &onGPU = Facts.pairs[p].onGPU[g];
          waits(onGPU, What) &&
          judgePair(A.gpus[g], onGPU.second, onGPU.first).secondBlocksAtOnce)
        return false;
    return true;
  }

  const Analysis &A;
  const TraceFacts &Facts;
  unsigned T;
  WaitsFor What;
  /// Launches of which one waits for the other in its code.
  std::set<std::pair<unsigned, unsigned>> Awaited;
  /// By launch, those it certainly comes after.
  std::map<unsigned, std::vector<unsigned>> Before;
  std::map<std::pair<unsigned, unsigned>, unsigned> Overlapping;
};

/// The message, from the facts alone.
std::string word(const Finding &finding, const PairView &view) {
  std::vector<std::string> never, tailOnly, limiters;
  for (const GPUFact &fact : finding.facts.onGPU) {
    if (std::ranges::find(finding.gpus, fact.gpu) == finding.gpus.end())
      continue;
    (fact.outcome == Outcome::Waits ? never : tailOnly).push_back(fact.gpu);
    if (std::ranges::find(limiters, fact.limiter) == limiters.end())
      limiters.push_back(fact.limiter);
  }
  std::string message =
      never.empty()
          ? fmt::format("'{}' can only start in the last wave of '{}' on {}",
                        view.secondName, view.firstName, listed(tailOnly))
          : fmt::format("'{}' cannot run beside '{}' on {}", view.secondName,
                        view.firstName, listed(never));
  if (!never.empty() && !tailOnly.empty())
    message += fmt::format(", and can only start in its last wave on {}",
                           listed(tailOnly));
  return message + fmt::format(": limited by {}", listed(limiters));
}

/// How many blocks the first has and how many waves they take.
FindingNote wavesNote(const PairView &view,
                      const std::vector<std::string> &firstWaves) {
  const LaunchFacts &blocker = view.firstOn(0);
  return {view.firstPlace,
          fmt::format("the {} take{} {}",
                      blocker.gridKnown
                          ? fmt::format("{} of '{}'",
                                        counted(blocker.most.blocks, "block"),
                                        view.firstName)
                          : fmt::format("blocks of '{}', {} at most,",
                                        view.firstName,
                                        grouped(blocker.most.blocks)),
                      blocker.gridKnown && blocker.most.blocks == 1 ? "s" : "",
                      listed(firstWaves))};
}

/// Below this share of the two kernels' time no one rearranges launches.
constexpr double worthwhile = 0.05;

/// What running side by side would save at most, where the user has said how
/// long the kernels take: the shorter one's time, of that of both.
struct Saving {
  double most;
  double both;
};

std::optional<Saving> savingOf(const PairView &view) {
  auto time = [&](const Step &step) {
    return step.kernel < 0
               ? std::nullopt
               : view.analysis.program.kernels[step.kernel].microseconds;
  };
  const std::optional<double> first = time(view.first);
  const std::optional<double> second = time(view.second);
  if (!first || !second)
    return std::nullopt;
  return Saving{std::min(*first, *second), *first + *second};
}

/// Whether a kernel may do with so many registers: with less than two thirds of
/// its own it mostly spills, which nobody wants written for him.
bool isLittleLess(const Change &change) {
  return change.to * 3 >= change.from * 2;
}

/// Changes that help on every GPU on which the pair waits: of a number, the
/// least that does on all.
class CommonChanges {
public:
  void add(std::vector<Change> changes) {
    if (!Any) {
      Any = true;
      Common = std::move(changes);
      return;
    }
    std::erase_if(Common, [&](Change &change) {
      for (const Change &other : changes)
        if (other.kind == change.kind && other.ofFirst == change.ofFirst) {
          change.to = std::min(change.to, other.to);
          return false;
        }
      return true;
    });
  }

  void addFixes(Finding &finding, const PairView &view) const {
    for (const Change &change : Common)
      if (const Step &step = change.ofFirst ? view.first : view.second;
          change.kind == ChangeKind::Registers && isLittleLess(change))
        addFix(finding,
               boundRegisters(view.analysis, step.kernel, unsigned(change.to)));
      else if (change.kind == ChangeKind::GridCap)
        addFix(finding, capGrid(view.analysis, step, change.to));
      else if (change.kind == ChangeKind::BlockSize)
        addFix(finding, resizeBlock(view.analysis, step, change.to));
      else if (change.kind == ChangeKind::IssueOrder)
        addFix(finding, launchSecondFirst(view));
  }

private:
  bool Any = false;
  std::vector<Change> Common;
};

} // namespace

std::vector<WaitingPair> coreside::waitingPairs(const Analysis &analysis,
                                                WaitsFor what) {
  std::vector<WaitingPair> result;
  for (unsigned t = 0; t != analysis.traces.size(); ++t)
    for (const WaitingPair &waiting : TraceOfPairs(analysis, t, what).nearest())
      result.push_back(waiting);
  return result;
}

Finding coreside::describeWaiting(const Analysis &analysis,
                                  const WaitingPair &waiting, WaitsFor what) {
  const PairView view(analysis, waiting.trace, waiting.pair);
  const Intent intent = intentOf(view);
  Finding finding = findingAt(view);
  finding.level = waiting.mayBeLate ? Level::Note : levelFor(intent);
  finding.notes.push_back(firstLaunchNote(view));

  std::vector<std::string> firstWaves, estimated;
  CommonChanges common;
  std::set<unsigned> carveouts;
  NotesByText held, ways, elsewhere, open;
  for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
    const GPU &gpu = analysis.gpus[g];
    const PairOnGPU &onGPU = view.judged.onGPU[g];
    PairOnOneGPU one{gpu,
                     onGPU.verdict,
                     onGPU.first,
                     onGPU.second,
                     view.firstName,
                     view.secondName,
                     view.secondOn(g).gridKnown};
    GPUFact &fact = addFact(finding, view, g);
    if (!waits(onGPU, what)) {
      if (onGPU.state == PairOnGPU::State::Judged && !waitsAnyhow(onGPU))
        elsewhere.add("they share, " + fit(one), gpu.name);
      continue;
    }
    finding.gpus.push_back(gpu.name);
    if (view.firstOn(g).estimated || view.secondOn(g).estimated)
      estimated.push_back(gpu.name);
    for (const Step *step : {&view.first, &view.second})
      if (const LaunchFacts &launch =
              step == &view.first ? view.firstOn(g) : view.secondOn(g);
          launch.onlyRegistersOpen)
        open.add(fmt::format("'{}' is not linked yet; this holds for {} to {} "
                             "registers a thread",
                             analysis.program.kernels[step->kernel].name,
                             launch.least.footprint.registersPerThread,
                             launch.most.footprint.registersPerThread),
                 gpu.name);
    fact.limiter = limiterName(onGPU.verdict.limiter);
    std::vector<Change> smallest =
        smallestChanges(gpu, onGPU.first, onGPU.second);
    fact.changes = changesInWords(one, smallest);
    common.add(std::move(smallest));
    // There is room: what is in the way goes first.
    if (what == WaitsFor::Configuration)
      if (std::optional<unsigned> percent =
              commonCarveout(gpu, onGPU.first, onGPU.second)) {
        fact.changes.insert(
            fact.changes.begin(),
            fmt::format("both kernels prefer a carveout of {} per cent",
                        *percent));
        carveouts.insert(*percent);
      }
    held.add(fmt::format("{}; {}", arithmetic(one), fit(one)), gpu.name);
    firstWaves.push_back(waves(one));
    if (!fact.changes.empty())
      ways.add(fmt::format("they would share if {}",
                           fmt::join(fact.changes, ", or if ")),
               gpu.name);
  }
  held.addTo(finding, view.secondPlace);
  open.addTo(finding, view.secondPlace);
  finding.notes.push_back(wavesNote(view, firstWaves));
  ways.addTo(finding, view.secondPlace);
  elsewhere.addTo(finding, view.secondPlace);
  addPaths(finding, view);
  if (!estimated.empty())
    finding.notes.push_back(
        {view.secondPlace, registersAreEstimated(estimated)});
  if (estimated.size() == finding.gpus.size())
    finding.level = Level::Note;
  if (waiting.mayBeLate)
    finding.notes.push_back(
        {view.firstPlace,
         fmt::format("only a note: '{}' has to wait for earlier work, and '{}' "
                     "may have started by then",
                     view.firstName, view.secondName)});
  else if (std::string words = intentInWords(intent); !words.empty())
    finding.notes.push_back({view.secondPlace, std::move(words)});
  if (std::optional<Saving> saving = savingOf(view)) {
    finding.notes.push_back(
        {view.secondPlace,
         fmt::format("side by side they would save {:.4g} us at most of {:.4g}",
                     saving->most, saving->both)});
    if (saving->most < worthwhile * saving->both)
      finding.level = Level::Note;
  }
  if (carveouts.size() == 1)
    addFix(finding, setCarveouts(view, *carveouts.begin()));
  // Registers that are not known yet may be others once linked.
  if (estimated.empty())
    common.addFixes(finding, view);
  finding.message = word(finding, view);
  return finding;
}
