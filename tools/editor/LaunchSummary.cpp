// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSummary.h"

#include "device/Waves.h"
#include "rules/Words.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

/// How bad a verdict is, for choosing the worst.
static int badness(const PartnerOnGPU &partner) {
  if (partner.state == PairOnGPU::State::Judged)
    return 2 + int(partner.sharing);
  return partner.state == PairOnGPU::State::Unlaunchable ? 0 : 1;
}

static std::string shapeOf(const LaunchFacts &facts) {
  std::string blocks = facts.gridKnown ? counted(facts.most.blocks, "block")
                       : facts.gridFormula.empty()
                           ? std::string("an unknown number of blocks")
                           : fmt::format("{} blocks", facts.gridFormula);
  unsigned threads = facts.most.footprint.threadsPerBlock;
  if (facts.least.footprint.threadsPerBlock != threads)
    return blocks;
  return fmt::format("{} of {}", blocks, counted(threads, "thread"));
}

namespace {

class Summaries {
public:
  Summaries(const Analysis &analysis, const std::string &file)
      : A(analysis), File(file) {}

  std::vector<LaunchSummary> collect() {
    for (const TraceFacts &trace : A.traces) {
      for (unsigned g = 0; g != A.gpus.size(); ++g)
        for (const LaunchFacts &facts : trace.launches[g])
          add(trace, facts, g);
      for (const PairFacts &pair : trace.pairs)
        add(trace, pair);
    }
    std::vector<LaunchSummary> result;
    for (auto &[place, summary] : ByPlace)
      result.push_back(std::move(summary));
    return result;
  }

private:
  const Step &stepOf(const TraceFacts &trace, unsigned step) const {
    return A.program.traces[trace.timeline.trace].steps[step];
  }

  void add(const TraceFacts &trace, const LaunchFacts &facts, unsigned g) {
    const Step &step = stepOf(trace, facts.step);
    if (step.place.file != File)
      return;
    LaunchSummary &summary = ByPlace[step.place];
    if (summary.onGPU.empty()) {
      summary.place = step.place;
      summary.kernel = step.kernel;
      if (step.kernel >= 0)
        summary.kernelName = A.program.kernels[step.kernel].name;
      if (step.stream >= 0)
        summary.stream =
            A.program.traces[trace.timeline.trace].streams[step.stream].name;
      if (step.text >= 0)
        summary.text = &A.program.stepTexts[step.text];
      summary.shape = shapeOf(facts);
      for (const GPU &gpu : A.gpus)
        summary.onGPU.emplace_back().gpu = gpu.name;
    }
    LaunchNumbersOnGPU &on = summary.onGPU[g];
    if (facts.resources) {
      on.registers = facts.resources->registers;
      on.staticShared = facts.resources->staticShared;
      on.estimated = facts.estimated;
    }
    if (!facts.problems.empty())
      on.fault = launchFaultName(facts.problems.front().fault);
    if (!facts.footprintKnown) {
      if (!facts.missing.empty() && on.missing.empty())
        on.missing = facts.missing.front();
      return;
    }
    if (!on.blocksPerSM || facts.alone.blocksPerSM < *on.blocksPerSM.low)
      on.limiter = facts.alone.limiter;
    on.blocksPerSM.add(facts.alone.blocksPerSM);
    on.dynamicShared.add(facts.most.footprint.dynamicShared);
    if (facts.gridKnown)
      if (uint64_t wave = waves(A.gpus[g], facts.most).blocksPerWave)
        on.waves.add(double(facts.most.blocks) / wave);
  }

  void add(const TraceFacts &trace, const PairFacts &pair) {
    const LaunchPair &launches = trace.timeline.pairs[pair.pair];
    if (launches.relation != LaunchPair::Relation::MayOverlap)
      return;
    const Step &first = stepOf(trace, launches.first);
    const Step &second = stepOf(trace, launches.second);
    add(second, first, /*isFirst=*/true, pair);
    add(first, second, /*isFirst=*/false, pair);
  }

  void add(const Step &of, const Step &other, bool isFirst,
           const PairFacts &pair) {
    auto summary = ByPlace.find(of.place);
    if (summary == ByPlace.end())
      return;
    std::vector<LaunchPartner> &partners = summary->second.partners;
    auto partner = llvm::find_if(partners, [&](const LaunchPartner &one) {
      return one.place == other.place && one.isFirst == isFirst;
    });
    if (partner == partners.end()) {
      partners.emplace_back();
      partner = std::prev(partners.end());
      if (other.kernel >= 0)
        partner->kernel = A.program.kernels[other.kernel].name;
      partner->place = other.place;
      partner->isFirst = isFirst;
      partner->onGPU.resize(A.gpus.size());
    }
    for (unsigned g = 0; g != A.gpus.size(); ++g) {
      const PairOnGPU &judged = pair.onGPU[g];
      PartnerOnGPU on;
      on.gpu = A.gpus[g].name;
      on.state = judged.state;
      on.sharing = judged.verdict.sharing;
      on.limiter = judged.verdict.limiter;
      on.why = judged.why;
      if (partner->onGPU[g].gpu.empty() ||
          badness(on) > badness(partner->onGPU[g]))
        partner->onGPU[g] = std::move(on);
    }
  }

  const Analysis &A;
  const std::string &File;
  std::map<SourcePlace, LaunchSummary> ByPlace;
};

} // namespace

std::vector<LaunchSummary> coreside::launchesIn(const Analysis &analysis,
                                                const std::string &file) {
  return Summaries(analysis, file).collect();
}

std::pair<unsigned, unsigned>
coreside::endOfConfiguration(const StepText &text) {
  const SourceSpan &call = text.call;
  llvm::StringRef words = call.text;
  size_t open = words.find("<<<");
  if (open == llvm::StringRef::npos)
    return {call.endLine, call.endColumn};
  // Arguments come behind; one may hold a shift or a template, but not three
  // of these and a parenthesis.
  size_t close = words.find(">>>", open);
  for (size_t next = close; next != llvm::StringRef::npos;
       next = words.find(">>>", next + 1))
    if (words.drop_front(next + 3).ltrim().starts_with("(")) {
      close = next;
      break;
    }
  if (close == llvm::StringRef::npos)
    return {call.endLine, call.endColumn};
  llvm::StringRef before = words.take_front(close + 3);
  size_t newLines = before.count('\n');
  unsigned column = newLines ? before.size() - before.rfind('\n')
                             : call.column + before.size();
  return {call.line + unsigned(newLines), column};
}
