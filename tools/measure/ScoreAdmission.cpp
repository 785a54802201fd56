// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// admit*.csv: n blocks of A on every SM, then B; was a block of B admitted?
// triple*.csv: the same, then C; were blocks of B and of C admitted?
// target*.csv: A alone, then nine probes one after the other; which got in?

#include "MeasuredFile.h"
#include "Score.h"
#include "device/Admission.h"

#include "llvm/Support/FormatVariadic.h"

using namespace coreside;

namespace {

Footprint footprintOf(const MeasuredRow &row, char suffix) {
  const auto field = [&](const char *name, int64_t missing = 0) {
    return row.number((name + llvm::Twine(suffix)).str(), missing);
  };
  Footprint footprint;
  footprint.threadsPerBlock = unsigned(field("t"));
  footprint.registersPerThread = unsigned(field("r"));
  footprint.staticShared = unsigned(field("st"));
  footprint.dynamicShared = unsigned(field("sm"));
  footprint.carveoutPercent = int(field("cv", -1));
  footprint.barriers = unsigned(field("bar", 1));
  return footprint;
}

/// A probe of target.cu: one block whose need is known.
struct Probe {
  unsigned configurationKiB;
  unsigned threads;
  unsigned dynamicShared;
};
constexpr Probe probes[] = {
    {8, 256, 0},     {16, 128, 0},    {32, 32, 0},
    {64, 32, 1024},  {100, 32, 2048}, {132, 32, 3072},
    {164, 32, 4096}, {196, 32, 5120}, {228, 32, 6144},
};
/// What ptxas gives the probe kernel.
constexpr unsigned probeRegisters = 16;

/// The largest configuration that a probe finds beside one block of `kernel`.
/// A probe that is refused holds up those behind it.
unsigned probedKiB(const Architecture &architecture,
                   const PreparedKernel &kernel) {
  SMState state(architecture);
  state.admit(kernel);
  unsigned found = 0;
  for (const Probe &probe : probes) {
    Footprint footprint;
    footprint.threadsPerBlock = probe.threads;
    footprint.registersPerThread = probeRegisters;
    footprint.dynamicShared = probe.dynamicShared;
    if (!state.canAdmit(prepareKernel(architecture, footprint)))
      break;
    found = probe.configurationKiB;
  }
  return found;
}

} // namespace

llvm::Expected<std::vector<Score>>
coreside::scoreAdmission(const GPU &gpu, llvm::StringRef path,
                         unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score score(wrongKept);
  for (const MeasuredRow &row : file->rows()) {
    const PreparedKernel first =
        prepareKernel(gpu.architecture, footprintOf(row, 'A'));
    const PreparedKernel second =
        prepareKernel(gpu.architecture, footprintOf(row, 'B'));
    SMState state(gpu.architecture);
    for (int64_t i = row.number("nA"); i > 0 && state.canAdmit(first); --i)
      state.admit(first);
    const Limiter limiter = state.refusal(second);
    score.count(
        (limiter == Limiter::None) == (row.number("admitted") > 0), [&] {
          return llvm::formatv("{0}\n    model: {1}", row.line(),
                               limiter == Limiter::None ? "admitted"
                                                        : limiterName(limiter))
              .str();
        });
  }
  return std::vector<Score>{score};
}

llvm::Expected<std::vector<Score>> coreside::scoreThirds(const GPU &gpu,
                                                         llvm::StringRef path,
                                                         unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score second(wrongKept, "second kernel"), third(wrongKept, "third kernel");
  for (const MeasuredRow &row : file->rows()) {
    SMState state(gpu.architecture);
    const PreparedKernel first =
        prepareKernel(gpu.architecture, footprintOf(row, 'A'));
    for (int64_t i = row.number("nA"); i > 0 && state.canAdmit(first); --i)
      state.admit(first);
    // A kernel that finds no room holds up the one behind it.
    bool admitted = true;
    for (auto [suffix, score] : {std::pair('B', &second), {'C', &third}}) {
      const PreparedKernel next =
          prepareKernel(gpu.architecture, footprintOf(row, suffix));
      const Limiter limiter = state.refusal(next);
      admitted &= limiter == Limiter::None;
      if (admitted)
        state.admit(next);
      const std::string column = std::string(1, suffix) + "_admitted";
      score->count(admitted == (row.number(column) > 0), [&] {
        return llvm::formatv("{0}\n    model: {1}", row.line(),
                             limiterName(limiter))
            .str();
      });
    }
  }
  return std::vector<Score>{second, third};
}

llvm::Expected<std::vector<Score>> coreside::scoreTargets(const GPU &gpu,
                                                          llvm::StringRef path,
                                                          unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score room(wrongKept, "probes had room", 99.9);
  Score all(wrongKept, "all rows", 99.9);
  for (const MeasuredRow &row : file->rows()) {
    const PreparedKernel kernel =
        prepareKernel(gpu.architecture, footprintOf(row, 'A'));
    const unsigned was = unsigned(row.number("config_kb"));
    const unsigned target = kernel.target / 1024;
    const unsigned probed = probedKiB(gpu.architecture, kernel);
    const auto reason = [&] {
      return llvm::formatv("{0}\n    model: set to {1} KiB, probes find {2}",
                           row.line(), target, probed)
          .str();
    };
    if (was != 0 && kernel.target >= kernel.cost.shared + 7 * 1024)
      room.count(was == target, reason);
    all.count(was == probed, reason);
  }
  return std::vector<Score>{room, all};
}
