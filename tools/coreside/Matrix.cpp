// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Matrix.h"

#include "checking/ShortPath.h"
#include "device/PairThresholds.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <set>

using namespace coreside;

namespace {

std::string withReason(Outcome outcome, llvm::StringRef reason) {
  std::string text = outcomeName(outcome);
  return reason.empty() ? text : text + ", " + reason.str();
}

std::string cellOf(const LaunchFacts &launch) {
  if (!launch.problems.empty())
    return withReason(Outcome::Fails,
                      launchFaultName(launch.problems.front().fault));
  return launch.footprintKnown ? "runs" : outcomeName(Outcome::Unknown);
}

std::string cellOf(const PairOnGPU &pair, const GPU &gpu,
                   const LaunchFacts &first, const LaunchFacts &second) {
  switch (pair.state) {
  case PairOnGPU::State::Unlaunchable:
    return outcomeName(Outcome::Fails);
  case PairOnGPU::State::Depends:
    // Where only the first grid is open, from how many blocks on.
    if (!first.gridKnown && first.footprintKnown && second.footprintKnown)
      return fmt::format("waits from {} blocks",
                         firstBlocksFromWhichWorse(gpu, first.most, second.most,
                                                   Sharing::Partly));
    return outcomeName(Outcome::Unknown);
  case PairOnGPU::State::Judged:
    break;
  default:
    return outcomeName(Outcome::Unknown);
  }
  std::string limiter = pair.verdict.limiter == Limiter::None
                            ? ""
                            : limiterName(pair.verdict.limiter);
  switch (pair.verdict.sharing) {
  case Sharing::Full:
    return outcomeName(Outcome::Shares);
  case Sharing::Partly:
    return withReason(Outcome::SharesPartly, limiter);
  case Sharing::TailOnly:
    return withReason(Outcome::TailOnly, limiter);
  case Sharing::Never:
    return withReason(Outcome::Waits, limiter);
  }
  return outcomeName(Outcome::Unknown);
}

} // namespace

void Matrix::addGPU(const std::string &name) {
  if (!llvm::is_contained(GPUs, name))
    GPUs.push_back(name);
}

void Matrix::add(const Analysis &analysis,
                 const std::vector<Finding> &findings) {
  for (const GPU &gpu : analysis.gpus)
    addGPU(gpu.name);
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    auto nameOf = [&](const Step &step) {
      return step.kernel < 0 ? "a kernel"
                             : analysis.program.kernels[step.kernel].name;
    };
    for (unsigned l = 0;
         !facts.launches.empty() && l != facts.launches[0].size(); ++l) {
      const Step &step = trace.steps[facts.launches[0][l].step];
      Row row{step.place, nameOf(step), {}};
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        row.cells[analysis.gpus[g].name] = cellOf(facts.launches[g][l]);
      Rows.push_back(std::move(row));
    }
    for (const PairFacts &judged : facts.pairs) {
      const LaunchPair &pair = facts.timeline.pairs[judged.pair];
      const Step &first = trace.steps[pair.first];
      const Step &second = trace.steps[pair.second];
      // Turns of a loop are chunks of one job.
      if (pair.relation != LaunchPair::Relation::MayOverlap ||
          first.place == second.place)
        continue;
      Row row{second.place,
              fmt::format("{} beside {}:{}", nameOf(second), nameOf(first),
                          first.place.line),
              {}};
      for (unsigned g = 0; g != analysis.gpus.size(); ++g)
        row.cells[analysis.gpus[g].name] =
            cellOf(judged.onGPU[g], analysis.gpus[g],
                   facts.launch(g, pair.first), facts.launch(g, pair.second));
      Rows.push_back(std::move(row));
    }
  }
  for (const Finding &finding : findings) {
    if (finding.facts.gpusThat(Outcome::Hangs).empty())
      continue;
    Row row{finding.place, "[" + finding.rule + "]", {}};
    for (const GPUFact &fact : finding.facts.onGPU)
      row.cells[fact.gpu] = withReason(fact.outcome, fact.limiter);
    Rows.push_back(std::move(row));
  }
}

void Matrix::write(llvm::raw_ostream &out) const {
  std::vector<std::vector<std::string>> lines = {{"  launch"}};
  for (const std::string &gpu : GPUs)
    lines.front().push_back(gpu);
  bool anyDiffers = false;
  for (const Row &row : std::set<Row>(Rows.begin(), Rows.end())) {
    std::vector<std::string> line;
    std::set<std::string> verdicts;
    for (const std::string &gpu : GPUs) {
      auto cell = row.cells.find(gpu);
      line.push_back(cell == row.cells.end() ? "-" : cell->second);
      verdicts.insert(line.back());
    }
    bool differs = verdicts.size() > 1;
    anyDiffers |= differs;
    line.insert(line.begin(), fmt::format("{} {}:{} {}", differs ? "*" : " ",
                                          shortPath(row.place.file),
                                          row.place.line, row.what));
    lines.push_back(std::move(line));
  }
  std::vector<size_t> widths(GPUs.size() + 1);
  for (const std::vector<std::string> &line : lines)
    for (size_t i = 0; i != line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  for (const std::vector<std::string> &line : lines) {
    std::string text;
    for (size_t i = 0; i != line.size(); ++i)
      text += fmt::format("{:<{}}", line[i], widths[i] + 2);
    out << llvm::StringRef(text).rtrim() << '\n';
  }
  if (anyDiffers)
    out << "* differs between the GPUs\n";
}
