// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pairs*.csv: two kernels on two non-blocking streams, and when they ran.

#include "MeasuredFile.h"
#include "Score.h"
#include "device/Outcomes.h"
#include "device/PairVerdict.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace coreside;

namespace {

DeviceKernel kernelOf(const MeasuredRow &row, char suffix, unsigned stream) {
  const auto field = [&](const char *name, int64_t missing = 0) {
    return row.number((name + llvm::Twine(suffix)).str(), missing);
  };
  DeviceKernel kernel;
  kernel.name = std::string(1, suffix);
  kernel.grid.footprint.threadsPerBlock = unsigned(field("t"));
  kernel.grid.footprint.registersPerThread = unsigned(field("r"));
  kernel.grid.footprint.dynamicShared = unsigned(field("sm"));
  kernel.grid.footprint.carveoutPercent = int(field("cv", -1));
  kernel.grid.blocks = uint64_t(field("g"));
  kernel.blockNanoseconds = uint64_t(field("ns"));
  kernel.stream = stream;
  return kernel;
}

} // namespace

llvm::Expected<std::vector<Score>>
coreside::scorePairs(const GPU &gpu, llvm::StringRef path, unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score verdicts(wrongKept, "first wave, verdict");
  Score starts(wrongKept, "first wave, simulated");
  Score tails(wrongKept, "tail or never, verdict", 99);
  Score shared(wrongKept, "SMs that hold both, verdict", 99);
  Score makespans(wrongKept, "makespan within 5 %", 99);
  for (const MeasuredRow &row : file->rows()) {
    DeviceProgram program;
    program.streams.resize(2);
    program.kernels = {kernelOf(row, 'A', 0), kernelOf(row, 'B', 1)};
    if (const std::string problem = checkProgram(gpu, program);
        !problem.empty())
      return llvm::createStringError("%s: %s", path.str().c_str(),
                                     problem.c_str());
    const int64_t secondStart = row.number("dt_B_first");
    const int64_t firstEnd = row.number("A_first_end");
    const int64_t lastEnd = row.number("A_last_end");
    const int64_t span = std::max(lastEnd, row.number("B_last_end")) -
                         std::min<int64_t>(0, secondStart);
    const bool inFirstWave = secondStart < firstEnd;

    const PairVerdict verdict =
        judgePair(gpu, program.kernels[0].grid, program.kernels[1].grid);
    const bool saidFirstWave =
        verdict.sharing == Sharing::Full || verdict.sharing == Sharing::Partly;
    verdicts.count(inFirstWave == saidFirstWave, [&] {
      return llvm::formatv("{0}\n    model: {1}, limiter {2}", row.line(),
                           sharingName(verdict.sharing),
                           limiterName(verdict.limiter))
          .str();
    });
    const Outcomes outcomes = playAll(gpu, program);
    bool startRight = false;
    double nearest = INFINITY;
    for (const Schedule &schedule : outcomes.schedules) {
      startRight |= inFirstWave == (schedule.kernels[1].firstStart <
                                    schedule.kernels[0].firstEnd);
      if (std::abs(schedule.makespan - double(span)) <
          std::abs(nearest - double(span)))
        nearest = schedule.makespan;
    }
    const auto played = [&] {
      const KernelTimes &a = outcomes.schedules[0].kernels[0];
      const KernelTimes &b = outcomes.schedules[0].kernels[1];
      return llvm::formatv(
                 "{0}\n    model: A {1:f0} .. {2:f0}, B {3:f0} .. "
                 "{4:f0}, {5} SMs shared; makespan {6:f0} against {7}",
                 row.line(), a.firstStart, a.lastEnd, b.firstStart, b.lastEnd,
                 outcomes.schedules[0].pairs[0].SMsShared, nearest, span)
          .str();
    };
    starts.count(startRight, played);
    makespans.count(std::abs(nearest - double(span)) <= 0.05 * double(span),
                    played);
    // Where all of the second starts at once, and beside the first's first
    // wave, the number of SMs with both is certain.
    const int64_t secondLast = row.number("B_last_start", -1);
    if (file->has("sms_both_simul") && secondLast >= 0 &&
        secondLast < firstEnd && secondLast < secondStart + row.number("nsB"))
      shared.count(row.number("sms_both_simul") == verdict.SMsShared, [&] {
        return llvm::formatv("{0}\n    model: {1}", row.line(),
                             verdict.SMsShared)
            .str();
      });
    // Whether the second meets the first's end or more; a touch is either.
    const int64_t together = lastEnd - secondStart;
    const int64_t touch = std::max<int64_t>(30000, lastEnd / 20);
    if (!inFirstWave)
      tails.count(
          std::abs(together) <= touch ||
              (verdict.sharing == Sharing::TailOnly) == (together > touch),
          [&] {
            return llvm::formatv("{0}\n    model: {1}, starts at {2:f2}",
                                 row.line(), sharingName(verdict.sharing),
                                 verdict.secondStart)
                .str();
          });
  }
  std::vector<Score> scores = {verdicts, starts, tails, makespans};
  if (shared.rows != 0)
    scores.insert(scores.begin() + 2, shared);
  return scores;
}
