// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// occupancy*.csv: what the driver's occupancy calls answered. Lines that begin
// with "cluster" are cudaOccupancyMaxActiveClusters. -1: the call failed.

#include "MeasuredFile.h"
#include "Score.h"
#include "device/ClusterOccupancy.h"
#include "device/Occupancy.h"

#include "llvm/Support/FormatVariadic.h"

using namespace coreside;

llvm::Expected<std::vector<Score>>
coreside::scoreOccupancy(const GPU &gpu, llvm::StringRef path,
                         unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score blocks(wrongKept, "blocks per SM"), clusters(wrongKept, "clusters");
  for (const MeasuredRow &row : file->rows()) {
    if (row.line().starts_with("cluster")) {
      llvm::SmallVector<llvm::StringRef, 6> fields;
      row.line().split(fields, ',');
      unsigned numbers[4] = {};
      int64_t answer = 0;
      bool complete =
          fields.size() == 6 && !fields[5].trim().getAsInteger(10, answer);
      for (unsigned i = 0; complete && i < 4; ++i)
        complete = !fields[i + 1].getAsInteger(10, numbers[i]);
      if (!complete)
        return llvm::createStringError("%s: '%s' is not cluster,size,regs,"
                                       "threads,smem,clusters",
                                       path.str().c_str(),
                                       row.line().str().c_str());
      Footprint footprint;
      footprint.clusterSize = numbers[0];
      footprint.registersPerThread = numbers[1];
      footprint.threadsPerBlock = numbers[2];
      footprint.dynamicShared = numbers[3];
      const uint64_t said = clusterOccupancy(gpu, footprint).clusters;
      clusters.count(int64_t(said) == std::max<int64_t>(answer, 0), [&] {
        return llvm::formatv("{0}\n    model: {1}", row.line(), said).str();
      });
      continue;
    }
    Footprint footprint;
    footprint.registersPerThread = unsigned(row.number("regs"));
    footprint.threadsPerBlock = unsigned(row.number("threads"));
    footprint.dynamicShared = unsigned(row.number("smem"));
    footprint.staticShared = unsigned(row.number("static_smem"));
    footprint.carveoutPercent = int(row.number("cv", -1));
    footprint.barriers = unsigned(row.number("barriers", 1));
    const Occupancy said = occupancy(gpu.architecture, footprint);
    blocks.count(
        int64_t(said.blocksPerSM) == std::max<int64_t>(row.number("blocks"), 0),
        [&] {
          return llvm::formatv("{0}\n    model: {1}, limiter {2}", row.line(),
                               said.blocksPerSM, limiterName(said.limiter))
              .str();
        });
  }
  std::vector<Score> scores;
  for (Score *score : {&blocks, &clusters})
    if (score->rows != 0)
      scores.push_back(*score);
  return scores;
}
