// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clusters*.csv: A, plain or of clusters, on the idle GPU, then B in clusters;
// how many blocks of B started beside A?

#include "MeasuredFile.h"
#include "Score.h"
#include "device/Placement.h"

#include "llvm/Support/FormatVariadic.h"

using namespace coreside;

/// Places up to `blocks` blocks; returns how many found room.
static uint64_t fill(Placement &SMs, unsigned number,
                     const PreparedKernel &kernel, uint64_t blocks) {
  uint64_t placed = 0;
  while (placed < blocks) {
    const std::span<const unsigned> chosen = SMs.next(number, kernel);
    if (chosen.empty())
      break;
    for (unsigned SM : chosen)
      SMs.admit(SM, kernel);
    placed += chosen.size();
  }
  return placed;
}

llvm::Expected<std::vector<Score>> coreside::scoreClusters(const GPU &gpu,
                                                           llvm::StringRef path,
                                                           unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score score(wrongKept, "blocks that start");
  for (const MeasuredRow &row : file->rows()) {
    // A cluster of one block has limits of its own that a Footprint, where 1
    // means none, cannot tell.
    if (row.number("cA") == 1 || row.number("cB") == 1)
      continue;
    const auto prepared = [&](char suffix) {
      const auto field = [&](const char *name) {
        return unsigned(row.number((name + llvm::Twine(suffix)).str()));
      };
      Footprint footprint;
      footprint.threadsPerBlock = field("t");
      footprint.registersPerThread = field("r");
      footprint.dynamicShared = field("sm");
      footprint.clusterSize = std::max(1u, field("c"));
      return prepareKernel(gpu.architecture, footprint);
    };
    Placement SMs(gpu);
    fill(SMs, 0, prepared('A'), uint64_t(row.number("gA")));
    const uint64_t said =
        fill(SMs, 1, prepared('B'), uint64_t(row.number("gB")));
    score.count(said == uint64_t(row.number("admitted")), [&] {
      return llvm::formatv("{0}\n    model: {1}", row.line(), said).str();
    });
  }
  return std::vector<Score>{score};
}
