// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WaitingPairs.h"

#include "NotesByText.h"
#include "Words.h"
#include "device/SmallestChange.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// How many of the smallest changes a note names.
constexpr size_t mostChanges = 3;

bool waits(const PairOnGPU &pair) {
  return pair.state == PairOnGPU::State::Judged &&
         (pair.verdict.sharing == Sharing::TailOnly ||
          pair.verdict.sharing == Sharing::Never);
}

/// Streams that carry copies around their kernels are there to overlap copies
/// with kernels; that the kernels wait for each other is no defect then.
bool carriesCopies(const Trace &trace, int stream) {
  // Kernels of graphs are on none.
  return stream >= 0 &&
         std::any_of(trace.steps.begin(), trace.steps.end(),
                     [&](const Step &step) {
                       // Not what is allocated and freed in stream order.
                       return step.kind == Step::Kind::MemoryOperation &&
                              !step.waits && step.stream == stream &&
                              step.function.find("emcpy") != std::string::npos;
                     });
}

/// Bytes as "50 KiB" or "1,400 bytes".
std::string size(uint64_t bytes) {
  return bytes % 1024 == 0 && bytes
             ? fmt::format("{} KiB", grouped(bytes / 1024))
             : counted(bytes, "byte");
}

/// One pair on one GPU and the names in it.
struct View {
  const GPU &gpu;
  const PairVerdict &verdict;
  const Grid &first;
  const Grid &second;
  std::string firstName;
  std::string secondName;
  bool secondGridKnown;
};

std::string registerCost(const Architecture &architecture,
                         const Footprint &footprint) {
  BlockCost cost = blockCost(architecture, footprint);
  return fmt::format(
      "{} x {} registers ({} a thread, rounded up to {} a warp)",
      counted(cost.warps, "warp"), grouped(cost.registersPerWarp),
      footprint.registersPerThread, architecture.registerAllocationUnit);
}

/// What of the limiting resource the first holds, what a block of the second
/// needs, and what there is.
std::string arithmetic(const View &view) {
  const PairVerdict &verdict = view.verdict;
  const Architecture &architecture = view.gpu.architecture;
  BlockCost first = blockCost(architecture, view.first.footprint);
  BlockCost second = blockCost(architecture, view.second.footprint);
  // "1 block of 'blur' holds", "4 blocks of 'blur' hold"
  std::string blocks = fmt::format(
      "{} of '{}'", counted(verdict.held.blocks, "block"), view.firstName);
  std::string hold =
      fmt::format("{} hold{}", blocks, verdict.held.blocks == 1 ? "s" : "");
  std::string needs = fmt::format("a block of '{}' needs", view.secondName);
  switch (verdict.limiter) {
  case Limiter::Registers:
  case Limiter::SubPartition: {
    std::string text = fmt::format(
        "a block of '{}' takes {} = {}; {} {} of {} registers of an SM; {} {} "
        "= "
        "{}",
        view.firstName, registerCost(architecture, view.first.footprint),
        grouped(first.registers), hold, grouped(verdict.held.registers),
        grouped(architecture.registersPerSM), needs,
        registerCost(architecture, view.second.footprint),
        grouped(second.registers));
    if (verdict.limiter == Limiter::SubPartition)
      text += fmt::format(
          ", spread over {} sub-partitions of {}, none of which "
          "may overflow",
          architecture.subPartitions,
          grouped(architecture.registersPerSM / architecture.subPartitions));
    return text;
  }
  case Limiter::Warps:
    return fmt::format("{} {} of {} warps of an SM; {} {}", hold,
                       verdict.held.warps, architecture.warpsPerSM, needs,
                       second.warps);
  case Limiter::BlockSlots:
    return fmt::format("{} {} of {} block slots of an SM", hold,
                       verdict.held.blocks, architecture.blocksPerSM);
  case Limiter::SharedMemory:
    return fmt::format(
        "{} {} of {} of shared memory of an SM; {} {}{}", hold,
        size(verdict.held.shared), size(architecture.sharedPerSM), needs,
        size(second.shared),
        architecture.sharedReservedPerBlock
            ? fmt::format(", the system's {} for each block included",
                          size(architecture.sharedReservedPerBlock))
            : "");
  case Limiter::SharedConfiguration:
    return fmt::format("'{}' sets an SM to {} KiB of shared memory and the "
                       "rest to L1, '{}' needs {} KiB; an SM is set anew only "
                       "when it is empty",
                       view.firstName, verdict.configurationKiB,
                       view.secondName, verdict.neededConfigurationKiB);
  case Limiter::Barriers:
    return fmt::format("{} {} of {} barriers of an SM; {} {}", hold,
                       verdict.held.barriers, architecture.barriersPerSM, needs,
                       second.barriers);
  case Limiter::DispatchOrder:
    return fmt::format("a block of '{}' would fit beside {}, but the blocks of "
                       "'{}' that still wait for room go first",
                       view.secondName, blocks, view.firstName);
  case Limiter::None:
  case Limiter::Clusters:
  case Limiter::ResidentGrids:
    break;
  }
  return fmt::format("{} on an SM", blocks);
}

/// "1 block fits", "2 blocks fit".
const char *fitWord(uint64_t blocks) { return blocks == 1 ? "fits" : "fit"; }

/// How many blocks of the second start beside the first. Of how many is said
/// only where the code says it.
std::string fit(const View &view) {
  uint64_t atOnce = view.verdict.secondBlocksAtOnce;
  if (view.secondGridKnown)
    return fmt::format("{} of {} of '{}' {} beside '{}'", grouped(atOnce),
                       counted(view.verdict.secondBlocks, "block"),
                       view.secondName, fitWord(view.verdict.secondBlocks),
                       view.firstName);
  if (!atOnce)
    return fmt::format("no block of '{}' fits beside '{}'", view.secondName,
                       view.firstName);
  return fmt::format("at most {} of '{}' {} beside '{}'",
                     counted(atOnce, "block"), view.secondName, fitWord(atOnce),
                     view.firstName);
}

/// "8 waves on the 132 SMs of h100".
std::string waves(const View &view) {
  return fmt::format("{} on the {} of {}",
                     counted(view.verdict.firstWaves, "wave"),
                     counted(view.gpu.SMs, "SM"), view.gpu.name);
}

std::string describe(const Change &change, const View &view) {
  const std::string &name = change.ofFirst ? view.firstName : view.secondName;
  switch (change.kind) {
  case ChangeKind::Registers:
    return fmt::format("'{}' uses at most {} registers a thread, not {}", name,
                       change.to, change.from);
  case ChangeKind::BlockSize:
    return fmt::format("'{}' has blocks of {} threads, not {}", name, change.to,
                       change.from);
  case ChangeKind::SharedMemory:
    return fmt::format("'{}' uses at most {} of shared memory a block, not {}",
                       name, size(change.to), size(change.from));
  case ChangeKind::GridCap:
    return fmt::format("'{}' has at most {}, not {}", name,
                       counted(change.to, "block"), grouped(change.from));
  case ChangeKind::IssueOrder:
    return fmt::format("'{}' is launched first", view.secondName);
  case ChangeKind::CarveoutPreference:
    return fmt::format("'{}' prefers a shared-memory carveout of {} per cent",
                       name, change.to);
  }
  return "";
}

/// The smallest changes on one GPU; none where nothing helps.
std::vector<std::string> changes(const View &view) {
  std::vector<std::string> ways;
  for (const Change &change :
       smallestChanges(view.gpu, view.first, view.second)) {
    if (ways.size() == mostChanges)
      break;
    const std::string &other = change.kind == ChangeKind::IssueOrder
                                   ? view.firstName
                                   : view.secondName;
    bool atMost =
        change.kind != ChangeKind::IssueOrder && !view.secondGridKnown;
    ways.push_back(
        fmt::format("{} ({}{} of '{}' then {})", describe(change, view),
                    atMost ? "at most " : "",
                    counted(change.result.secondBlocksAtOnce, "block"), other,
                    fitWord(change.result.secondBlocksAtOnce)));
  }
  return ways;
}

Outcome outcomeOf(const PairOnGPU &pair) {
  if (pair.state != PairOnGPU::State::Judged)
    return Outcome::Unknown;
  switch (pair.verdict.sharing) {
  case Sharing::Full:
    return Outcome::Shares;
  case Sharing::Partly:
    return Outcome::SharesPartly;
  case Sharing::TailOnly:
    return Outcome::TailOnly;
  case Sharing::Never:
    return Outcome::Waits;
  }
  return Outcome::Unknown;
}

/// The message, from the facts alone.
std::string word(const FindingFacts &facts, const std::string &firstName,
                 const std::string &secondName) {
  std::vector<std::string> never = facts.gpusThat(Outcome::Waits);
  std::vector<std::string> tailOnly = facts.gpusThat(Outcome::TailOnly);
  std::vector<std::string> limiters;
  for (const GPUFact &fact : facts.onGPU)
    if ((fact.outcome == Outcome::Waits || fact.outcome == Outcome::TailOnly) &&
        std::find(limiters.begin(), limiters.end(), fact.limiter) ==
            limiters.end())
      limiters.push_back(fact.limiter);
  std::string message =
      never.empty()
          ? fmt::format("'{}' can only start in the last wave of '{}' on {}",
                        secondName, firstName, listed(tailOnly))
          : fmt::format("'{}' cannot run beside '{}' on {}", secondName,
                        firstName, listed(never));
  if (!never.empty() && !tailOnly.empty())
    message += fmt::format(", and can only start in its last wave on {}",
                           listed(tailOnly));
  return message + fmt::format(": limited by {}", listed(limiters));
}

} // namespace

std::vector<WaitingPair> coreside::waitingPairs(const Analysis &analysis) {
  std::vector<WaitingPair> result;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    // For each launch that waits, its nearest predecessor.
    std::map<unsigned, WaitingPair> nearest;
    for (unsigned p = 0; p != facts.pairs.size(); ++p) {
      const LaunchPair &pair = facts.timeline.pairs[facts.pairs[p].pair];
      if (pair.relation != LaunchPair::Relation::MayOverlap ||
          trace.steps[pair.first].place == trace.steps[pair.second].place)
        continue;
      WaitingPair waiting{t, p, Sharing::TailOnly};
      bool any = false;
      for (const PairOnGPU &onGPU : facts.pairs[p].onGPU) {
        if (!waits(onGPU))
          continue;
        any = true;
        if (onGPU.verdict.sharing == Sharing::Never)
          waiting.worst = Sharing::Never;
      }
      if (!any)
        continue;
      auto [place, isNew] = nearest.try_emplace(pair.second, waiting);
      if (!isNew &&
          facts.timeline.pairs[facts.pairs[place->second.pair].pair].first <
              pair.first)
        place->second = waiting;
    }
    for (const auto &[second, waiting] : nearest)
      result.push_back(waiting);
  }
  return result;
}

Finding coreside::describeWaiting(const Analysis &analysis,
                                  const WaitingPair &waiting) {
  const TraceFacts &facts = analysis.traces[waiting.trace];
  const Trace &trace = analysis.program.traces[waiting.trace];
  const PairFacts &judged = facts.pairs[waiting.pair];
  const LaunchPair &pair = facts.timeline.pairs[judged.pair];
  const Step &first = trace.steps[pair.first];
  const Step &second = trace.steps[pair.second];
  std::string firstName = analysis.program.kernels[first.kernel].name;
  std::string secondName = analysis.program.kernels[second.kernel].name;
  // Two launches of one kernel are told apart by their lines.
  if (firstName == secondName && first.place.line != second.place.line) {
    firstName += fmt::format(":{}", first.place.line);
    secondName += fmt::format(":{}", second.place.line);
  }

  Finding finding;
  finding.level =
      carriesCopies(trace, first.stream) || carriesCopies(trace, second.stream)
          ? Level::Note
          : Level::Warning;
  finding.place = second.place;

  std::string on =
      first.stream >= 0
          ? fmt::format("on stream '{}'", trace.streams[first.stream].name)
          : fmt::format("in graph '{}'", trace.graphs[first.graph].name);
  std::string assumed;
  for (const std::string &assumption : pair.assumptions)
    assumed += fmt::format(", taking it that {}", assumption);
  finding.notes.push_back(
      {first.place,
       fmt::format("'{}' is launched here {}; nothing orders the two{}",
                   firstName, on, assumed)});

  finding.facts.function = trace.function;
  finding.facts.assumptions = pair.assumptions;
  finding.facts.launches = {factOf(analysis.program, trace, first),
                            factOf(analysis.program, trace, second)};
  std::vector<std::string> firstWaves, estimated;
  NotesByText held, ways, elsewhere, open;
  for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
    const GPU &gpu = analysis.gpus[g];
    const PairOnGPU &onGPU = judged.onGPU[g];
    View view{gpu,
              onGPU.verdict,
              onGPU.first,
              onGPU.second,
              firstName,
              secondName,
              facts.launch(g, pair.second).gridKnown};
    GPUFact &fact = finding.facts.onGPU.emplace_back();
    fact.gpu = gpu.name;
    fact.architecture = smName(gpu.architecture.capability);
    fact.outcome = outcomeOf(onGPU);
    if (!waits(onGPU)) {
      if (onGPU.state == PairOnGPU::State::Judged)
        elsewhere.add("they share, " + fit(view), gpu.name);
      continue;
    }
    finding.gpus.push_back(gpu.name);
    if (facts.launch(g, pair.first).estimated ||
        facts.launch(g, pair.second).estimated)
      estimated.push_back(gpu.name);
    for (const Step *step : {&first, &second})
      if (const LaunchFacts &launch =
              facts.launch(g, step == &first ? pair.first : pair.second);
          launch.onlyRegistersOpen)
        open.add(fmt::format("'{}' is not linked yet; this holds for {} to {} "
                             "registers a thread",
                             analysis.program.kernels[step->kernel].name,
                             launch.least.footprint.registersPerThread,
                             launch.most.footprint.registersPerThread),
                 gpu.name);
    fact.limiter = limiterName(onGPU.verdict.limiter);
    fact.changes = changes(view);
    held.add(fmt::format("{}; {}", arithmetic(view), fit(view)), gpu.name);
    firstWaves.push_back(waves(view));
    if (!fact.changes.empty())
      ways.add(fmt::format("they would share if {}",
                           fmt::join(fact.changes, ", or if ")),
               gpu.name);
  }
  held.addTo(finding, second.place);
  open.addTo(finding, second.place);
  const LaunchFacts &blocker = facts.launch(0, pair.first);
  finding.notes.push_back(
      {first.place,
       fmt::format("the {} take{} {}",
                   blocker.gridKnown
                       ? fmt::format("{} of '{}'",
                                     counted(blocker.most.blocks, "block"),
                                     firstName)
                       : fmt::format("blocks of '{}', {} at most,", firstName,
                                     grouped(blocker.most.blocks)),
                   blocker.gridKnown && blocker.most.blocks == 1 ? "s" : "",
                   listed(firstWaves))});
  ways.addTo(finding, second.place);
  elsewhere.addTo(finding, second.place);
  if (!estimated.empty())
    finding.notes.push_back({second.place, registersAreEstimated(estimated)});
  if (estimated.size() == finding.gpus.size())
    finding.level = Level::Note;
  finding.message = word(finding.facts, firstName, secondName);
  return finding;
}
